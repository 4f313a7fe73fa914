/** The ceilings of a person and of a profile: what is above one stops before anything is sent. Exit 7. */
import { MsgError } from "../../errors.ts";
import { formatWon } from "../../message/price.ts";

/** What the error says in place of the usual advice, and where. */
interface Advice {
  readonly where?: string;
  readonly todo?: string | undefined;
}

/** Throws MsgError (stopped). */
export const assertRecipients = (count: number, max: number | undefined, how?: Advice): void => {
  if (max === undefined || count <= max) return;
  const what = `${count} recipients are more than the ${max} allowed`;
  throw ceilingError("TooManyRecipients", what, {
    todo: "raise --max-recipients or send less",
    ...how,
  });
};

/** The same of a price in won; one that is not known is above every ceiling. */
export const assertCost = (
  cost: number | null | undefined,
  ceiling: number | null | undefined,
  { where, todo = "raise --max-cost or send less" }: Advice = {},
): void => {
  if (ceiling == null || (cost != null && cost <= ceiling)) return;
  const what =
    cost == null
      ? "the price of a message is not known, and there is a ceiling"
      : `this would cost ${formatWon(cost)}, above the ceiling of ${formatWon(ceiling)}`;
  throw ceilingError("CostAboveCeiling", what, { ...(where && { where }), todo });
};

const ceilingError = (code: string, what: string, { where, todo }: Advice): MsgError =>
  new MsgError("stopped", what, {
    code,
    where,
    todo: ({ nothing = "nothing was sent" }) => `${nothing}; ${todo}`,
  });
