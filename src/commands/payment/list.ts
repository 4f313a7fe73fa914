import { command } from "../../cli/command.ts";
import { listPayments } from "../../contract/payment.ts";
import { endOfMonth } from "../../contract/time.ts";
import type { Card } from "../../reconcile/payment-evidence.ts";

/** A card that is soon good for nothing is marked this long before. */
const soonMs = 60 * 86_400_000;

const columnsAt = (now: Date) => [
  { name: "#", value: (row: Card) => (row.autoRecharge === 0 ? undefined : row.autoRecharge) },
  { name: "id", value: (row: Card) => row._id },
  "description" as const,
  { name: "expires", value: (row: Card) => expiryText(row.expDate, now) },
  { name: "auto", value: (row: Card) => row.autoRecharge > 0 },
];

/** `2029/05`, with a word where it is over or within 60 days. */
const expiryText = (expDate: string | null | undefined, now: Date): string => {
  if (!expDate) return "";
  const [year = 0, month = 0] = expDate.split("/").map(Number);
  const left = endOfMonth(year, month) - now.getTime();
  if (Number.isNaN(left) || left > soonMs) return expDate;
  return left <= 0 ? `${expDate} (expired)` : `${expDate} (soon)`;
};

export default command({
  endpoint: listPayments,
  columns: columnsAt(new Date(0)),
  examples: [
    "msg payment list --sandbox",
    "msg payment list --json",
    "msg payment list --fields id,expires",
  ],
  run: async (ctx, _input, _given, defaultRun) => {
    const result = await defaultRun();
    if ("text" in result || ctx.view.fields !== undefined) return result;
    return { ...result, columns: columnsAt(ctx.clock.now()) };
  },
});
