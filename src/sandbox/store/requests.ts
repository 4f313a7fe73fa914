/** The log of requests. */
import type { Reply } from "../../contract/endpoint.ts";
import type { listRequests } from "../../contract/sandbox.ts";
import type { Database } from "./driver.ts";
import { insertRow, type NewestQuery } from "./rows.ts";

const kept = 10_000;

/** As `msg sandbox requests` shows it. */
export type LoggedRequest = Reply<typeof listRequests>["requests"][number];

export type RequestLogEntry = Omit<LoggedRequest, "requestId">;

interface RequestsQuery extends NewestQuery {
  /** Only requests that were refused or hit by a fault. */
  readonly isRefused?: boolean | undefined;
  /** Only requests that came in at this time, as logged. */
  readonly time?: string | undefined;
  readonly accountId?: string | undefined;
  /** Part of the path. */
  readonly path?: string | undefined;
}

/** The last request that is no longer kept. */
const oldest = `(SELECT max(seq) FROM requests) - ${kept}`;

const requestsSql = `SELECT CAST(seq AS TEXT) AS requestId, time, apiKey, accountId, method, path,
  status, verdict, why FROM requests`;

export const createRequests = (database: Database) => ({
  append: (entry: RequestLogEntry): void => {
    // SQLite cannot store half surrogate pairs.
    const path = entry.path.toWellFormed();
    const why = entry.why?.toWellFormed() ?? null;
    insertRow(database, "requests", { ...entry, path, why });
    database.run(`DELETE FROM requests WHERE seq <= ${oldest}`);
  },
  /** Those after a number, oldest first. */
  since: (after: number): LoggedRequest[] =>
    database.all(`${requestsSql} WHERE seq > ? ORDER BY seq LIMIT 500`, [after]),
  /** The number of the newest; 0 if there is none. */
  latest: (): number => database.number("SELECT coalesce(max(seq), 0) AS n FROM requests"),
  count: (): number => database.number("SELECT count(*) AS n FROM requests"),
  /** Newest first, from the request with the number `from` on. */
  list: (query: RequestsQuery): LoggedRequest[] => {
    const { from = Number.MAX_SAFE_INTEGER, limit, isRefused, time, accountId, path = "" } = query;
    return database.all(
      `${requestsSql} WHERE seq <= ? AND (verdict <> 'ok' OR NOT ?) AND time = coalesce(?, time)
         AND coalesce(accountId, '') = coalesce(?, accountId, '') AND instr(path, ?) > 0
       ORDER BY seq DESC LIMIT ?`,
      [from, Number(isRefused ?? false), time ?? null, accountId ?? null, path, limit],
    );
  },
});
