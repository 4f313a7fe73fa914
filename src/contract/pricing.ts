/** Prices of messages (specification 4.8, facts/messages 7). */
import * as v from "valibot";
import { endpoint } from "./endpoint.ts";
import { text, timestamp } from "./fields.ts";
import { pricingRead } from "./needs.ts";

/** Unit prices of one country, in won a message. Types without a published price are absent. */
export const price = v.object({
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
