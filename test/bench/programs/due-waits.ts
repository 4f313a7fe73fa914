/**
 * Sends one group of so many messages to a sandbox over HTTP and lets them fall due all at once, twice: at the
 * carrier, then reported. Prints how long the slowest of the requests took that were made meanwhile, in ms, beside
 * the slowest with nothing due.
 */
import { Agent, request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import * as v from "valibot";
import { authorization } from "../../support/signer.ts";

const [url = "", total = "1000000", failing = "10"] = process.argv.slice(2);
const count = Number(total);
const perCall = 10_000;
/** Time between two requests of one client. */
const restMs = 5;
const idleMs = 3_000;

interface Answered {
  readonly ms: number;
  readonly text: string;
}

const ask = (
  agent: Agent | false,
  method: "GET" | "POST" | "PUT",
  target: string,
  content?: unknown,
): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const started = performance.now();
    const body = content === undefined ? "" : JSON.stringify(content);
    const headers = {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      ...(!target.startsWith("/_sandbox") && { authorization: authorization() }),
    };
    const asked = request(`${url}${target}`, { agent, method, headers }, async (answer) => {
      const chunks: Buffer[] = await answer.toArray();
      const text = Buffer.concat(chunks).toString();
      if (answer.statusCode === 200) resolve({ ms: performance.now() - started, text });
      else reject(new Error(`${method} ${target}: ${text}`));
    });
    asked.on("error", reject).end(body);
  });

const agent = new Agent({ keepAlive: true });
const groupShape = v.object({
  groupId: v.string(),
  status: v.string(),
  count: v.object({ sentTotal: v.number(), sentSuccess: v.number(), sentFailed: v.number() }),
});
const readGroup = (text: string) => v.parse(groupShape, JSON.parse(text));

/** Every n-th recipient is one whose message fails and is refunded. */
const recipientOf = (at: number): string =>
  at % Number(failing) === 0 ? "01000003042" : `0105${String(at).padStart(7, "0")}`;

await ask(agent, "PUT", "/_sandbox/settings", {
  ...{ balance: count * 100, quota: count * 10, tick: "1h" },
});
const made = await ask(agent, "POST", "/messages/v4/groups", { allowDuplicates: true });
const { groupId } = readGroup(made.text);
const groupPath = `/messages/v4/groups/${groupId}`;
for (let from = 0; from < count; from += perCall) {
  const to = Array.from({ length: Math.min(perCall, count - from) }, (_, at) =>
    recipientOf(from + at),
  );
  const messages = [{ to, from: "0200000000", text: "hello" }];
  await ask(agent, "PUT", `${groupPath}/messages`, { messages });
}
await ask(agent, "POST", `${groupPath}/send`, {});

/** Clients that ask again and again, each for something else, one of them on a new connection each time. */
const clients: Readonly<Record<string, () => Promise<Answered>>> = {
  balance: () => ask(agent, "GET", "/cash/v1/balance"),
  group: () => ask(agent, "GET", groupPath),
  "messages of the group": () => ask(agent, "GET", `${groupPath}/messages?limit=20`),
  "newest messages": () => ask(agent, "GET", "/messages/v4/list?limit=20"),
  "new connection": () => ask(false, "GET", "/cash/v1/balance"),
};

/** The slowest answer of each client until `isOver`. */
const slowest = async (isOver: () => Promise<boolean>) => {
  const found: Record<string, number> = {};
  let requests = 0;
  const done = { yet: false };
  const run = async (name: string, once: () => Promise<Answered>): Promise<void> => {
    while (!done.yet) {
      const { ms } = await once();
      requests += 1;
      found[name] = Math.max(found[name] ?? 0, ms);
      await wait(restMs);
    }
  };
  const running = Promise.all(Object.entries(clients).map(([name, once]) => run(name, once)));
  const started = performance.now();
  while (!(await isOver())) await wait(50);
  const ms = performance.now() - started;
  done.yet = true;
  await running;
  return { found, requests, ms };
};

const now = async () => readGroup((await ask(agent, "GET", groupPath)).text);
/** The slowest answers from the moment that the next step falls due to its end. */
const whileDue = async (isDone: (group: v.InferOutput<typeof groupShape>) => boolean) => {
  const begun = { yet: false };
  return slowest(async () => {
    if (!begun.yet) await ask(agent, "PUT", "/_sandbox/clock", { advance: "1h" });
    begun.yet = true;
    return isDone(await now());
  });
};

const idle = await slowest(async () => {
  await wait(idleMs);
  return true;
});
const handedOver = await whileDue((group) => group.count.sentTotal === count);
const reported = await whileDue((group) => group.status === "COMPLETE");
process.stdout.write(JSON.stringify({ idle, handedOver, reported, count: (await now()).count }));
agent.destroy();
