/** The log of the sandbox: recent requests, and with `-f` also new ones. */

import { command } from "../../cli/command.ts";
import type { Context } from "../../cli/context.ts";
import type { Client } from "../../client/client.ts";
import { defaultRows, type PageOf, type Row } from "../../contract/endpoint.ts";
import { flag } from "../../contract/fields.ts";
import { listRequests } from "../../contract/sandbox.ts";
import { exclusive, MsgError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { minor } from "../../output/columns.ts";

type Logged = Row<typeof listRequests>;

/** The pause between two polls. */
const pauseMs = 1000;
/** Rows that one poll requests at once. */
const pageRows = 100;

export default command({
  endpoint: listRequests,
  flags: { follow: flag("keep showing new requests, oldest first", { short: "f" }) },
  columns: ["time", minor("apiKey"), "method", "path", "status", "verdict", "why"],
  examples: [
    "msg sandbox requests",
    "msg sandbox requests -f",
    "msg sandbox requests --limit 100 --json",
    "msg sandbox requests -p sandbox --fields time,path,why",
  ],
  run: async (ctx, { query = {} }, { flags }, defaultRun) => {
    if (!flags.follow) return defaultRun();
    if (query.startKey !== undefined)
      throw exclusive("--start-key", "--follow", t`remove one of them`);
    return { pages: followed(ctx, query.limit ?? defaultRows) };
  },
});

/** The newest rows, then new ones, until the operator stops (exit 130). */
async function* followed(ctx: Context, limit: number): AsyncGenerator<PageOf<Logged>> {
  const client = await ctx.session.client();
  const { requests } = await client.call(listRequests, { query: { limit } });
  let seen = numberOf(requests[0]);
  yield { rows: requests.toReversed(), next: undefined };
  for (;;) {
    await ctx.clock.wait(pauseMs, ctx.signal).catch(() => undefined);
    if (ctx.signal.aborted) throw new MsgError("interrupted", t`stopped`, { outcome: "done" });
    const fresh = await since(client, seen);
    seen = fresh.seen;
    yield { rows: fresh.rows, next: undefined };
  }
}

/** The requests after a given one, oldest first. A reset numbers requests from 1 again. */
const since = async (
  client: Client,
  after: number,
): Promise<{ readonly rows: readonly Logged[]; readonly seen: number }> => {
  const rows: Logged[] = [];
  let last = after;
  for await (const page of client.pages(listRequests, { query: { limit: pageRows } })) {
    if (rows.length === 0 && numberOf(page.rows[0]) < after) last = 0;
    const fresh = page.rows.filter((it) => numberOf(it) > last);
    rows.push(...fresh);
    if (fresh.length < page.rows.length) break;
  }
  return { rows: rows.toReversed(), seen: Math.max(last, numberOf(rows[0])) };
};

const numberOf = (row: Logged | undefined): number => Number(row?.requestId ?? 0);
