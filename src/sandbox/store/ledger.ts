/** Reads of the ledger, which accounts.ts writes; no row ever changes. */
import type { Movement } from "./accounts.ts";
import type { Database, Value } from "./driver.ts";

export interface LedgerRow {
  readonly seq: number;
  readonly accountId: string;
  readonly type: Movement["type"];
  readonly balanceAmount: number;
  readonly newBalance: number;
  readonly pointAmount: number;
  readonly newPoint: number;
  readonly serviceMethod: string | null;
  readonly rechargeMethod: string | null;
  readonly groupSeq: number | null;
  readonly memo: string | null;
  readonly created: number;
  /** When its group was created: the group's id follows from that. */
  readonly groupCreated: number | null;
}

/** What a movement did: raised or lowered balance or points. */
export const directions = {
  balanceRecharge: "l.balanceAmount > 0",
  balanceDeduct: "l.balanceAmount < 0",
  pointRecharge: "l.pointAmount > 0",
  pointDeduct: "l.pointAmount < 0",
} as const;
export type Direction = keyof typeof directions;

type EqualColumn = "type" | "groupSeq" | "rechargeMethod" | "serviceMethod" | "balanceAmount";

interface LedgerQuery {
  readonly accountId: string;
  /** Milliseconds, inclusive. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** Columns that must hold exactly this; undefined is no condition. */
  readonly equal: { readonly [C in EqualColumn]?: string | number | undefined };
  /** Any of them; none is no condition. */
  readonly anyOf: readonly Direction[];
  readonly offset: number;
  readonly limit: number;
}

const select =
  "SELECT l.*, g.created AS groupCreated FROM ledger l LEFT JOIN groups g ON g.seq = l.groupSeq";

export const createLedger = (database: Database) => ({
  /** Newest first. */
  list: ({ accountId, since, until, equal, anyOf, offset, limit }: LedgerQuery): LedgerRow[] => {
    const terms = ["l.accountId = ?", "l.created BETWEEN ? AND ?"];
    const values: Value[] = [
      accountId,
      since ?? Number.MIN_SAFE_INTEGER,
      until ?? Number.MAX_SAFE_INTEGER,
    ];
    for (const [column, value] of Object.entries(equal)) {
      if (value === undefined) continue;
      terms.push(`l.${column} = ?`);
      values.push(value);
    }
    if (anyOf.length > 0) terms.push(`(${anyOf.map((name) => directions[name]).join(" OR ")})`);
    return database.all(
      `${select} WHERE ${terms.join(" AND ")} ORDER BY l.created DESC, l.seq DESC LIMIT ? OFFSET ?`,
      ...values,
      limit,
      offset,
    );
  },
  read: (accountId: string, seq: number): LedgerRow | undefined =>
    database.get(`${select} WHERE l.accountId = ? AND l.seq = ?`, accountId, seq),
  /** The movement that was written last. Throws where an account has none. */
  newest: (accountId: string): LedgerRow => {
    const sql = `${select} WHERE l.accountId = ? ORDER BY l.seq DESC LIMIT 1`;
    const row = database.get<LedgerRow>(sql, accountId);
    if (row === undefined) throw new Error(`The account ${accountId} has no ledger.`);
    return row;
  },
});
