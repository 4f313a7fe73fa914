/** Rows that were refused go out once more: by a retry, or by who sends the list as it was; not by both. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Shell } from "../support/msg.ts";
import { envFor, numbersOf, rowsOf, sending } from "./books.ts";
import { openLine } from "./line.ts";
import { codeOf, openRefusals, retrying } from "./refusals.ts";
import { isOf, recordOf } from "./strangers.ts";

const { opened, nextBatch, machine, change, refused } = openRefusals();
const keys = { next: 0 };

const keyed = (): readonly string[] => {
  keys.next += 1;
  return ["--once", `key-${keys.next}`];
};

const senders = [
  ["with its key, on this machine", true, (at: Shell) => at],
  ["with its key, on another machine", true, () => machine()],
  ["without a key, on another machine", false, () => machine()],
] as const;

test.each(senders)(
  "behind a retry the list is not sent as it was: %s",
  async (_, isKeyed, other) => {
    const at = machine();
    const { sent, asBefore, retry } = await refused(at, ...(isKeyed ? keyed() : []));
    const retried = await retry();
    expect([retried.code, sent()], retried.err).toEqual([0, [1, 1, 1]]);
    const again = await asBefore(other(at));
    expect([again.code, sent()], again.err).toEqual([7, [1, 1, 1]]);
    expect(codeOf(again.err)).toBe("Retried");
    // What can never be sent is not kept, and not to be resumed.
    expect(again.err).not.toContain("--resume");
  },
);

test.each(senders)("behind the list as it was there is no retry: %s", async (_, isKeyed, other) => {
  const at = machine();
  const { sent, asBefore, retry } = await refused(at, ...(isKeyed ? keyed() : []));
  const ran = await asBefore(other(at));
  expect([ran.code, sent()], ran.err).toEqual([0, [1, 1, 1]]);
  const retried = await retry();
  expect([retried.code, sent()], retried.err).toEqual([7, [1, 1, 1]]);
  expect(codeOf(retried.err)).toBe("Retried");
  const meant = await retry("--again");
  expect([meant.code, sent()], meant.err).toEqual([0, [2, 2, 2]]);
});

test("rows that were refused one by one, in a group that was never sent: the same", async () => {
  const first = nextBatch();
  const words = ["send-many", "-", "--from", "0311111111", "--text", "x", "--json"];
  const stdin = rowsOf(3, first);
  const env = envFor(opened());
  const at = machine();
  expect((await at(words, { stdin, env })).code).toBe(3);
  await change({ sender: "0311111111" });
  const retried = await at("send-many --retry-refused last --json", { env });
  expect(retried.code, retried.err).toBe(0);
  const again = await machine()(words, { stdin, env });
  expect([again.code, codeOf(again.err)], again.err).toEqual([7, "Retried"]);
  expect(opened().countsOf(numbersOf(3, first))).toEqual([1, 1, 1]);
});

test("behind the retry of a retry neither the list is sent nor a plan of the first one", async () => {
  const at = machine();
  const { run, sent, asBefore, retry, retryInVain, env } = await refused(at);
  const plan = join(at.folder, "retry.msgplan");
  expect((await retry("--plan-out", plan)).code).toBe(0);
  const again = await at(retrying(await retryInVain()), { env });
  expect([again.code, sent()], again.err).toEqual([0, [1, 1, 1]]);
  const late = [
    await asBefore(machine()),
    await machine()(["send-many", "--plan", plan, "--json"], { env }),
  ];
  expect(late.map((it) => [it.code, codeOf(it.err)])).toEqual([
    [7, "Retried"],
    [7, "Retried"],
  ]);
  const first = await at(retrying(run), { env });
  expect([first.code, codeOf(first.err), sent()]).toEqual([7, "SentBefore", [1, 1, 1]]);
});

test("what was refused and what did not arrive of one run are sent again, one behind the other", async () => {
  const from = "0322222222";
  const [number = ""] = numbersOf(1, nextBatch());
  const stdin = `to,from\n01000003104,0200000000\n${number},${from}\n`;
  const env = envFor(opened());
  const at = machine();
  const words = ["send-many", "-", "--text", "x", "--json"];
  const ran = await at(words, { stdin, env });
  expect(ran.code, ran.err).toBe(3);
  const { run } = JSON.parse(ran.out);
  await change({ sender: from });
  expect((await at(retrying(run), { env })).code).toBe(0);
  await at(["run", "watch", run, "--json"], { env });
  const shown = await at(["run", "show", run, "--json"], { env });
  expect(shown.err).toMatch(
    /1 refused: .* --retry-refused .*; 1 did not arrive: .* --retry-failed/,
  );
  const failed = ["send-many", "--retry-failed", run, "--json"];
  const retried = await at(failed, { env });
  expect(retried.code, retried.err).toBe(0);
  expect(opened().countsOf(["01000003104", number])).toEqual([2, 1]);
  const twice = await at(failed, { env });
  expect([twice.code, codeOf(twice.err)], twice.err).toEqual([7, "SentBefore"]);
});

test.each([true, false])(
  "what did not arrive of a list is sent again by one of two machines that hold it (by its sender first: %s)",
  async (isSenderFirst) => {
    const recipient = isSenderFirst ? "01000003043" : "01000003045";
    const words = [...sending("--json"), "--once", `held-by-both-${recipient}`];
    const env = envFor(opened());
    const [one, two] = [machine(), machine()];
    for (const at of [one, two]) {
      const ran = await at(words, { stdin: `to\n${recipient}\n`, env });
      expect(ran.code, ran.err).toBe(0);
    }
    await one("run watch last", { env });
    const [first, second] = isSenderFirst ? [one, two] : [two, one];
    const failed = "send-many --retry-failed last --json";
    const retried = await first(failed, { env });
    expect(retried.code, retried.err).toBe(0);
    const again = await second(failed, { env });
    expect([again.code, codeOf(again.err)], again.err).toEqual([7, "Retried"]);
    expect(opened().countsOf([recipient])).toEqual([2]);
  },
);

test("behind the retry of a part the whole list is not sent, though the part's own group is deleted", async () => {
  const at = machine();
  const numbers = numbersOf(4, nextBatch());
  const stdin = `to\n${numbers.join("\n")}\n`;
  const env = envFor(opened());
  const words = ["send-many", "-", "--from", "0333333333", "--text", "x", "--json"];
  const ran = await at([...words, "--part", "1/2"], { stdin, env });
  expect(ran.code, ran.err).toBe(3);
  await change({ sender: "0333333333" });
  const { run, groups } = JSON.parse(ran.out);
  expect((await at(retrying(run), { env })).code).toBe(0);
  const before = opened().countsOf(numbers);
  const deleted = await machine()(["group", "delete", groups[0], "-y", "--json"], { env });
  expect(deleted.code, deleted.err).toBe(0);
  const whole = await machine()(words, { stdin, env });
  expect([whole.code, codeOf(whole.err)], whole.err).toEqual([7, "Retried"]);
  // The other worker's rows are others.
  expect((await at([...words, "--part", "2/2"], { stdin, env })).code).toBe(0);
  expect([before.some((it) => it > 0), opened().countsOf(numbers)]).toEqual([true, [1, 1, 1, 1]]);
});

test("what failed is not sent again while its group is not over: another may go out in its place", async () => {
  const seen = { body: "", isOpen: false };
  const line = await openLine({
    to: opened().baseUrl,
    heard: (passing, { body }) => {
      if (isOf("readGroup", passing)) seen.body = body;
    },
    harm: (passing) =>
      seen.isOpen && isOf("readGroup", passing)
        ? recordOf(seen.body.replace('"COMPLETE"', '"SENDING"'))
        : undefined,
  });
  const at = machine();
  const env = envFor(line);
  const [number = ""] = numbersOf(1, nextBatch());
  const stdin = `to\n01000003104\n${number}\n`;
  const words = [...sending("--json"), "--wait", "--within", "10m"];
  expect((await at(words, { stdin, env })).code).toBe(3);
  const retryFailed = () => at("send-many --retry-failed last --json", { env });
  seen.isOpen = true;
  const early = await retryFailed();
  seen.isOpen = false;
  const late = await retryFailed();
  await line.stop();
  expect([early.code, codeOf(early.err), late.code], late.err).toEqual([7, "RunPending", 0]);
});

test("a group that a run left behind is not sent by hand once its rows went out, but with --again", async () => {
  const at = machine();
  const env = envFor(opened());
  const first = nextBatch();
  const sent = (): number[] => opened().countsOf(numbersOf(3, first));
  expect((await at(sending("--json"), { stdin: rowsOf(3, first), env })).code).toBe(0);
  const { groups } = JSON.parse((await at("run show last --json", { env })).out);
  const { customFields } = JSON.parse((await at(`group get ${groups[0]} --json`, { env })).out);
  const input = join(at.folder, "group.json");
  writeFileSync(input, JSON.stringify({ customFields }));
  const made = await at(`group create --input ${input} --json`, { env });
  const { groupId } = JSON.parse(made.out);
  const rows = `to,from,text\n${numbersOf(3, first).join(",0200000000,x\n")},0200000000,x\n`;
  expect((await at(`group add ${groupId} - --json`, { stdin: rows, env })).code).toBe(0);
  for (const words of [`group send ${groupId} -y`, `group schedule ${groupId} +1h`]) {
    const ran = await machine()(`${words} --json`, { env });
    expect([ran.code, codeOf(ran.err), sent()], ran.err).toEqual([7, "Retried", [1, 1, 1]]);
  }
  const meant = await machine()(`group send ${groupId} -y --again --json`, { env });
  expect([meant.code, sent()], meant.err).toEqual([0, [2, 2, 2]]);
});
