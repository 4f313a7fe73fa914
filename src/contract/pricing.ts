/** Prices of messages. */
import * as v from "valibot";
import { endpoint } from "./endpoint.ts";
import { byOffset, choice, flag, text, timestamp } from "./fields.ts";
import { anyone, anyoneOrCaller, pricingRead } from "./needs.ts";

/** Unit prices of one country, in won a message. Types without a published price are absent. */
const price = v.object({
  countryId: v.string(),
  countryName: v.string(),
  sms: v.number(),
  lms: v.number(),
  mms: v.number(),
  ata: v.number(),
  cta: v.number(),
  cti: v.number(),
  nsa: v.optional(v.number()),
  rcs_sms: v.optional(v.number()),
  rcs_lms: v.optional(v.number()),
  rcs_mms: v.optional(v.number()),
  rcs_tpl: v.optional(v.number()),
  dateCreated: timestamp(),
  dateUpdated: timestamp(),
});
export type Price = v.InferOutput<typeof price>;

export const getPrice = endpoint({
  does: "Show the prices of one country",
  method: "GET",
  path: "/pricing/v1/messaging",
  effect: "safe",
  needs: pricingRead,
  query: { countryId: text("country code, 82 when left out") },
  reply: price,
});

/** Anyone may read prices; with credentials they are those of the account. */
export const listPrices = endpoint({
  does: "List the prices of all countries",
  method: "GET",
  path: "/pricing/v1/messaging/countries",
  effect: "safe",
  needs: anyoneOrCaller,
  page: { by: "offset" },
  query: {
    countryId: text("only this country code"),
    serviceMethod: choice(["MT", "AUTH"], "kind of service; MT, messages, when left out"),
    withoutProfit: flag("without the profit of the app"),
    ...byOffset,
  },
  reply: v.array(price),
});

export const getDefaultPrice = endpoint({
  does: "Show the default prices of one country",
  method: "GET",
  path: "/pricing/v1/messaging/default",
  effect: "safe",
  needs: anyone,
  query: {
    appId: text("app whose prices are asked for, 5 to 20 characters"),
    countryId: text("country code, 82 when left out"),
  },
  reply: price,
});
