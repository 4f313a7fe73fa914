/** The ceilings of a person and of a profile: what is above one stops before anything is sent. Exit 7. */
import { MsgError } from "../../errors.ts";
import { formatWon } from "../../message/price.ts";

const nothing = (todo: string) => `nothing was sent; ${todo}`;

/** Throws MsgError (stopped); `how`: what it says in place of the usual advice, and where. */
export const assertRecipients = (
  count: number,
  max: number | undefined,
  how: { readonly where?: string; readonly todo?: string } = {},
): void => {
  if (max === undefined || count <= max) return;
  throw new MsgError("stopped", `${count} recipients are more than the ${max} allowed`, {
    code: "TooManyRecipients",
    where: how.where,
    todo: nothing(how.todo ?? "raise --max-recipients or send less"),
  });
};

/** The same of a price in won; one that is not known is above every ceiling. */
export const assertCost = (
  cost: number | undefined,
  ceiling: number | undefined,
  todo = "raise --max-cost or send less",
): void => {
  if (ceiling === undefined || (cost !== undefined && cost <= ceiling)) return;
  throw new MsgError(
    "stopped",
    cost === undefined
      ? "the price is not known, and there is a ceiling"
      : `this would cost ${formatWon(cost)}, above the ceiling of ${formatWon(ceiling)}`,
    { code: "CostAboveCeiling", todo: nothing(todo) },
  );
};
