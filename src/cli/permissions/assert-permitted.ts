/** A person who is known to lack the permission is told before the first question (facts/auth-cash 4.5). */
import { lackingScope, readToken, scopeTodo } from "../../client/token.ts";
import { loginCommand } from "../../config/resolve.ts";
import type { Caller, Endpoint } from "../../contract/endpoint.ts";
import { MsgError } from "../../errors.ts";
import type { Context } from "../context.ts";
import { needsWords } from "../help/describe-needs.ts";
import { factsInSandbox } from "./caller-facts.ts";
import { isGuarded } from "./guarded.ts";
import { lackOf } from "./permissions.ts";

/**
 * Throws what the service would answer, where that is known here: the scopes of a token, and all of a
 * caller of the sandbox in this process. Of other keys nothing is known: the service tells, after the
 * confirmation, since nothing that changes the account goes out before it.
 */
export const refuseUnable = async (ctx: Context, { endpoint, also }: Caller): Promise<void> => {
  const guarded = [endpoint, ...also].find(isGuarded);
  if (!guarded) return;
  refuseScope(ctx, guarded);
  await refuseCaller(ctx, guarded);
};

const refuseScope = ({ settings, now }: Context, endpoint: Endpoint): void => {
  const credentials = settings.credentials.value;
  if (credentials?.kind !== "token") return;
  const token = readToken(credentials.accessToken);
  if (!token || token.expires <= now()) return;
  const scope = lackingScope(endpoint, token.scopes);
  if (scope === undefined) return;
  throw new MsgError("forbidden", `the token of this profile lacks the scope ${scope}`, {
    code: "Unauthorized",
    where: `Unauthorized, profile '${settings.profile.value}'`,
    todo: scopeTodo(scope, token.scopes, loginCommand(settings)),
  });
};

const refuseCaller = async (ctx: Context, endpoint: Endpoint): Promise<void> => {
  const credentials = ctx.settings.credentials.value;
  if (!ctx.settings.sandbox || credentials?.kind !== "key") return;
  const facts = await factsInSandbox(await ctx.client(), credentials.apiKey);
  const lack = facts && lackOf([endpoint], facts);
  if (lack === undefined || lack === "?") return;
  throw new MsgError("forbidden", lack.why, {
    code: lack.code,
    where: `${lack.code}, profile '${ctx.settings.profile.value}', needs ${needsWords(endpoint)}`,
    todo: "msg auth can lists what this profile may do",
  });
};
