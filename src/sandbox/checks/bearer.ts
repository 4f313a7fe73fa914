/** Who calls with an access token: its signature was checked at the edge. */
import * as v from "valibot";
import { assumed } from "../assumptions/assumption.ts";
import type { VerifiedCaller } from "../service.ts";
import { Refusal } from "../service.ts";
import type { Store } from "../store/store.ts";

const Claims = v.object({ exp: v.number(), jti: v.string() });

/** Throws Refusal 401 for a token that is not ours, is expired, or was revoked. */
export const authenticateToken = (
  claims: unknown,
  address: string,
  store: Store,
  now: Date,
): VerifiedCaller => {
  const read = v.safeParse(Claims, claims);
  if (!read.success) throw refused("The access token is not one of this service.");
  const { exp, jti } = read.output;
  if (exp * 1_000 <= now.getTime()) throw refused("The access token is expired.");
  const granted = store.oauth.grant(jti.split(".")[0] ?? "");
  const member = granted && store.callers.member(granted.memberId);
  if (!member || granted.revoked === 1) throw refused("The access token is revoked.");
  const { accountId, accountStatus, authenticated, memberId, status, role } = member;
  return {
    ...{ accountId, accountStatus, authenticated, memberId, role, address },
    memberStatus: status,
    apiKey: undefined,
    scopes: granted.scope.split(" "),
  };
};

const refused = (why: string): Refusal =>
  new Refusal(401, "Unauthorized", why, assumed("bearer-refused"));
