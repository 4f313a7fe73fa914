import { sandboxCallerFacts } from "../../cli/assert-permitted.ts";
import { tool } from "../../cli/command.ts";
import type { Context } from "../../cli/context.ts";
import { missingScope, readToken } from "../../client/token.ts";
import { requireCredentials } from "../../config/resolve.ts";
import { hostOf } from "../../config/settings.ts";
import { getUserProfile } from "../../contract/apps.ts";
import type { Credentials } from "../../contract/wire.ts";
import { passable } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { hasOpenPayments } from "../../reconcile/earlier-payments.ts";
import { accountColumns, apiKeyTail } from "../../session/stored-credentials.ts";

export default tool({
  columns: accountColumns,
  fields: ["dateStored", "dateExpires", "scope", "accountId", "role"],
  examples: ["msg auth status", "msg auth status -p work --json"],
  run: async (ctx) => {
    const { settings, session } = ctx;
    const { config } = session;
    const credentials = requireCredentials(settings);
    const { from, origin } = settings.credentials;
    const baseUrl = settings.baseUrl.value;
    const inDoubt = await listUnknownPayments(ctx);
    const profile = settings.profile.value;
    const entry = origin === "profile" ? config.readCredentials().profiles[profile] : undefined;
    const owner = await ownerOf(ctx, credentials);
    const record = {
      profile,
      kind: credentials.kind,
      // The sandbox in this process has none.
      host: baseUrl === undefined ? null : hostOf(baseUrl),
      apiKeyTail: apiKeyTail(credentials) ?? null,
      stored: origin === "profile" ? config.credentialsFile() : null,
      from,
      dateStored: entry?.dateStored ?? null,
      ...tokenWords(credentials),
      ...owner,
      inDoubt,
    };
    const columns = [
      ...accountColumns.filter((it) => it !== "apiKeyTail" || credentials.kind === "key"),
      ...(entry ? ["dateStored"] : []),
      ...(credentials.kind === "token" ? ["dateExpires", "scope"] : []),
      ...(["accountId", "role"] as const).filter((name) => owner[name] !== null),
    ];
    return { record, columns };
  },
});

/** What a token says about itself; a token that says nothing is opaque. */
const tokenWords = (credentials: Credentials) => {
  const token = credentials.kind === "token" ? readToken(credentials.accessToken) : undefined;
  return {
    dateExpires: token?.expires.toISOString() ?? null,
    scope: token?.scopes.join(" ") ?? null,
  };
};

type Token = Extract<Credentials, { readonly kind: "token" }>;

/** Null if no read shows it, or it could not be read now. */
interface Owner {
  readonly accountId: string | null;
  readonly role: string | null;
}

/**
 * What one read shows: for a key only the sandbox shows it. An expired token is not renewed for this, and
 * a token whose scope excludes the user is not tried.
 */
const ownerOf = async (ctx: Context, credentials: Credentials): Promise<Owner> => {
  const isRead = credentials.kind === "key" ? ctx.settings.sandbox : maySayUser(ctx, credentials);
  if (!isRead) return unread;
  try {
    const client = await ctx.session.client();
    if (credentials.kind === "token")
      return { ...unread, accountId: (await client.call(getUserProfile, {})).accountId };
    const { accountId = null, role = null } =
      (await sandboxCallerFacts(client, credentials.apiKey)) ?? {};
    return { accountId, role };
  } catch (error) {
    await ctx.note(t`the user could not be read: ${passable(error).message}`);
    return unread;
  }
};

const unread: Owner = { accountId: null, role: null };

const maySayUser = ({ clock }: Context, { accessToken }: Token): boolean => {
  const token = readToken(accessToken);
  if (token === undefined || token.expires <= clock.now()) return false;
  return missingScope(getUserProfile, token.scopes) === undefined;
};

/** Payments found here are neither looked up at the service nor forgotten: `doctor` does that. */
const listUnknownPayments = async (ctx: Context) => {
  if (!hasOpenPayments(ctx)) return [];
  const { listOpenPayments } = await import("../../reconcile/payment-records.ts");
  const found = listOpenPayments(ctx).map(({ record: { command, amount, started } }) => ({
    command,
    amount,
    started,
  }));
  const names = found.map(({ command, amount }) => `msg ${command}${amount ? ` (${amount})` : ""}`);
  if (found.length > 0)
    await ctx.note(t`outcome unknown: ${names.join(", ")}; check with msg doctor`);
  return found;
};
