import { tool } from "../../cli/command.ts";
import { sandboxKey } from "../../config/sandbox-profiles.ts";
import { wholeNumber } from "../../contract/bounded.ts";
import { choice } from "../../contract/fields.ts";
import { loopbackHosts, loopbackUrl } from "../../contract/wire.ts";
import { usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { isJson } from "../../output/fields.ts";

/** The default port of `msg sandbox start`. */
export const defaultPort = 4610;

export default tool({
  profile: "sandbox",
  flags: {
    port: wholeNumber("port of msg sandbox start; default: 4610", { from: 1, until: 65_535 }),
    host: choice(loopbackHosts, "host of msg sandbox start; default: 127.0.0.1"),
  },
  examples: [
    'eval "$(msg sandbox env)"',
    "msg sandbox env --port 5000 > .env.sandbox",
    'eval "$(msg sandbox env -p sandbox:member)"',
  ],
  run: async (ctx, { flags }) => {
    const { baseUrl, authUrl } = ctx.settings;
    if ([baseUrl, authUrl].some((it) => it.origin === "flag"))
      throw usageError(t`msg sandbox env takes the address as --host and --port`);
    const url = loopbackUrl(flags.host ?? "127.0.0.1", flags.port ?? defaultPort);
    const { apiKey, apiSecret } = sandboxKey(ctx.settings.profile.value);
    const values = {
      MSG_BASE_URL: url,
      MSG_AUTH_URL: url,
      MSG_API_KEY: apiKey,
      MSG_API_SECRET: apiSecret,
    };
    const text = isJson(ctx.view)
      ? JSON.stringify(values)
      : Object.entries(values)
          .map((pair) => ["export", pair.join("=")].join(" "))
          .join("\n");
    await ctx.io.out.writeSecret(`${text}\n`);
    return { text: "" };
  },
});
