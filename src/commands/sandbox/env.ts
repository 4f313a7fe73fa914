import { number, text } from "../../contract/fields.ts";
import { tool } from "../command.ts";

/** Where `msg sandbox start` listens when nothing else is said. */
export const defaultPort = 4610;

/** The owner's key of the first account (sandbox.md 3): known to everybody, worth nothing. */
const key = { apiKey: "SANDBOXKEY000001", secret: `SANDBOXSECRET${"0".repeat(19)}` };

export default tool({
  profile: "sandbox",
  flags: {
    port: number("port of msg sandbox start; 4610 when left out"),
    host: text("host of msg sandbox start; 127.0.0.1 when left out"),
  },
  examples: ['eval "$(msg sandbox env)"', "msg sandbox env --port 5000 > .env.sandbox"],
  run: async (ctx, { flags }) => {
    const host = flags.host ?? "127.0.0.1";
    const url = `http://${host.includes(":") ? `[${host}]` : host}:${flags.port ?? defaultPort}`;
    const lines = [
      `export MSG_BASE_URL=${url}`,
      `export MSG_AUTH_URL=${url}`,
      `export MSG_API_KEY=${key.apiKey}`,
      `export MSG_API_SECRET=${key.secret}`,
    ];
    await ctx.out.writeSecret(`${lines.join("\n")}\n`);
    return { text: "" };
  },
});
