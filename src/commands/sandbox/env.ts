import * as v from "valibot";
import { sandboxKey } from "../../config/sandbox.ts";
import { text } from "../../contract/fields.ts";
import { tool } from "../command.ts";

/** Where `msg sandbox start` listens when nothing else is said. */
export const defaultPort = 4610;

/** A port of this machine; 0 has another free one taken each time. */
export const portFlag = (words: string, least: 0 | 1) =>
  v.pipe(
    v.number(),
    v.integer("must be a whole number"),
    v.minValue(least),
    v.maxValue(65_535),
    v.description(words),
  );

export default tool({
  profile: "sandbox",
  flags: {
    port: portFlag("port of msg sandbox start; 4610 when left out", 1),
    host: text("host of msg sandbox start; 127.0.0.1 when left out"),
  },
  examples: [
    'eval "$(msg sandbox env)"',
    "msg sandbox env --port 5000 > .env.sandbox",
    'eval "$(msg sandbox env -p sandbox:member)"',
  ],
  run: async (ctx, { flags }) => {
    const host = flags.host ?? "127.0.0.1";
    const url = `http://${host.includes(":") ? `[${host}]` : host}:${flags.port ?? defaultPort}`;
    const { apiKey, apiSecret } = sandboxKey(ctx.settings.profile.value);
    const lines = [
      `export MSG_BASE_URL=${url}`,
      `export MSG_AUTH_URL=${url}`,
      `export MSG_API_KEY=${apiKey}`,
      `export MSG_API_SECRET=${apiSecret}`,
    ];
    await ctx.out.writeSecret(`${lines.join("\n")}\n`);
    return { text: "" };
  },
});
