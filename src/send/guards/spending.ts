/** The one guard of every call that sends messages or moves money: exit 7, nothing was sent. */

import { MsgError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { formatFigure, formatMessageCount, formatWon } from "../../message/price.ts";
import type { Ports } from "../../ports.ts";

/** Ceilings of a command line; if left out, the profile's apply. */
export interface Limits {
  readonly maxCost?: number | undefined;
  readonly maxRecipients?: number | undefined;
}

export interface Spending {
  readonly unit: "messages" | "won";
  /** Messages that go out, or won that move: what `--confirm` repeats. */
  readonly amount: number;
  /** Won; undefined if it is not known. */
  readonly cost: number | undefined;
  /** Undefined if the command takes none. */
  readonly limits?: Limits | undefined;
  readonly where?: string | undefined;
  /** The command that sends the same with one more flag. */
  readonly again?: ((flag: string) => string) | undefined;
}

/** Throws MsgError (stopped) if a ceiling is exceeded, or the consent of the operator is missing. */
export const assertSpendingAllowed = (ctx: Ports, spending: Spending): void => {
  assertCeilings(ctx, spending);
  assertConsent(ctx, spending);
};

/** Throws MsgError (stopped) if more would go out, or be spent, than the command line or the profile allows. */
export const assertCeilings = ({ settings }: Ports, spending: Spending): void => {
  const { unit, amount, cost, limits } = spending;
  const maxRecipients = limits?.maxRecipients ?? settings.maxRecipients.value;
  if (unit === "messages" && maxRecipients !== undefined && amount > maxRecipients)
    throw stopError(
      spending,
      "TooManyRecipients",
      t`too many recipients: ${formatFigure(amount)}; allowed: ${formatFigure(maxRecipients)}`,
      t`send less, or raise the limit: ${raise(spending, "max-recipients", amount)}`,
    );
  const maxCost = limits?.maxCost ?? settings.maxCost.value;
  if (maxCost === undefined || (cost !== undefined && cost <= maxCost)) return;
  throw stopError(
    spending,
    "CostAboveCeiling",
    cost === undefined
      ? t`there is a cost ceiling, but the price of a message is not known`
      : t`this would cost ${formatWon(cost)}, above the ceiling of ${formatWon(maxCost)}`,
    cost === undefined
      ? t`omit --max-cost, or ask for permission to read prices`
      : t`send less, or raise the limit: ${raise(spending, "max-cost", Math.ceil(cost))}`,
  );
};

const raise = (spending: Spending, name: string, value: number): string =>
  spending.limits ? withFlag(spending, `--${name} ${value}`) : `msg profile set ${name} ${value}`;

const withFlag = ({ again = (flag) => t`add ${flag}` }: Spending, flag: string): string =>
  again(flag);

/**
 * Requires the consent of the operator: on a protected profile the exact figure, elsewhere if much is spent and
 * there is no one to ask. From here on the client of this command may send.
 */
export const assertConsent = (ctx: Ports, spending: Spending): void => {
  const { amount, unit, cost } = spending;
  const typed = ctx.consent.typed?.trim();
  const isConfirmed = typed === String(amount);
  if (ctx.settings.protected.value && !isConfirmed)
    throw stopError(
      spending,
      "Protected",
      t`profile '${ctx.settings.profile.value}' is protected`,
      unit === "won"
        ? t`to spend ${formatWon(amount)}: ${withFlag(spending, `--confirm ${amount}`)}`
        : t`to send ${formatMessageCount(amount)}: ${withFlag(spending, `--confirm ${amount}`)}`,
    );
  // An operator who typed a number means no other.
  if (unit === "messages" && typed !== undefined && !isConfirmed)
    throw stopError(
      spending,
      "Declined",
      t`confirmation did not match: '${typed}' instead of '${amount}'`,
      withFlag(spending, `--confirm ${amount}`),
    );
  if (!isConfirmed && !ctx.ask && !ctx.consent.yes && isLarge(ctx, spending))
    throw stopError(
      spending,
      "ConfirmationNeeded",
      t`${described(spending)}: needs your consent, and there is no terminal to ask`,
      spending.limits
        ? t`consent with -y, --max-cost ${cost === undefined ? "<won>" : Math.ceil(cost)} or --max-recipients ${amount}: ${withFlag(spending, "-y")}`
        : t`consent with -y: ${withFlag(spending, "-y")}`,
    );
  ctx.session.allowSpending();
};

/** Nothing is too large if there is a ceiling: that says how much was meant. */
const isLarge = ({ settings }: Ports, { unit, amount, cost = 0, limits }: Spending): boolean => {
  const ceilings = [limits?.maxCost, limits?.maxRecipients];
  const profile = [settings.maxCost.value, settings.maxRecipients.value];
  if ([...ceilings, ...profile].some((it) => it !== undefined)) return false;
  const rows = unit === "messages" ? amount : 0;
  return rows > settings.confirmRows.value || cost > settings.confirmCost.value;
};

const described = ({ unit, amount, cost }: Spending): string =>
  unit === "won" ? formatWon(amount) : describeSpending(amount, cost);

/** `3 messages for 60 won` */
export const describeSpending = (amount: number, cost: number | undefined): string =>
  cost === undefined
    ? t`${formatMessageCount(amount)}, price not known`
    : t`${formatMessageCount(amount)} for ${formatWon(cost)}`;

/** The error for a command that was stopped before anything was sent: exit 7, and what to do. */
export const stopError = (
  { where }: Pick<Spending, "where">,
  code: string,
  what: string,
  todo: string,
): MsgError =>
  new MsgError("stopped", what, {
    code,
    where,
    todo: ({ nothing = t`nothing was sent` }) => t`${nothing}; ${todo}`,
  });

/** The stop that a guard throws, for a plan that is only shown. */
export const findStop = async (
  guard: () => void | Promise<void>,
): Promise<MsgError | undefined> => {
  try {
    await guard();
    return undefined;
  } catch (error) {
    if (error instanceof MsgError && error.kind === "stopped") return error;
    throw error;
  }
};
