import { tool } from "../../cli/command.ts";
import { MsgError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { readStoredToken, renewProfileToken } from "../../session/access-token.ts";

export default tool({
  writes: "local",
  columns: ["profile", "scope", "dateExpires"],
  examples: ["msg auth refresh", "msg auth refresh -p work --json"],
  run: async (ctx) => {
    const profile = ctx.settings.profile.value;
    const stale = readStoredToken(ctx);
    if (ctx.consent.dryRun) await ctx.note(t`dry run: nothing was changed`);
    else if (isJustNow(stale.dateRenewed, ctx.clock.now()))
      await ctx.note(t`the token was renewed a moment ago; no request was made`);
    else if ((await renewProfileToken(ctx, stale)) === undefined)
      throw new MsgError("unauthenticated", t`profile '${profile}' has no refresh token`, {
        todo: t`log in again: msg auth login --web -p ${profile}`,
      });
    const { scope = null, dateExpires = null } = readStoredToken(ctx);
    return { record: { profile, scope, dateExpires } };
  },
});

/** One of several processes that start at once renews; the others may begin when it has ended. */
const togetherMs = 5_000;

const isJustNow = (date: string | undefined, now: Date): boolean => {
  const ageMs = now.getTime() - Date.parse(date ?? "");
  return ageMs >= 0 && ageMs < togetherMs;
};
