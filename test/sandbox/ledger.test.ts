import fc from "fast-check";
import { expect, test } from "vitest";
import { openWorld, sms, type World } from "./world.ts";

interface Sums {
  readonly accountId: string;
  readonly balance: number;
  readonly point: number;
  readonly ledgerBalance: number;
  readonly ledgerPoint: number;
}

/** What must hold after anything whatsoever. */
const checkBooks = (world: World): void => {
  const sums = world.rows<Sums>(
    `SELECT a.accountId, a.balance, a.point, coalesce(sum(l.balanceAmount), 0) AS ledgerBalance,
       coalesce(sum(l.pointAmount), 0) AS ledgerPoint
     FROM accounts a LEFT JOIN ledger l USING (accountId) GROUP BY a.accountId`,
  );
  for (const { balance, point, ledgerBalance, ledgerPoint } of sums) {
    expect([balance, point]).toEqual([ledgerBalance, ledgerPoint]);
    expect(Math.min(balance, point)).toBeGreaterThanOrEqual(0);
  }
  const broken = world.rows(
    `SELECT l.seq FROM ledger l JOIN ledger p ON p.seq =
       (SELECT max(seq) FROM ledger WHERE accountId = l.accountId AND seq < l.seq)
     WHERE l.newBalance <> p.newBalance + l.balanceAmount OR l.newPoint <> p.newPoint + l.pointAmount`,
  );
  expect(broken).toEqual([]);
  const wrong = world.rows(
    `SELECT g.seq FROM groups g JOIN (
       SELECT groupSeq, count(*) AS total,
         sum(processed IS NOT NULL) AS sentTotal,
         sum(statusCode = '3000') AS pending,
         sum(statusCode = '4000') AS success,
         sum(processed IS NOT NULL AND statusCode NOT IN ('2000', '3000', '4000')) AS failed,
         sum(statusCode LIKE '1%') AS refused,
         sum(CASE WHEN processed IS NOT NULL AND statusCode NOT IN ('2000', '3000', '4000')
           THEN price ELSE 0 END) AS lost,
         sum(price) AS price
       FROM messages GROUP BY groupSeq) m ON m.groupSeq = g.seq
     WHERE g.registeredSuccess + g.registeredFailed <> m.total OR g.registeredFailed <> m.refused
       OR g.sentTotal <> m.sentTotal OR g.sentPending <> m.pending OR g.sentSuccess <> m.success
       OR g.sentFailed <> m.failed OR g.refunded <> m.failed OR g.price <> m.price
       OR g.balanceRefund + g.pointRefund <> m.lost
       OR (g.sent IS NOT NULL AND g.balanceRequested + g.pointRequested <> g.price)
       OR (g.sent IS NULL AND g.balanceRequested + g.pointRequested <> 0)
       OR (g.sentTotal <> g.sentSuccess + g.sentFailed + g.sentPending)
       OR ((g.status = 'COMPLETE') <> (g.sent IS NOT NULL AND g.registeredSuccess = m.success + m.failed))`,
  );
  expect(wrong).toEqual([]);
};

const recipient = fc.oneof(
  fc
    .constantFrom("3104", "3042", "2062", "2000", "3000", "1060", "4000")
    .map((it) => `0100000${it}`),
  fc.integer({ min: 0, max: 30 }).map((it) => `010200000${String(it).padStart(2, "0")}`),
);
const message = fc
  .record({
    to: recipient,
    subject: fc.constantFrom(undefined, "title"),
    country: fc.constantFrom("82", "1"),
  })
  .map(({ to, ...members }) => sms(to, members));
const step = fc.oneof(
  fc.record({
    messages: fc.array(message, { minLength: 1, maxLength: 8 }),
    inMs: fc.constantFrom(0, 0, 0, 1500, 60_000),
    allowDuplicates: fc.boolean(),
  }),
  fc.record({ pass: fc.constantFrom(1, 500, 1000, 5000, 90_000_000) }),
  fc.record({ set: fc.record({ balance: fc.nat(500), point: fc.nat(200), quota: fc.nat(40) }) }),
);

test("ledger and purses, counts and rows agree after whatever happens", async () => {
  const world = await openWorld();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      for (const it of steps) {
        if ("pass" in it) world.pass(it.pass);
        else if ("set" in it) await world.call("PUT", "/_sandbox/settings", it.set);
        else {
          const { messages, allowDuplicates, inMs } = it;
          const scheduledDate = new Date(world.clock.now.getTime() + inMs).toISOString();
          await world.call("POST", "/messages/v4/send-many/detail", {
            messages,
            allowDuplicates,
            scheduledDate,
          });
        }
        await world.call("GET", "/cash/v1/balance");
        checkBooks(world);
      }
    }),
    { numRuns: 60 },
  );
});
