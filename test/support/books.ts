/** The books of a sandbox: what must hold after anything whatsoever. */
import { expect } from "vitest";

/** Rows straight from the tables of a sandbox. */
interface Tables {
  rows<R extends object>(sql: string): R[];
}

interface Sums {
  readonly accountId: string;
  readonly balance: number;
  readonly point: number;
  readonly ledgerBalance: number;
  readonly ledgerPoint: number;
}

/** What must hold after anything whatsoever. */
export const checkBooks = (world: Tables): void => {
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
  const strays = world.rows(
    `SELECT seq FROM messages m WHERE 1 <>
       (SELECT count(*) FROM batches WHERE m.seq BETWEEN firstSeq AND lastSeq)`,
  );
  expect(strays).toEqual([]);
  const wrong = world.rows(
    `SELECT g.seq FROM groups g JOIN (
       SELECT groupSeq, sum(replacement = 0) AS total,
         sum(processed IS NOT NULL) AS sentTotal,
         sum(statusCode = '3000') AS pending,
         sum(statusCode = '4000') AS success,
         sum(processed IS NOT NULL AND statusCode NOT IN ('2000', '3000', '4000')) AS failed,
         sum(statusCode LIKE '1%' AND replacement = 0) AS refused,
         sum(replacement = 1 AND statusCode NOT LIKE '1%') AS replaced,
         sum(CASE WHEN processed IS NOT NULL AND statusCode NOT IN ('2000', '3000', '4000')
           THEN price ELSE 0 END) AS lost,
         sum(CASE WHEN statusCode LIKE '1%' OR replacement = 1 THEN 0 ELSE price END) AS price,
         sum(CASE WHEN statusCode LIKE '1%' OR replacement = 0 THEN 0 ELSE price END) AS replacing
       FROM ${messagesOfGroups} GROUP BY groupSeq) m ON m.groupSeq = g.seq
     WHERE g.registeredSuccess + g.registeredFailed <> m.total OR g.registeredFailed <> m.refused
       OR g.sentTotal <> m.sentTotal OR g.sentPending <> m.pending OR g.sentSuccess <> m.success
       OR g.sentFailed <> m.failed OR g.refunded <> m.failed OR g.price <> m.price
       OR g.sentReplacement <> m.replaced
       OR g.balanceReplacement + g.pointReplacement <> m.replacing
       OR g.balanceRefund + g.pointRefund <> m.lost
       OR (g.sent IS NOT NULL AND g.balanceRequested + g.pointRequested <> g.price)
       OR (g.sent IS NULL AND g.balanceRequested + g.pointRequested <> 0)
       OR (g.sentTotal <> g.sentSuccess + g.sentFailed + g.sentPending)
       OR ((g.status = 'COMPLETE') <>
         (g.sent IS NOT NULL AND g.registeredSuccess + g.sentReplacement = m.success + m.failed))`,
  );
  expect(wrong).toEqual([]);
  checkCharges(world);
};

const messagesOfGroups = "batches JOIN messages ON seq BETWEEN firstSeq AND lastSeq";

interface Charged {
  readonly charge: string;
  readonly groupSeq: number;
  readonly type: string;
  readonly country: string;
  readonly count: number;
}

/** `countForCharge` is what the rows say, type by type and country by country. */
const checkCharges = (world: Tables): void => {
  const groups = world.rows<Pick<Charged, "charge" | "groupSeq">>(
    "SELECT seq AS groupSeq, charge FROM groups",
  );
  const counts = world.rows<Omit<Charged, "charge">>(
    `SELECT groupSeq, lower(type) AS type, country, count(*) AS count
     FROM ${messagesOfGroups} WHERE statusCode NOT LIKE '1%' GROUP BY 1, 2, 3`,
  );
  for (const { groupSeq, charge } of groups) {
    const told: Readonly<Record<string, Readonly<Record<string, number>>>> = JSON.parse(charge);
    const flat = Object.entries(told).flatMap(([type, countries]) =>
      Object.entries(countries).map(([country, count]) => ({ groupSeq, type, country, count })),
    );
    const rows = counts.filter((it) => it.groupSeq === groupSeq);
    expect(flat.sort(byPlace)).toEqual(rows.sort(byPlace));
  }
};

const byPlace = (left: Omit<Charged, "charge">, right: Omit<Charged, "charge">): number =>
  `${left.type}/${left.country}`.localeCompare(`${right.type}/${right.country}`);
