import { command } from "../../cli/command.ts";
import { listPayments } from "../../contract/payment.ts";
import { dayMs, endOfMonth } from "../../contract/time.ts";
import { inEnglish, t } from "../../locale/locale.ts";
import type { Card } from "../../reconcile/evidence-table.ts";

/** A card is marked this long before it expires. */
const soonMs = 60 * dayMs;

const columnsAt = (now: Date, isTable: boolean) => [
  { name: "#", value: (row: Card) => (row.autoRecharge === 0 ? undefined : row.autoRecharge) },
  { name: "id", value: (row: Card) => row._id },
  "description" as const,
  { name: "expires", value: (row: Card) => expiryText(row.expDate, now, isTable) },
  { name: "auto", value: (row: Card) => row.autoRecharge > 0 },
];

/** `2029/05`, marked if expired or within 60 days: with the same word in every language, for programs. */
const expiryText = (expDate: string | null | undefined, now: Date, isTable: boolean): string => {
  if (!expDate) return "";
  const [year = 0, month = 0] = expDate.split("/").map(Number);
  const left = endOfMonth(year, month) - now.getTime();
  if (Number.isNaN(left) || left > soonMs) return expDate;
  const said = () => (left <= 0 ? t`${expDate} (expired)` : t`${expDate} (expires soon)`);
  return isTable ? said() : inEnglish(said);
};

export default command({
  endpoint: listPayments,
  columns: columnsAt(new Date(0), false),
  examples: [
    "msg payment list --sandbox",
    "msg payment list --json",
    "msg payment list --fields id,expires",
  ],
  run: async (ctx, _input, _given, defaultRun) => {
    const result = await defaultRun();
    if (ctx.view.fields !== undefined) return result;
    return { ...result, columns: columnsAt(ctx.clock.now(), ctx.view.format === "table") };
  },
});
