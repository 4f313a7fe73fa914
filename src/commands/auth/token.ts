import { tool } from "../../cli/command.ts";
import type { Context } from "../../cli/context.ts";
import { renewEarlyMs } from "../../client/layers/authorization.ts";
import { readToken } from "../../client/token.ts";
import type { AccessToken } from "../../contract/wire.ts";
import { usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { readStoredToken, renewProfileToken } from "../../session/access-token.ts";

export default tool({
  examples: [
    "msg auth token | pbcopy",
    'curl -H "Authorization: bearer $(msg auth token)" https://api.example.com/messages/v4/list',
  ],
  run: async (ctx) => {
    const token = readStoredToken(ctx);
    if (ctx.io.out.isTTY)
      throw usageError(t`a token is never printed to a terminal`, {
        code: "Terminal",
        todo: t`pipe it: msg auth token | …`,
      });
    await ctx.io.out.writeSecret(`${await fresh(ctx, token)}\n`);
    return { text: "" };
  },
});

/** Renews a token that expires within a minute: its user needs some time to use it. */
const fresh = async (ctx: Context, token: AccessToken): Promise<string> => {
  const { accessToken } = token;
  const ends = readToken(accessToken)?.expires.getTime();
  const isStored = ctx.settings.credentials.origin === "profile";
  const now = ctx.clock.now().getTime();
  if (!isStored || ends === undefined || ends - renewEarlyMs > now) return accessToken;
  return (await renewProfileToken(ctx, token)) ?? accessToken;
};
