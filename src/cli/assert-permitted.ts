/** Reports a permission that the caller is known to lack, before the first question. */

import type { Client } from "../client/client.ts";
import { missingScope, readToken, scopeHint } from "../client/token.ts";
import { loginCommand } from "../config/resolve.ts";
import type { Endpoint } from "../contract/endpoint.ts";
import { type CallerFacts, findMissingPermission } from "../contract/needs.ts";
import { listAccounts } from "../contract/sandbox.ts";
import { MsgError } from "../errors.ts";
import { t } from "../locale/locale.ts";
import type { Context } from "./context.ts";
import { describeNeeds } from "./permissions.ts";

/**
 * Throws what the service would answer, if that is known here: the scopes of a token, and everything
 * about a caller of the sandbox in this process. Nothing is known about other keys: the service answers
 * after the confirmation, since nothing that changes the account leaves before it.
 */
export const assertPermitted = async (ctx: Context, endpoint: Endpoint): Promise<void> => {
  assertScope(ctx, endpoint);
  await assertCaller(ctx, endpoint);
};

const assertScope = ({ settings, clock: { now } }: Context, endpoint: Endpoint): void => {
  const credentials = settings.credentials.value;
  if (credentials?.kind !== "token") return;
  const token = readToken(credentials.accessToken);
  if (!token || token.expires <= now()) return;
  const scope = missingScope(endpoint, token.scopes);
  if (scope === undefined) return;
  throw new MsgError("forbidden", t`the token of this profile lacks the scope ${scope}`, {
    code: "Unauthorized",
    where: t`Unauthorized, profile '${settings.profile.value}'`,
    todo: scopeHint(scope, token.scopes, loginCommand(settings)),
  });
};

const assertCaller = async (ctx: Context, endpoint: Endpoint): Promise<void> => {
  const credentials = ctx.settings.credentials.value;
  if (!ctx.settings.sandbox || credentials?.kind !== "key") return;
  const facts = await sandboxCallerFacts(await ctx.session.client(), credentials.apiKey);
  const lack = facts && findMissingPermission(endpoint, facts);
  if (lack === undefined || lack === "?") return;
  throw new MsgError("forbidden", lack.why, {
    code: lack.code,
    where: t`${lack.code}, profile '${ctx.settings.profile.value}', needs ${describeNeeds(endpoint)}`,
    todo: t`msg auth can lists what this profile may do`,
  });
};

/** Account, role and statuses behind a key; undefined if the key is disabled. */
export const sandboxCallerFacts = async (
  client: Client,
  apiKey: string,
): Promise<(CallerFacts & { readonly accountId: string }) | undefined> => {
  const { keys, accounts } = await client.call(listAccounts, {});
  const key = keys.find((it) => it.key === apiKey);
  const account = accounts.find((it) => it.accountId === key?.accountId);
  if (key?.status !== "ACTIVE") return undefined;
  const role = (["OWNER", "DEVELOPER", "MEMBER"] as const).find((it) => it === key.role);
  return {
    accountId: key.accountId,
    scopes: "key",
    role,
    account: account?.status,
    member: key.memberStatus,
    authenticated: account !== undefined && account.authenticated !== null,
  };
};
