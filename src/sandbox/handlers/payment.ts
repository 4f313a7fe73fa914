/** Cards and automatic recharge. */
import { defaultRows } from "../../contract/endpoint.ts";
import { brandOf, cardDigits, cardProblem } from "../../contract/payment.ts";
import { endOfMonth, fullYear } from "../../contract/time.ts";
import {
  type FormCheck,
  type Handler,
  notFound,
  Refusal,
  type Service,
  validationError,
} from "../service.ts";
import { idOf, seqOf } from "../store/ids.ts";
import type { CardRow } from "../store/payments.ts";
import { datesOf, ownAccount } from "./records.ts";

const maxCards = 10;

/** The caller's card. */
export const cardOf = (
  paymentId: string,
  { store, caller, idSeed }: Service,
): CardRow | undefined => store.cards.read(caller.accountId, seqOf("payment", paymentId, idSeed));

export const listPayments: Handler<"listPayments"> = ({ query = {} }, service) => {
  const { store, caller, idSeed } = service;
  const { accountId = caller.accountId, offset = 0, limit = defaultRows } = query;
  if (accountId !== caller.accountId)
    throw new Refusal(403, "Forbidden", "Only the cards of your own account are shown.");
  return {
    payments: store.cards.list(accountId, { offset, limit }).map((card) => ({
      autoRecharge: card.priority,
      expDate: card.expires,
      _id: idOf("payment", card, idSeed),
      description: card.description,
      ...datesOf(card),
    })),
  };
};

export const checkCard: FormCheck<"addPayment"> = ({ body }, { now }) => {
  const problem = cardProblem(cardDigits(body.cardNumber));
  if (problem !== undefined) throw validationError(`'cardNumber' ${problem}.`);
  if (!/^\d{3,4}$/.test(body.cvc)) throw validationError("'cvc' must be 3 or 4 digits.");
  expiryOf(body.expYear, Number(body.expMonth), now);
};

/** Keeps brand, last four digits and expiry; number and cvc are not stored. */
export const addPayment: Handler<"addPayment"> = ({ body }, service) => {
  const { store, caller, now, idSeed } = service;
  const digits = cardDigits(body.cardNumber);
  const expires = expiryOf(body.expYear, Number(body.expMonth), now);
  if (store.cards.list(caller.accountId).length >= maxCards)
    throw validationError(`An account may have ${maxCards} cards.`);
  const brand = brandOf(digits) ?? "";
  const lastDigits = digits.slice(-4);
  const defaultName = `[${brand}] ${lastDigits} ${expires.slice(5)}/${expires.slice(2, 4)}`;
  const card = store.cards.insert({
    accountId: caller.accountId,
    brand,
    lastDigits,
    expires,
    description: body.description?.trim() || defaultName,
    created: now,
  });
  service.assume("same-card");
  if (card === undefined)
    throw new Refusal(409, "CardAlreadyExists", "This card, or this description, is registered.");
  const paymentId = idOf("payment", card, idSeed);
  return { description: card.description, expDate: card.expires, paymentId };
};

/** `YYYY/MM`. Throws Refusal 400. */
const expiryOf = (year: number, month: number, now: number): string => {
  const expYear = fullYear(year);
  if (!(Number.isInteger(expYear) && year >= 0 && expYear >= 2000 && expYear <= 2099))
    throw validationError("'expYear' must be two or four digits.");
  if (!(Number.isInteger(month) && month >= 1 && month <= 12))
    throw validationError("'expMonth' must be 1 to 12.");
  if (now >= endOfMonth(expYear, month)) throw validationError("The card has expired.");
  return `${expYear}/${String(month).padStart(2, "0")}`;
};

/** Listed cards get priorities 1, 2, 3 …; all others lose theirs. On stays on and off stays off. */
export const orderPayments: Handler<"orderPayments"> = ({ body }, service) => {
  const { store, now } = service;
  const { paymentIds, minimumCash, rechargeTo } = body;
  if (rechargeTo <= minimumCash) throw validationError("'rechargeTo' must be above 'minimumCash'.");
  const ordered = paymentIds.map((id) => cardOf(id, service));
  const unknown = paymentIds.find((_, index) => ordered[index] === undefined);
  service.assume("payment-order");
  if (unknown !== undefined)
    throw new Refusal(400, "InvalidPaymentId", `There is no card '${unknown}'.`);
  const account = ownAccount(service);
  for (const { seq } of store.cards.list(account.accountId)) {
    const place = ordered.findIndex((it) => it?.seq === seq);
    store.cards.setPriority(seq, place + 1, now);
  }
  store.accounts.update(account.accountId, { minimumCash, rechargeTo });
  return { paymentIds, minimumCash, rechargeTo };
};

/** Closes the gap in the priorities; if none are left, automatic recharge ends. */
export const removePayment: Handler<"removePayment"> = ({ body: { paymentId } }, service) => {
  const { store, now } = service;
  const card = cardOf(paymentId, service);
  if (card === undefined) throw notFound(`There is no card '${paymentId}'.`);
  store.cards.remove(card.seq);
  const account = ownAccount(service);
  const remaining = store.cards.list(account.accountId).filter((it) => it.priority > 0);
  for (const [index, { seq }] of remaining.entries()) store.cards.setPriority(seq, index + 1, now);
  if (remaining.length === 0) store.accounts.update(account.accountId, { autoRecharge: 0 });
  service.assume("last-card");
  return { paymentId, message: "Successfully deleted." };
};

export const toggleRecharge: Handler<"toggleRecharge"> = (_input, service) => {
  const { store } = service;
  const account = ownAccount(service);
  const autoRecharge = 1 - account.autoRecharge;
  const hasCard = store.cards.list(account.accountId).some((it) => it.priority > 0);
  service.assume("recharge-toggle");
  if (autoRecharge === 1 && !hasCard)
    throw notFound("No card has a priority: set the order of the cards first.");
  store.accounts.update(account.accountId, { autoRecharge });
  return { autoRecharge: autoRecharge === 1 };
};
