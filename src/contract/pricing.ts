/** Prices of messages. */
import * as v from "valibot";
import { get } from "./endpoint.ts";
import { byOffset, choice, dated, flag, text } from "./fields.ts";
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
  ...dated,
});
export type Price = v.InferOutput<typeof price>;

export const getPrice = get({
  does: "Show the prices of one country",
  path: "/pricing/v1/messaging",
  needs: pricingRead,
  query: { countryId: text("country code; default: 82") },
  reply: price,
});

/** Anyone may read prices; with credentials they are those of the account. */
export const listPrices = get({
  does: "List the prices of all countries",
  path: "/pricing/v1/messaging/countries",
  needs: anyoneOrCaller,
  page: { by: "offset" },
  query: {
    countryId: text("only this country code"),
    serviceMethod: choice(["MT", "AUTH"], "kind of service; default: MT (messages)"),
    withoutProfit: flag("without the profit of the app"),
    ...byOffset,
  },
  reply: v.array(price),
});

export const getDefaultPrice = get({
  does: "Show the default prices of one country",
  path: "/pricing/v1/messaging/default",
  needs: anyone,
  query: {
    appId: text("app whose prices to show, 5 to 20 characters"),
    countryId: text("country code; default: 82"),
  },
  reply: price,
});
