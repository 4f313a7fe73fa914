/** Ctrl-C while a sandbox in this process is sent to: what has not been begun is not begun any more. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hurried } from "../../support/clock.ts";
import { shell } from "../../support/msg.ts";

const rows = `to\n${Array.from({ length: 6 }, (_, index) => `0100000000${index}\n`).join("")}`;

/** What the journal of the only run says; undefined before it is begun. */
const journalIn = (runs: string): string | undefined => {
  const names = existsSync(runs) ? readdirSync(runs) : [];
  const run = names.find((name) => /^\d/.test(name)) ?? "";
  const path = join(runs, run, "journal.log");
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
};

/** A run whose operator stops it, as from outside, once its journal says so. */
const stopWhen = async (
  isTime: (journal: string) => boolean,
  flags: string,
  { at = shell(), stdin = rows } = {},
) => {
  const stop = new AbortController();
  const ticks = (): number => {
    const journal = journalIn(join(at.folder, "state", "runs"));
    if (journal !== undefined && isTime(journal)) setImmediate(() => stop.abort());
    return performance.now();
  };
  const line = `send-many - --sandbox --from 0200000000 --text x -y --json ${flags}`;
  const ran = await at(line, { stdin, ticks, signal: stop.signal });
  return { ...ran, shown: (await at("run show last --sandbox --json")).json() };
};

const paths = ["", "--staged --chunk 2", "--direct --chunk 2"];

test.each(paths)(
  "just before the first request, path %s: nothing is sent, exit 130",
  async (path) => {
    const { code, err, shown } = await stopWhen(() => true, path);
    expect(code, err).toBe(130);
    expect(JSON.parse(err).error).toMatchObject({ code: "Interrupted", outcome: "not_sent" });
    expect(shown).toMatchObject({ state: "open", accepted: 0, notSent: 6, unknown: 0, groups: [] });
  },
);

test("in the middle of a run: the parts that were begun are told, and no other is begun", async () => {
  const at = shell();
  const flags = "--direct --chunk 1 --concurrency 1";
  const { code, err, shown } = await stopWhen((it) => it.includes("POST_OK"), flags, { at });
  expect(code, err).toBe(130);
  expect(shown).toMatchObject({ state: "open", unknown: 0 });
  const { accepted, notSent } = JSON.parse(JSON.stringify(shown));
  expect([accepted > 0, notSent > 0, accepted + notSent]).toEqual([true, true, 6]);
  // What stops it when it is gone on with does not say that nothing of it was sent.
  const again = await at("send-many --resume last --sandbox --json --max-recipients 1");
  const { error } = JSON.parse(again.err);
  expect([again.code, error.code, error.outcome]).toEqual([7, "TooManyRecipients", "partial"]);
  expect(error.hint).toContain("nothing more was sent;");
});

test("a look of a resumed run gets no answer: what stops it counts what was sent before", async () => {
  const at = shell({ ...hurried() });
  const flags = "--direct --chunk 1 --concurrency 1";
  const { shown } = await stopWhen((it) => it.includes("POST_OK"), flags, { at });
  const lost = ["--on", "GET /messages/v4/list", "--do", "drop-before", "--times", "99"];
  expect((await at(["sandbox", "fault", "add", "--sandbox", ...lost])).code).toBe(0);
  const { code, err } = await at("send-many --resume last --sandbox --json");
  const { error } = JSON.parse(err);
  expect([code, error.outcome, error.http?.method], err).toEqual([9, "partial", "GET"]);
  const { accepted, notSent } = JSON.parse(JSON.stringify(shown));
  expect(error.message).toMatch(new RegExp(`; ${accepted} accepted, ${notSent} not sent$`));
});

test("a guard that stops a run in doubt says that it is in doubt, with exit 11", async () => {
  const at = shell({ ...hurried() });
  const fault = (on: string, what: string) =>
    at(["sandbox", "fault", "add", "--sandbox", "--on", on, "--do", what, "--times", "1"]);
  await fault("POST /messages/v4/send-many", "drop-after");
  await fault("GET /messages/v4/list", "status:400");
  const line = "send-many - --sandbox --from 0200000000 --text x -y --json --direct --settle 0";
  const first = await at(line, { stdin: rows });
  expect(first.code, first.err).toBe(11);
  for (const flags of ["--max-cost 1", "--max-recipients 1"]) {
    const stopped = await at(`send-many --resume last --sandbox --json ${flags}`);
    const { error } = JSON.parse(stopped.err);
    expect([stopped.code, error.outcome], stopped.err).toEqual([11, "unknown"]);
    expect(error.message).toMatch(/^6 messages remain unclear: /);
    expect(error.hint).toContain("msg run reconcile ");
  }
  expect((await at("run reconcile last --sandbox --json")).json()).toMatchObject({ accepted: 6 });
  expect((await at("message list --sandbox --json")).json()).toHaveLength(6);
});

test("--retry-refused waits for the end of a run that stands still: its rows are refused once, and sent once", async () => {
  const at = shell();
  const senders = Array.from({ length: 12 }, (_, at) =>
    at % 2 === 0 ? "0299999999" : "0200000000",
  );
  const stdin = `to,from\n${senders.map((from, at) => `010000000${at + 10},${from}\n`).join("")}`;
  const flags = "--direct --chunk 2 --concurrency 1";
  const { code, err, shown } = await stopWhen((it) => it.includes("POST_OK"), flags, { at, stdin });
  expect([code, shown], err).toMatchObject([130, { state: "open", unknown: 0 }]);
  const retry = "send-many --retry-refused last --sandbox --json";
  const early = await at(retry);
  expect([early.code, JSON.parse(early.err).error.code]).toEqual([7, "RunOpen"]);
  expect((await at("send-many --resume last --sandbox --json")).code).toBe(3);
  expect((await at(retry)).json()).toMatchObject({ total: 6 });
});
