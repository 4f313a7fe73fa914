import * as v from "valibot";
import { command } from "../cli/command.ts";
import type { Input } from "../contract/endpoint.ts";
import { flag, text } from "../contract/fields.ts";
import { getDefaultPrice, getPrice, listPrices, type Price } from "../contract/pricing.ts";
import { usageError } from "../errors.ts";

/** Canada shares the code of the United States. */
const nameOf = ({ countryId, countryName }: Price): string =>
  countryId === "1" ? "US and Canada" : countryName;

/** A flag that would be passed over is a mistake. */
const assertFlagsUsed = (
  {
    default: isDefault,
    appId,
  }: { readonly default?: boolean | undefined; readonly appId?: string | undefined },
  { serviceMethod, withoutProfit }: NonNullable<Input<typeof listPrices>["query"]> = {},
  country: string | undefined,
): void => {
  if (appId !== undefined && !isDefault)
    throw usageError("--app-id goes with --default", { todo: "add --default, or leave it out" });
  const isOne = isDefault === true || country !== undefined;
  if (isOne && (serviceMethod !== undefined || withoutProfit !== undefined))
    throw usageError("--service-method and --without-profit go with the list of all countries", {
      todo: "leave them out, or the country",
    });
};

export default command({
  endpoint: listPrices,
  additionalEndpoints: [getPrice, getDefaultPrice],
  args: { country: v.optional(text("country code without a plus: 82, 1, 81")) },
  flags: {
    default: flag("the prices that hold without an agreement, for the country or for 82"),
    appId: text("with --default: the app whose prices are asked for"),
  },
  hiddenMembers: ["countryId"],
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
  run: async (ctx, { query }, { args, flags }, defaultRun) => {
    assertFlagsUsed(flags, query, args.country);
    const countryId = args.country?.replace(/^\+/, "");
    if (flags.default) {
      const asked = { query: { countryId, appId: flags.appId } };
      return { record: await (await ctx.session.client()).call(getDefaultPrice, asked) };
    }
    if (countryId === undefined) return defaultRun();
    return { record: await (await ctx.session.client()).call(getPrice, { query: { countryId } }) };
  },
});
