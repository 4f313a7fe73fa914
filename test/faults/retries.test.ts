/** Rows that were refused go out once more: by a retry, or by who sends the list as it was; not by both. */
import { beforeEach, expect, test } from "vitest";
import { hurried } from "../support/clock.ts";
import { type Shell, shell } from "../support/msg.ts";
import { envFor, numbersOf, rowsOf, sending } from "./books.ts";
import { oneService } from "./one-service.ts";

const { opened, nextBatch } = oneService();
const keys = { next: 0 };

/** Whoever may be at work is waited for. */
const machine = (): Shell => shell(hurried());

beforeEach(async () => {
  await quotaOf(1_000_000);
});

const quotaOf = (quota: number): Promise<void> => change({ quota });

const change = async (settings: object): Promise<void> => {
  const url = new URL("/_sandbox/settings", opened().baseUrl);
  const body = JSON.stringify(settings);
  const answer = await fetch(url, {
    ...{ method: "PUT", body, headers: { "content-type": "application/json" } },
  });
  expect(answer.status, await answer.text()).toBe(200);
};

/** A list whose group the service refused as a whole: the quota was used up meanwhile. Then there is enough again. */
const refused = async (at: Shell, ...more: readonly string[]) => {
  const first = nextBatch();
  const words = sending("--json", ...more);
  const stdin = rowsOf(3, first);
  const env = envFor(opened());
  await quotaOf(1);
  expect((await at(words, { stdin, env })).code).toBe(7);
  const ran = await at("send-many --resume last --json", { env });
  expect(ran.code, ran.err).toBe(10);
  const { run } = JSON.parse(ran.out);
  await quotaOf(1_000_000);
  const sent = (): number[] => opened().countsOf(numbersOf(3, first));
  const asBefore = (other: Shell) => other(words, { stdin, env });
  const retry = (...how: readonly string[]) =>
    at(["send-many", "--retry-refused", run, "--json", ...how], { env });
  return { sent, asBefore, retry };
};

const codeOf = (err: string): unknown =>
  JSON.parse(err.trim().split("\n").at(-1) ?? "{}").error.code;

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
