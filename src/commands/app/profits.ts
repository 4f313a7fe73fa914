import { command } from "../../cli/command.ts";
import type { Context } from "../../cli/context.ts";
import { listProfits } from "../../contract/apps.ts";
import type { PageOf } from "../../contract/endpoint.ts";
import { t } from "../../locale/locale.ts";
import { formatWon } from "../../message/price.ts";
import { isJson } from "../../output/fields.ts";

export default command({
  endpoint: listProfits,
  columns: ["appId", "appName", "dateCreated", "dateUpdated"],
  examples: [
    "msg app profits --since 30d --until today --sandbox",
    "msg app profits --since 2026-01-01 --until 2026-01-31 --app-id <appId>",
    "msg app profits --since 2026-01-01 --until 2026-12-31 --all --json",
  ],
  // JSON is the whole answer, its pages merged; `--fields` names members of the rows.
  run: async (ctx, { query }, _given, defaultRun) => {
    const client = await ctx.session.client();
    const { expectedProfit } = await client.call(listProfits, { query: { ...query, limit: 1 } });
    const list = await defaultRun();
    if (isJson(ctx.view) && ctx.view.fields === undefined)
      return { record: { expectedProfit, completed: await merged(ctx, list.pages) } };
    // A member that the service leaves out is not shown as zero.
    const amount: unknown = expectedProfit;
    if (typeof amount === "number")
      await ctx.note(t`expected profit, not paid yet: ${formatWon(amount)}`);
    return list;
  },
});

const merged = async (ctx: Context, pages: AsyncIterable<PageOf<unknown>>): Promise<unknown[]> => {
  const rows: unknown[] = [];
  let next: string | undefined;
  for await (const page of pages) {
    rows.push(...page.rows);
    next = page.next;
  }
  if (next !== undefined) await ctx.note(t`more results: --offset ${next} or --all`);
  return rows;
};
