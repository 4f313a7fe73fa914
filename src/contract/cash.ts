/** Balance: wallet, alert, ledger, charge, transfer, documents. */

import * as v from "valibot";
import { byOffset, distinct, wholeWon } from "./bounded.ts";
import { endpointWith } from "./endpoint.ts";
import {
  bytes,
  choice,
  date,
  dated,
  flag,
  id,
  list,
  money,
  number,
  required,
  text,
  timestamp,
} from "./fields.ts";
import { cashRead, cashWrite } from "./needs.ts";

const read = endpointWith({ method: "GET", effect: "safe", needs: cashRead });
const guarded = endpointWith({ effect: "unsafe", needs: cashWrite, secondFactor: true });

const lowBalanceAlert = v.object({
  notificationBalance: v.string(),
  /** A newer fixture of the service holds a numeric string; the sandbox answers a number or null. */
  currentBalance: v.nullable(v.number()),
  balances: v.array(v.number()),
  channels: v.array(v.string()),
  enabled: v.boolean(),
});

export const getBalance = read({
  does: "Show balance and points",
  path: "/cash/v1/balance",
  // Without it no one knows whether the balance is low.
  proof: ["balance"],
  reply: v.object({
    lowBalanceAlert,
    point: v.number(),
    minimumCash: v.number(),
    rechargeTo: v.number(),
    rechargeTryCount: v.number(),
    autoRecharge: v.number(),
    accountId: v.string(),
    balance: v.number(),
  }),
});

export const getAlert = read({
  does: "Show the low-balance alert",
  path: "/cash/v1/balance/alert",
  reply: v.object({ lowBalanceAlert, _id: v.string(), ...dated }),
});

/** Where an alert goes: short message, Kakao message, e-mail. */
const alertChannels = ["SMS", "ATA", "EMAIL"] as const;

export const changeAlert = guarded({
  does: "Set the balances below which an alert is sent, and its channels",
  method: "PUT",
  path: "/cash/v1/balance/alert",
  checkWith: "msg balance alert",
  body: v.object({
    balances: v.pipe(
      list(wholeWon("balance", 200), "1 to 3 balances, each at least 200 won"),
      v.minLength(1),
      v.maxLength(3),
      distinct(),
    ),
    channels: v.pipe(
      list(choice(alertChannels, "channel"), "where the alert goes"),
      v.minLength(1),
    ),
  }),
  reply: v.object({ message: v.string() }),
  proof: ["message"],
});

export const switchAlert = guarded({
  does: "Turn the low-balance alert on or off",
  method: "PUT",
  path: "/cash/v1/balance/alert/switch",
  checkWith: "msg balance alert",
  body: v.object({ enabled: flag("on or off", { required: true }) }),
  reply: v.object({ accountId: v.string(), enabled: v.boolean() }),
  proof: ["enabled"],
});

/** The known reasons for movements of balance and points; no list of the service is published. */
export const historyTypes = ["RECHARGE", "DEDUCT", "REFUND", "MANUAL"] as const;
export type HistoryType = (typeof historyTypes)[number];

/** The wallet before and after a movement. */
const movement = v.object({
  balanceAmount: v.number(),
  pointAmount: v.number(),
  accountId: v.string(),
  oldBalance: v.number(),
  newBalance: v.number(),
  oldPoint: v.number(),
  newPoint: v.number(),
  type: v.string(),
  historyId: v.string(),
});

/** One movement of the wallet. */
const historyItem = v.object({
  ...movement.entries,
  groupId: v.nullable(v.string()),
  memo: v.nullable(v.string()),
  rechargeMethod: v.nullable(v.string()),
  serviceMethod: v.nullable(v.string()),
  chargedMethod: v.nullable(v.string()),
  paymentMethod: v.nullable(v.string()),
  dateCreated: timestamp(),
});

export const listHistory = read({
  does: "List the movements of balance and points, newest first",
  path: "/cash/v1/balance/history",
  page: { by: "offset" },
  query: {
    ...byOffset,
    startDate: date("from this time on", "from"),
    endDate: date("up to this time", "until"),
    type: text("RECHARGE, DEDUCT, REFUND (of failed messages), MANUAL or another of the service", {
      offers: historyTypes,
    }),
    groupId: id("only movements of this group"),
    rechargeMethod: text("CARD or ACCOUNT-TRANSFER"),
    serviceMethod: text("MT for messages"),
    balanceAmount: money("only movements of exactly this amount"),
    balanceRecharge: flag("movements that filled the balance"),
    balanceDeduct: flag("movements that lowered the balance"),
    pointRecharge: flag("movements that filled the points"),
    pointDeduct: flag("movements that lowered the points"),
  },
  reply: v.array(historyItem),
});

/** The smallest charge, in won. */
export const minCharge = 1_000;

export const chargeBalance = guarded({
  does: "Charge the balance from a registered card",
  method: "POST",
  path: "/cash/v1/balance",
  spends: "won",
  checkWith: "msg balance history --since <since>",
  body: v.object({
    amount: v.pipe(
      wholeWon("amount to charge, 1,000 to 10,000,000 won", minCharge),
      v.maxValue(10_000_000),
    ),
    paymentId: id("card to charge"),
  }),
  reply: movement,
  proof: ["historyId"],
});

export const transferBalance = guarded({
  does: "Transfer balance to another account",
  method: "POST",
  path: "/cash/v1/transfer",
  spends: "won",
  checkWith: "msg balance history --since <since>",
  body: v.object({
    targetAccountId: id("account that receives the money"),
    amount: wholeWon("amount to transfer", 1),
    accountId: v.optional(id("account that pays; default: your own")),
  }),
  /** `"Success"`: a text has no members that prove more. */
  reply: v.string(),
  proof: [],
});

const quoteItem = v.object({
  type: v.string(),
  unitPrice: v.number(),
  qty: v.number(),
  supplyCost: v.number(),
});

const quote = v.object({
  company: v.nullable(v.string()),
  items: v.array(quoteItem),
  supplyCostTotal: v.number(),
  taxTotal: v.number(),
  totalAmount: v.number(),
  dateIssued: timestamp(),
});

export const getQuote = read({
  does: "Issue a quote",
  path: "/cash/v1/estimate",
  query: {
    company: text("name printed on the quote"),
    type: list(text("message type"), "message types, each with its quantity"),
    qty: list(number("quantity"), "quantities, in the order of the types"),
    amount: money("total wanted, instead of types and quantities"),
  },
  /** The service may answer JSON or a document: a document is passed through as it is. */
  reply: v.union([quote, bytes("the quote as a document")]),
});

export const getStatement = read({
  does: "Issue a statement of one movement",
  path: "/cash/v1/receipt",
  query: { historyId: required(id("the movement")) },
  /** May be a document, as quotes are. */
  reply: v.union([
    v.object({
      historyId: v.string(),
      accountId: v.string(),
      type: v.string(),
      rechargeMethod: v.nullable(v.string()),
      balanceAmount: v.number(),
      pointAmount: v.number(),
      dateCreated: timestamp(),
      dateIssued: timestamp(),
    }),
    bytes("the statement as a document"),
  ]),
  proof: ["historyId"],
});
