/** The least that a list costs: pages over one connection, parsed, seven members joined by tabs. */
import { Agent, get } from "node:http";
import { text } from "node:stream/consumers";

const [url = "", total = "100000"] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });
const members = ["dateCreated", "messageId", "to", "from", "type", "statusCode", "reason"];

interface Page {
  readonly nextKey: string | null;
  readonly messageList: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const read = (key: string): Promise<Page> =>
  new Promise((resolve, reject) => {
    get(`${url}/${total}/messages/v4/list?limit=500&startKey=${key}`, { agent }, (response) => {
      text(response).then((body) => resolve(JSON.parse(body)), reject);
    }).on("error", reject);
  });

for (let key: string | null = ""; key !== null; ) {
  const page: Page = await read(key);
  const lines = Object.values(page.messageList).map((row) =>
    members.map((member) => row[member]).join("\t"),
  );
  process.stdout.write(`${lines.join("\n")}\n`);
  key = page.nextKey;
}
agent.destroy();
