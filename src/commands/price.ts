import * as v from "valibot";
import { command } from "../cli/command.ts";
import { getDefaultPrice, getPrice, listPrices, type Price } from "../contract/account.ts";
import type { QueryOf, Values } from "../contract/endpoint.ts";
import { flag, text } from "../contract/fields.ts";
import { usageError } from "../errors.ts";
import { t } from "../locale/locale.ts";

/** Canada shares the code of the United States. */
const nameOf = ({ countryId, countryName }: Price): string =>
  countryId === "1" ? t`US and Canada` : countryName;

const priceFlags = {
  default: flag("standard prices without an agreement, for the country; default: 82"),
  appId: text(
    "with --default: show the prices of this app; its id: msg app profits, or the service's console",
  ),
};

/** Rejects a flag that would be ignored. */
const assertFlagsUsed = (
  { default: isDefault, appId }: Values<typeof priceFlags>,
  { serviceMethod, withoutProfit }: QueryOf<typeof listPrices> = {},
  country: string | undefined,
): void => {
  if (appId !== undefined && !isDefault)
    throw usageError(t`--app-id needs --default`, { todo: t`add --default, or remove --app-id` });
  const isOne = isDefault === true || country !== undefined;
  if (isOne && (serviceMethod !== undefined || withoutProfit !== undefined))
    throw usageError(
      t`--service-method and --without-profit apply only to the list of all countries`,
      { todo: t`remove them, or list all countries` },
    );
};

export default command({
  endpoint: listPrices,
  additionalEndpoints: [getPrice, getDefaultPrice],
  args: { country: v.optional(text("country code without a plus, such as 82, 1 or 81")) },
  flags: priceFlags,
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
