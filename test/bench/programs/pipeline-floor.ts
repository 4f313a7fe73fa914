/** The floor of a run: a CSV scanned, every row a message, chunks of 10,000 as JSON; no checks, no network. */
import { createReadStream } from "node:fs";

const columns = { to: 0, name: 1 };
const chunk = 10_000;
const state = { rest: "", rows: 0, bytes: 0 };
let messages: unknown[] = [];

const finish = (): void => {
  state.bytes += Buffer.from(JSON.stringify({ messages })).length;
  messages = [];
};

const take = (line: string): void => {
  const cells = line.split(",");
  state.rows += 1;
  if (state.rows === 1) return;
  const text = `${cells[columns.name]}님, 안녕하세요`;
  const customFields = {
    "msg.run": "20260105-180000000-000000",
    "msg.row": String(state.rows - 1),
  };
  messages.push({ to: cells[columns.to], from: "0200000000", text, customFields });
  if (messages.length === chunk) finish();
};

for await (const piece of createReadStream(process.argv[2] ?? "", {
  encoding: "utf8",
  highWaterMark: 256 * 1024,
})) {
  const lines = `${state.rest}${piece}`.split("\n");
  state.rest = lines.pop() ?? "";
  for (const line of lines) take(line);
}
finish();
process.stdout.write(`${state.rows} ${state.bytes}\n`);
