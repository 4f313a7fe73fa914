import { tool } from "../../cli/command.ts";
import type { Context } from "../../cli/context.ts";
import { readToken } from "../../client/token.ts";
import { requireCredentials } from "../../config/resolve.ts";
import { hostOf } from "../../config/values.ts";
import type { Credentials } from "../../contract/credentials.ts";
import { sanitize } from "../../output/text/safe.ts";
import { hasOpenPayments } from "../../reconcile/report-payments.ts";
import { accountColumns, apiKeyTail, type StatusRecord } from "../../session/stored-credentials.ts";

export default tool({
  columns: accountColumns,
  fields: ["dateStored", "dateExpires", "scope"],
  examples: ["msg auth status", "msg auth status -p work --json"],
  run: async (ctx) => {
    const {
      settings,
      session: { config },
    } = ctx;
    const credentials = requireCredentials(settings);
    const { from, origin } = settings.credentials;
    const baseUrl = settings.baseUrl.value;
    const inDoubt = await doubtsOf(ctx);
    const profile = settings.profile.value;
    const entry = origin === "profile" ? config.readCredentials().profiles[profile] : undefined;
    const record: StatusRecord = {
      profile,
      kind: credentials.kind,
      host: baseUrl === undefined ? null : hostOf(baseUrl),
      apiKeyTail: apiKeyTail(credentials),
      stored: origin === "profile" ? config.credentialsFile() : null,
      from,
      dateStored: entry?.dateStored ?? null,
      ...tokenWords(credentials),
      inDoubt,
    };
    const columns = [
      ...accountColumns.filter((it) => it !== "apiKeyTail" || credentials.kind === "key"),
      ...(entry ? ["dateStored"] : []),
      ...(credentials.kind === "token" ? ["dateExpires", "scope"] : []),
    ];
    return { record, columns };
  },
});

/** What a token tells of itself; one that tells nothing is the service's secret. */
const tokenWords = (credentials: Credentials): Pick<StatusRecord, "dateExpires" | "scope"> => {
  const token = credentials.kind === "token" ? readToken(credentials.accessToken) : undefined;
  return {
    dateExpires: token?.expires.toISOString() ?? null,
    scope: token?.scopes.join(" ") ?? null,
  };
};

/** What is found here is neither looked for at the service nor forgotten: that is what `doctor` does. */
const doubtsOf = async (ctx: Context): Promise<StatusRecord["inDoubt"]> => {
  if (!hasOpenPayments(ctx)) return [];
  const { listOpenPayments: openPayments } = await import("../../reconcile/payment-records.ts");
  const found = openPayments(ctx).map(({ record: { command, amount, started } }) => ({
    ...{ command, amount, started },
  }));
  const names = found.map(({ command, amount }) => `${command}${amount ? ` (${amount})` : ""}`);
  if (found.length > 0)
    await ctx.io.err.write(
      `${sanitize(`in doubt: msg ${names.join(", msg ")}; msg doctor looks at what became of ${found.length === 1 ? "it" : "them"}`)}\n`,
    );
  return found;
};
