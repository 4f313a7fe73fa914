import { MsgError } from "../../errors.ts";
import { tool } from "../command.ts";
import { renewToken } from "./renew.ts";
import { storedToken } from "./stored-token.ts";

export default tool({
  writes: true,
  columns: ["profile", "scope", "dateExpires"],
  fields: [],
  examples: ["msg auth refresh", "msg auth refresh -p work --json"],
  run: async (ctx) => {
    const profile = ctx.settings.profile.value;
    const stale = storedToken(ctx).accessToken;
    if (!ctx.consent.dryRun) {
      const baseUrl = ctx.settings.baseUrl.value ?? "";
      const client = await ctx.clientAt(baseUrl, undefined, ctx.settings.authUrl.value);
      const { config, now, hide } = ctx;
      if ((await renewToken({ config, profile, client, now, hide }, stale)) === undefined)
        throw new MsgError("unauthenticated", `profile '${profile}' holds no refresh token`, {
          todo: `log in again: msg auth login --web -p ${profile}`,
        });
    } else await ctx.note("rehearsed: nothing was changed");
    const { scope = null, dateExpires = null } = storedToken(ctx);
    return { record: { profile, scope, dateExpires } };
  },
});
