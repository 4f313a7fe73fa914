/** Due work is done slice by slice: whatever their size, the sandbox ends as if all had been done at once. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { checkBooks } from "../support/books.ts";
import { countOf } from "../support/share.ts";
import { type Env, openEnv, sms } from "./environment.ts";
import { filledGroup, groups } from "./handlers/group-environment.ts";

/** Numbers whose messages end in every way there is, some of them never. */
const recipient = fc.constantFrom(
  ...["01000000001", "01000003104", "01000003042", "01000002062", "01000002000", "01000003000"],
);
const replacements = fc.array(
  fc.record({ to: recipient, text: fc.constantFrom("a", "b".repeat(91)) }),
  { minLength: 1, maxLength: 2 },
);
const message = fc
  .record({ to: recipient, replacements }, { requiredKeys: ["to"] })
  .map(({ to, ...members }) => sms(to, members));

/** Three groups that are filled in turn, sent at once or later, and time that passes in steps. */
const course = fc.record({
  calls: fc.array(
    fc.record({ group: fc.nat(2), messages: fc.array(message, { minLength: 1, maxLength: 7 }) }),
    { minLength: 3, maxLength: 9 },
  ),
  scheduled: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
  money: fc.constantFrom(
    { balance: 1_000_000, point: 50 },
    ...[0, 60, 150, 400].map((point) => ({ balance: 0, point })),
  ),
  /** Too little of it fails what is scheduled. */
  quota: fc.constantFrom(100_000, 100_000, 6),
  tick: fc.constantFrom("1s", "0s"),
  steps: fc.array(fc.integer({ min: 1, max: 2_500 }), { maxLength: 6 }),
});
type Course = typeof course extends fc.Arbitrary<infer C> ? C : never;

const perform = async (env: Env, it: Course): Promise<void> => {
  const settle = () => env.call("GET", "/cash/v1/balance");
  await env.call("PUT", "/_sandbox/settings", { ...it.money, tick: it.tick });
  const ids: string[] = [];
  for (const _ of it.scheduled) ids.push(await filledGroup(env, [], { allowDuplicates: true }));
  for (const { group, messages } of it.calls)
    await env.call("PUT", `${groups}/${ids[group]}/messages`, { messages });
  for (const [index, isLater] of it.scheduled.entries()) {
    const scheduledDate = new Date(env.clock.now.getTime() + 3_000).toISOString();
    if (isLater) await env.call("POST", `${groups}/${ids[index]}/schedule`, { scheduledDate });
    else await env.call("POST", `${groups}/${ids[index]}/send`, {});
  }
  await env.call("PUT", "/_sandbox/settings", { quota: it.quota });
  for (const ms of it.steps) {
    env.pass(ms);
    await settle();
  }
  env.pass(60_000);
  await settle();
};

interface Movement {
  readonly accountId: string;
  readonly type: string;
  readonly groupSeq: number | null;
  readonly created: number;
  readonly balanceAmount: number;
  readonly pointAmount: number;
  readonly newBalance: number;
  readonly newPoint: number;
}

/** Replacements are paid slice by slice: what stands in a row in the ledger counts as one movement. */
const ledgerOf = (env: Env): readonly Movement[] => {
  const merged: Movement[] = [];
  for (const row of env.rows<Movement>("SELECT * FROM ledger ORDER BY seq")) {
    const { accountId, type, groupSeq, created, newBalance, newPoint } = row;
    const last = merged.at(-1);
    const isSame =
      last?.accountId === accountId &&
      last.type === type &&
      last.groupSeq === groupSeq &&
      last.created === created;
    const before = isSame ? merged.pop() : undefined;
    const balanceAmount = row.balanceAmount + (before?.balanceAmount ?? 0);
    const pointAmount = row.pointAmount + (before?.pointAmount ?? 0);
    merged.push({
      ...{ accountId, type, groupSeq, created, newBalance, newPoint },
      ...{ balanceAmount, pointAmount },
    });
  }
  return merged;
};

const stateOf = (env: Env) => ({
  messages: env.rows(`SELECT m.*, b.groupSeq, b.accountId, b.created AS batchCreated
    FROM messages m JOIN batches b ON m.seq BETWEEN b.firstSeq AND b.lastSeq ORDER BY m.seq`),
  groups: env.rows("SELECT * FROM groups ORDER BY seq"),
  accounts: env.rows("SELECT accountId, balance, point FROM accounts ORDER BY accountId"),
  days: env.rows("SELECT * FROM days ORDER BY accountId, day"),
  ledger: ledgerOf(env),
  due: env.rows("SELECT * FROM due"),
  unreplaced: env.rows("SELECT * FROM unreplaced"),
});

/** A failed message fills its slice, and what would replace it cannot be paid: nothing is left to wait for. */
const unpaidReplacement: Course = {
  calls: [
    {
      group: 0,
      messages: [
        sms("01000003104", { replacements: [{ to: "01000000001", text: "b".repeat(91) }] }),
        sms("01000000001"),
        sms("01000000001"),
      ],
    },
  ],
  scheduled: [false],
  money: { balance: 0, point: 60 },
  quota: 100_000,
  tick: "1s",
  steps: [],
};

test("slices of any size lead to the same messages, groups, money and log as all at once", async () => {
  await fc.assert(
    fc.asyncProperty(course, fc.integer({ min: 1, max: 9 }), async (it, slice) => {
      const [sliced, whole] = [await openEnv({ slice }), await openEnv({ slice: 1_000_000 })];
      await perform(sliced, it);
      await perform(whole, it);
      expect(stateOf(sliced)).toEqual(stateOf(whole));
      checkBooks(sliced);
    }),
    { numRuns: countOf(40, 20), examples: [[unpaidReplacement, 1]] },
  );
}, 120_000);
