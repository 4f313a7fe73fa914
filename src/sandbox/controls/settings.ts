/** Resets the sandbox, changes its settings, moves its two times, and blocks recipients. */
import { clockYears, isClockYear } from "../../contract/bounded.ts";
import { declared, type Input } from "../../contract/endpoint.ts";
import { type Controls, controls } from "../../contract/sandbox.ts";
import { parseDuration } from "../../contract/time.ts";
import { readInstant } from "../checks/dates.ts";
import { timeOf } from "../clock.ts";
import { accountA } from "../fixtures/accounts.ts";
import { reset } from "../fixtures/index.ts";
import { withoutHyphens } from "../rules/recipients.ts";
import { adjustWallet } from "../rules/wallet.ts";
import { validationError } from "../service.ts";
import { type AdminContext, type ControlHandler, readChecked } from "./admin-context.ts";

/** Business time of a seeded sandbox. */
const seededStart = Date.UTC(2026, 0, 5, 9);

export const showStatus: ControlHandler<"showStatus"> = (_input, context) => ({
  ...statusOf(context),
  load: context.load(),
});

export const showClock: ControlHandler<"showClock"> = (_input, context) =>
  declared(controls.showClock.reply, statusOf(context));

const statusOf = ({ clock, store, file }: AdminContext) => {
  const { business, signing } = clock.read();
  return declared(controls.changeSettings.reply, {
    ...store.settings.all(),
    business: timeOf(business),
    signing: timeOf(signing),
    store: file,
  });
};

export const resetSandbox: ControlHandler<"resetSandbox"> = ({ body: { seed } }, context) => {
  const { store, clock } = context;
  store.settings.clear();
  if (seed !== undefined) clock.set(seededStart);
  // Not read from the clock, which has moved on since: the same seed makes the same ids.
  const now = seed === undefined ? clock.read().business : seededStart;
  reset(store, now, seed);
  return statusOf(context);
};

/** Changes what the body names. Money moves through the ledger, as everywhere. */
export const changeSettings: ControlHandler<"changeSettings"> = ({ body }, context) => {
  const { settings } = context.store;
  changeAccount(body, context);
  if (body.tick !== undefined) {
    // A step begun in slices would otherwise continue with another tick than it began with.
    context.finishDueJobs(context.now);
    settings.set("tickMs", readChecked(parseDuration, body.tick));
  }
  if (body.rateLimit !== undefined) settings.set("rateLimit", body.rateLimit || null);
  if (body.secondFactor !== undefined) settings.set("secondFactor", body.secondFactor);
  if (body.lenientDates !== undefined) settings.set("lenientDates", body.lenientDates);
  if (body.groupFields !== undefined) settings.set("groupFields", body.groupFields);
  return statusOf(context);
};

const changeAccount = (
  body: Input<Controls["changeSettings"]>["body"],
  { store, now }: AdminContext,
): void => {
  const { accountId = accountA, balance, point, quota, sender } = body;
  const account = store.accounts.read(accountId);
  if (account === undefined) throw validationError(`There is no account '${accountId}'.`);
  const moved = {
    balance: (balance ?? account.balance) - account.balance,
    point: (point ?? account.point) - account.point,
  };
  if (moved.balance !== 0 || moved.point !== 0)
    adjustWallet(store, accountId, { type: "MANUAL", ...moved, at: now });
  if (quota !== undefined) store.quotas.set(accountId, quota, now);
  if (sender !== undefined) store.senders.add({ accountId, phoneNumber: withoutHyphens(sender) });
};

/** Sets, then advances, then skews, as far as the body names them. */
export const moveClock: ControlHandler<"moveClock"> = ({ body }, context) => {
  const { clock } = context;
  if (body.set !== undefined) clock.set(readChecked(readInstant, body.set).getTime());
  if (body.advance !== undefined) clock.advance(readChecked(parseDuration, body.advance));
  if (body.skew !== undefined) clock.skew(readChecked(parseDuration, body.skew));
  const times = Object.values(clock.read());
  if (times.every((ms) => isClockYear(new Date(ms).getUTCFullYear())))
    return showClock({}, context);
  throw validationError(
    `The clock must stay between the years ${clockYears.first} and ${clockYears.last}.`,
  );
};

const readNumber = (typed: string): string => {
  const digits = withoutHyphens(typed);
  if (/^\d{5,15}$/.test(digits)) return digits;
  throw validationError(`'${typed}' is not a phone number.`);
};

/** Repeating it does nothing. */
export const addBlock: ControlHandler<"addBlock"> = ({ body }, { store, now: created }) => {
  const { to, from, optOut = false, memo = "" } = body;
  if (optOut && from === undefined)
    throw validationError("'from' is needed: a recipient opts out of one sender.");
  const [recipient, sender] = [readNumber(to), from === undefined ? "" : readNumber(from)];
  const block = { accountId: accountA, recipient, sender, optedOut: Number(optOut), memo, created };
  store.blocks.add(block);
  return { to: recipient, from: sender || null, statusCode: optOut ? "1061" : "1060", memo };
};

export const removeBlock: ControlHandler<"removeBlock"> = ({ body }, { store }) => {
  const to = readNumber(body.to);
  return { to, removed: store.blocks.remove(accountA, to) };
};
