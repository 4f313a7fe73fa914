import * as v from "valibot";
import { flag, text } from "../contract/fields.ts";
import { getDefaultPrice, getPrice, listPrices, type Price } from "../contract/pricing.ts";
import { command } from "./command.ts";

/** Canada shares the code of the United States. */
const nameOf = ({ countryId, countryName }: Price): string =>
  countryId === "1" ? "US and Canada" : countryName;

export default command({
  endpoint: listPrices,
  also: [getPrice, getDefaultPrice],
  args: { country: v.optional(text("country code without a plus: 82, 1, 81")) },
  flags: {
    default: flag("the prices that hold without an agreement, for the country or for 82"),
    appId: text("with --default: the app whose prices are asked for"),
  },
  hide: ["countryId"],
  columns: [
    { name: "country", value: (row) => row.countryId },
    { name: "name", value: nameOf },
    "sms",
    "lms",
    "mms",
    "ata",
    "cta",
    "cti",
  ],
  examples: [
    "msg price --sandbox",
    "msg price 82",
    "msg price 1 --json --fields sms,lms",
    "msg price --default",
  ],
  run: async (ctx, _input, { args, flags }, usual) => {
    const countryId = args.country?.replace(/^\+/, "");
    if (flags.default) {
      const query = { countryId, appId: flags.appId };
      return { record: await (await ctx.client()).call(getDefaultPrice, { query }) };
    }
    if (countryId === undefined) return usual();
    return { record: await (await ctx.client()).call(getPrice, { query: { countryId } }) };
  },
});
