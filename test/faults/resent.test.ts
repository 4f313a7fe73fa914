/** A group that the service refused as a whole is resent by hand: its rows go out once, whoever retries them. */
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Ran, Shell } from "../support/msg.ts";
import { envFor, numbersOf, rowsOf, sending } from "./books.ts";
import { openLine } from "./line.ts";
import { codeOf, openRefusals, type Refused, retrying } from "./refusals.ts";
import { onKind, ownWords } from "./strangers.ts";

const { opened, nextBatch, machine, quotaOf, refused, failedGroups } = openRefusals();

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

/** Who sends the rows while a request to resend their group is on its way; and which group that is. */
const whileResent: readonly (readonly [string, (it: Refused) => Promise<Ran>, boolean])[] = [
  ["a retry", ({ retry }) => retry(), false],
  ["the list as it was, behind a retry in vain", ({ asBefore }) => asBefore(machine()), true],
];

test.each(whileResent)(
  "a request to resend a group arrives once %s has listed it: its rows go out once",
  async (_, sendMeanwhile, isOfRetry) => {
    const at = machine();
    const it = await refused(at);
    if (isOfRetry) await it.retryInVain();
    const [groupId = ""] = await failedGroups(at);
    const meanwhile: Ran[] = [];
    const line = await openLine({
      to: opened().baseUrl,
      on: async ({ path }, moment) => {
        if (moment === "arrived" && path.endsWith("/resend"))
          meanwhile.push(await sendMeanwhile(it));
      },
    });
    const words = ["group", "resend", groupId, "-y", "--json"];
    const resent = await machine()(words, { env: envFor(line) });
    await line.stop();
    expect(meanwhile).toMatchObject([{ code: 0 }]);
    expect([resent.code, it.sent()], resent.err).toEqual([10, [1, 1, 1]]);
  },
);

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

test("a service that deletes no group that failed: its rows are retried all the same", async () => {
  const at = machine();
  const { run, sent } = await refused(at);
  const { answer } = ownWords(400, "NotOperationalStatus");
  const line = await openLine({
    to: opened().baseUrl,
    harm: onKind("delete", { ...answer, performed: false }),
  });
  const retried = await at(retrying(run), { env: envFor(line) });
  await line.stop();
  expect([retried.code, sent()], retried.err).toEqual([0, [1, 1, 1]]);
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

test("a run whose rows were refused has nothing to cancel, however often it is cancelled", async () => {
  const at = machine();
  const { run, env } = await refused(at);
  for (const _ of ["open", "over"]) {
    const cancelled = await at(`run cancel ${run} -y --json`, { env });
    expect([cancelled.code, cancelled.json()]).toMatchObject([0, { state: "done", refused: 3 }]);
    expect(cancelled.err).toContain("there is nothing to cancel");
  }
});
