/** Balance and payment (specification 4.3, facts/auth-cash 8). */
import * as v from "valibot";
import { endpoint } from "./endpoint.ts";
import { cashRead } from "./needs.ts";

export const lowBalanceAlert = v.object({
  notificationBalance: v.string(),
  /** A newer fixture of the service holds a numeric string; ours answers a number or null. */
  currentBalance: v.nullable(v.number()),
  balances: v.array(v.number()),
  channels: v.array(v.string()),
  enabled: v.boolean(),
});

export const getBalance = endpoint({
  does: "Show balance and points",
  method: "GET",
  path: "/cash/v1/balance",
  effect: "safe",
  needs: cashRead,
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
