/**
 * Fills one group of a sandbox with so many messages, 10,000 a call, walks its list to the last page,
 * sends it and reads the statistics. Prints times in ms, memory in MiB, and what was counted.
 */
import { openSandbox } from "../../../src/sandbox/index.ts";
import { authorization } from "../../support/signer.ts";

const [file = ":memory:", total = "1000000"] = process.argv.slice(2);
const perCall = 10_000;
const perPage = 500;
const count = Number(total);

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const sandbox = openSandbox({ file, now: () => new Date(), wait });
const { signal } = new AbortController();

const ask = async (method: "GET" | "POST" | "PUT", target: string, content?: unknown) => {
  const body = content === undefined ? undefined : Buffer.from(JSON.stringify(content));
  const headers = {
    "content-type": "application/json",
    ...(!target.startsWith("/_sandbox") && { authorization: authorization() }),
  };
  const start = performance.now();
  const answer = await sandbox.send({ method, target, headers, ...(body && { body }) }, signal);
  const ms = performance.now() - start;
  const value = JSON.parse(Buffer.from(answer.body).toString());
  if (answer.status !== 200) throw new Error(`${method} ${target}: ${JSON.stringify(value)}`);
  return { ms, value };
};

const messageOf = (at: number) => ({
  to: `0105${String(at).padStart(7, "0")}`,
  from: "0200000000",
  text: "hello",
});

const memory = (): number => process.memoryUsage().rss / 1024 / 1024;
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
/** The first tenth and the last: what comes late must not cost more. */
const ends = (values: readonly number[]) => {
  const tenth = Math.max(1, Math.floor(values.length / 10));
  return { first: median(values.slice(0, tenth)), last: median(values.slice(-tenth)) };
};

await ask("PUT", "/_sandbox/settings", { balance: count * 100, quota: count * 10, tickMs: 1 });
const { groupId } = (await ask("POST", "/messages/v4/groups", {})).value;

const adds: number[] = [];
const rss: number[] = [];
for (let from = 0; from < count; from += perCall) {
  const length = Math.min(perCall, count - from);
  const messages = Array.from({ length }, (_, index) => messageOf(from + index));
  const { ms, value } = await ask("PUT", `/messages/v4/groups/${groupId}/messages`, { messages });
  if (value.errorCount !== 0) throw new Error(`${value.errorCount} messages were refused`);
  adds.push(ms);
  rss.push(memory());
}

const pageAt = (key: string) => {
  const start = key === "" ? "" : `&startKey=${key}`;
  return ask("GET", `/messages/v4/groups/${groupId}/messages?limit=${perPage}${start}`);
};
const walked = performance.now();
const met = { rows: 0, oldest: "", last: "" };
for (let key: string | null = ""; key !== null; ) {
  met.last = key;
  const { value } = await pageAt(key);
  const ids = Object.keys(value.messageList);
  met.rows += ids.length;
  // The way is right when no id comes twice: they fall from page to page.
  if (met.oldest !== "" && !((ids[0] ?? "") < met.oldest)) throw new Error("a page came twice");
  met.oldest = ids.at(-1) ?? "";
  key = value.nextKey;
}
const walkMs = performance.now() - walked;
rss.push(memory());
const first: number[] = [];
const last: number[] = [];
for (let round = 0; round < 15; round += 1) {
  first.push((await pageAt("")).ms);
  last.push((await pageAt(met.last)).ms);
}

const sent = await ask("POST", `/messages/v4/groups/${groupId}/send`, {});
const read = () => ask("GET", `/messages/v4/groups/${groupId}`);
let ended = await read();
for (let tries = 0; tries < 100 && ended.value.status !== "COMPLETE"; tries += 1) {
  await wait(100);
  ended = await read();
}
const statistics = await ask("GET", "/messages/v4/statistics");
process.stdout.write(
  JSON.stringify({
    ...{ adds: ends(adds), pages: { first: median(first), last: median(last) }, walkMs },
    ...{ memory: { half: Math.max(...rss.slice(0, adds.length / 2)), most: Math.max(...rss) } },
    listed: met.rows,
    ...{ sendMs: sent.ms, statisticsMs: statistics.ms },
    ...{ delivered: ended.value.count.sentSuccess, counted: statistics.value.successed.total },
  }),
);
sandbox.close();
