/** The log of requests. */
import type { Database } from "./driver.ts";
import { elementsOf, limitClause } from "./sql-fragments.ts";

/** Rows that are kept. */
const kept = 10_000;

export interface RequestLogEntry {
  readonly time: string;
  readonly apiKey: string | null;
  readonly accountId: string | null;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** `ok`, or the errorCode of the refusal. */
  readonly verdict: string;
  readonly why: string | null;
}

export interface Requests {
  /** Adds them in their order, in one statement. */
  append(entries: readonly RequestLogEntry[]): void;
  /** Those after a number, oldest first. */
  since(after: number): LoggedRequest[];
  /** The number of the newest; 0 without any. */
  latest(): number;
  /** How many are kept. */
  count(): number;
  /** Newest first, from the request named `from` on. */
  list(page: RequestsPage): LoggedRequest[];
}

export interface RequestsPage {
  readonly from?: string | undefined;
  readonly limit: number;
  /** Only what was refused or struck by a fault. */
  readonly isRefused?: boolean | undefined;
  /** Only what came in at this time, as it is logged. */
  readonly time?: string | undefined;
  readonly accountId?: string | undefined;
  /** Part of the path. */
  readonly path?: string | undefined;
}

export type LoggedRequest = RequestLogEntry & { readonly requestId: string };

/** How many are logged before those beyond `kept`, which no list shows, are also deleted. */
const sweepEvery = 100;

const insertSql = `INSERT INTO requests (time, apiKey, accountId, method, path, status, verdict, why)
  SELECT value->>0, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6, value->>7
  FROM ${elementsOf("?")} ORDER BY key`;

/** Half surrogate pairs have no place in JSON. */
const valuesOf = ({ time, apiKey, accountId, path, why, ...it }: RequestLogEntry) => [
  ...[time, apiKey, accountId, it.method, path.toWellFormed(), it.status, it.verdict],
  why?.toWellFormed() ?? null,
];

export const createRequests = (database: Database): Requests => {
  // Most commands are a process of their own, and log few: the first rows of each sweep as well.
  let appended = sweepEvery;
  return {
    append: (entries) => {
      if (entries.length === 0) return;
      database.run(insertSql, JSON.stringify(entries.map(valuesOf)));
      appended += entries.length;
      if (appended < sweepEvery) return;
      appended = 0;
      database.run(`DELETE FROM requests WHERE seq <= ${oldest}`);
    },
    since: (after) =>
      database
        .all<RequestLogEntry & { seq: number }>(
          "SELECT * FROM requests WHERE seq > ? ORDER BY seq LIMIT 500",
          after,
        )
        .map(({ seq, ...entry }) => ({ requestId: String(seq), ...entry })),
    latest: () =>
      database.get<{ seq: number }>("SELECT coalesce(max(seq), 0) AS seq FROM requests")?.seq ?? 0,
    count: () =>
      database.get<{ count: number }>(
        `SELECT count(*) AS count FROM requests WHERE seq > ${oldest}`,
      )?.count ?? 0,
    list: (page) => list(database, page),
  };
};

/** The last request that is no longer kept. */
const oldest = `(SELECT max(seq) FROM requests) - ${kept}`;

const list = (
  database: Database,
  { from, limit, isRefused = false, time, accountId, path = "" }: RequestsPage,
): LoggedRequest[] => {
  const first = from === undefined ? Number.MAX_SAFE_INTEGER : Number(from);
  const rows = database.all<RequestLogEntry & { seq: number }>(
    `SELECT * FROM requests WHERE seq <= ? AND seq > ${oldest}
       AND (verdict <> 'ok' OR NOT ?) AND time = coalesce(?, time)
       AND coalesce(accountId, '') = coalesce(?, accountId, '') AND instr(path, ?) > 0
     ORDER BY seq DESC ${limitClause}`,
    Number.isInteger(first) ? first : 0,
    Number(isRefused),
    time ?? null,
    accountId ?? null,
    path,
    limit,
  );
  return rows.map(({ seq, ...entry }) => ({ requestId: String(seq), ...entry }));
};
