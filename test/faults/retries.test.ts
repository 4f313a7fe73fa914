/** Rows that were refused go out once more: by a retry, or by who sends the list as it was; not by both. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { hurriedWorld } from "../support/clock.ts";
import { type Shell, shell } from "../support/msg.ts";
import { envFor, numbersOf, rowsOf, sending } from "./books.ts";
import { openLine } from "./line.ts";
import { oneService } from "./one-service.ts";
import { isOf, recordOf } from "./strangers.ts";

const clock = hurriedWorld();
const { opened, nextBatch } = oneService(clock.now);
const keys = { next: 0 };

/** Whoever may be at work is waited for. */
const machine = (): Shell => shell(clock);

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
  const run = await refusedRun(at, words, stdin);
  const sent = (): number[] => opened().countsOf(numbersOf(3, first));
  const asBefore = (other: Shell) => other(words, { stdin, env });
  const retry = (...how: readonly string[]) => at(retrying(run, ...how), { env });
  /** A retry that was refused as a whole, too. */
  const retryInVain = () => refusedRun(at, retrying(run));
  const [groupId = ""] = await failedGroups(at);
  return { run, groupId, sent, asBefore, retry, retryInVain, env };
};

type Refused = Awaited<ReturnType<typeof refused>>;

const retrying = (run: string, ...how: readonly string[]): readonly string[] => [
  "send-many",
  "--retry-refused",
  run,
  "--json",
  ...how,
];

/** The id of a run that these words begin, and whose group the service refuses as a whole. */
const refusedRun = async (at: Shell, words: readonly string[], stdin = ""): Promise<string> => {
  const env = envFor(opened());
  const paste = async (): Promise<string> => {
    await quotaOf(1);
    return "y";
  };
  const ran = await at(words, { ...(stdin !== "" && { stdin }), env, tty: 100, paste });
  expect(ran.code, ran.err).toBe(10);
  await quotaOf(1_000_000);
  return JSON.parse(ran.out).run;
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

const resending: readonly (readonly [
  string,
  (it: Refused, at: Shell) => Promise<unknown>,
  number,
])[] = [
  ["a retry", ({ retry }) => retry(), 10],
  [
    "the retry of a retry",
    async ({ retryInVain, env }, at) => at(retrying(await retryInVain()), { env }),
    10,
  ],
  ["nothing", async () => undefined, 0],
];

test.each(resending)(
  "a group that failed as a whole is resent by hand behind %s",
  async (_, first, code) => {
    const at = machine();
    const it = await refused(at);
    await first(it, at);
    const words = ["group", "resend", it.groupId, "-y", "--json"];
    const resent = await machine()(words, { env: it.env });
    expect([resent.code, it.sent()], resent.err).toEqual([code, [1, 1, 1]]);
    if (code === 0) return;
    // A retry deletes it before it sends.
    expect(codeOf(resent.err)).toBe("DeletedGroup");
    const meant = await machine()([...words, "--again"], { env: it.env });
    expect([meant.code, it.sent()], meant.err).toEqual([10, [1, 1, 1]]);
  },
);

test("a request to resend a group arrives once a retry has listed it: its rows go out once", async () => {
  const at = machine();
  const { groupId, sent, retry } = await refused(at);
  const retried: unknown[] = [];
  const line = await openLine({
    to: opened().baseUrl,
    on: async ({ path }, moment) => {
      if (moment === "arrived" && path.endsWith("/resend")) retried.push(await retry());
    },
  });
  const words = ["group", "resend", groupId, "-y", "--json"];
  const resent = await machine()(words, { env: envFor(line) });
  await line.stop();
  expect(retried).toMatchObject([{ code: 0 }]);
  expect([resent.code, sent()], resent.err).toEqual([10, [1, 1, 1]]);
});

test("a retry whose rows are resent while it makes a group is not to be resumed", async () => {
  const at = machine();
  const { run, groupId, sent, env } = await refused(at);
  const line = await openLine({
    to: opened().baseUrl,
    on: async ({ method, path }, moment) => {
      if (moment !== "arrived" || method !== "POST" || !path.endsWith("/groups")) return;
      await machine()(["group", "resend", groupId, "-y"], { env });
    },
  });
  const ran = await at(retrying(run), { env: envFor(line) });
  await line.stop();
  expect([ran.code, sent()], ran.err).toEqual([7, [1, 1, 1]]);
  expect(ran.err).not.toContain("--resume");
});

test("behind the second group of a run that was resent by hand no plan of a retry is sent", async () => {
  const at = machine();
  const env = envFor(opened());
  const first = nextBatch();
  const sent = (): number[] => opened().countsOf(numbersOf(6, first));
  const sends = { count: 0 };
  const line = await openLine({
    to: opened().baseUrl,
    on: async ({ path }, moment) => {
      if (moment === "arrived" && path.endsWith("/send")) sends.count += 1;
      if (moment === "arrived" && sends.count === 2) await quotaOf(4);
    },
  });
  const words = sending("--json", "--group-size", "3", "--concurrency", "1");
  const ran = await at(words, { stdin: rowsOf(6, first), env: envFor(line) });
  await line.stop();
  await quotaOf(1_000_000);
  expect([ran.code, sent()], ran.err).toEqual([10, [1, 1, 1, 0, 0, 0]]);
  const plan = join(at.folder, "second.msgplan");
  const planned = await at(["send-many", "--retry-refused", "last", "--plan-out", plan], { env });
  expect(planned.code, planned.err).toBe(0);
  const [groupId = ""] = await failedGroups(at);
  expect((await machine()(["group", "resend", groupId, "-y"], { env })).code).toBe(0);
  const late = await at(["send-many", "--plan", plan, "--json"], { env });
  expect([late.code, sent()], late.err).toEqual([7, [1, 1, 1, 1, 1, 1]]);
});

test("behind a group that was resent by hand neither it nor a retry of it is sent", async () => {
  const at = machine();
  const { groupId, sent, asBefore, retry, retryInVain, env } = await refused(at);
  const retryId = await retryInVain();
  const [failed] = await failedGroups(at);
  const resend = (id: string) => machine()(["group", "resend", id, "-y", "--json"], { env });
  expect((await resend(failed ?? "")).code).toBe(0);
  const late = [
    await resend(groupId),
    await asBefore(machine()),
    await retry(),
    await at(retrying(retryId), { env }),
  ];
  expect(late.map((it) => it.code)).toEqual([10, 7, 7, 2]);
  expect(sent()).toEqual([1, 1, 1]);
});

test("a group that was resent by hand counts as sent in all that shows the run", async () => {
  const at = machine();
  const { groupId, run, env } = await refused(at);
  const resent = await at(["group", "resend", groupId, "-y", "--json"], { env });
  expect(resent.code, resent.err).toBe(0);
  for (const _ of ["open", "over"]) {
    const resumed = await at(`send-many --resume ${run} --json`, { env });
    expect([resumed.code, resumed.json()]).toMatchObject([0, { accepted: 3, refused: 0 }]);
  }
  const watched = await at(`run watch ${run} --within 10m --json`, { env });
  const counts = { accepted: 3, refused: 0, delivered: 3 };
  const last = JSON.parse(watched.out.trim().split("\n").at(-1) ?? "");
  expect([watched.code, last], watched.err).toMatchObject([0, counts]);
  const shown = await at(`run show ${run} --json`, { env });
  expect([shown.json(), shown.err]).toMatchObject([counts, ""]);
  expect((await at("run list --json", { env })).json()).toMatchObject([counts]);
  const looked = await at(`run reconcile ${run} --json`, { env });
  expect([looked.code, looked.json(), looked.err]).toMatchObject([
    0,
    { accepted: 3, refused: 0 },
    expect.stringMatching(/nothing is unclear$/m),
  ]);
});

/** The newest first. */
const failedGroups = async (at: Shell): Promise<readonly string[]> => {
  const words = "group list --criteria status --cond eq --value FAILED --json";
  const listed = (await at(words, { env: envFor(opened()) })).out;
  const groups: readonly { readonly groupId: string }[] = JSON.parse(listed);
  return groups.map(({ groupId }) => groupId);
};

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
