/** What an access token says of itself; whether it is valid is the service's to say (facts 3.5). */
import { members, readJson } from "./json.ts";

export interface Token {
  readonly expires: Date;
  readonly scopes: readonly string[];
}

/** The claims of a JWT, or undefined where the token is not one. */
export const readToken = (accessToken: string): Token | undefined => {
  const claims = members(readJson(Buffer.from(accessToken.split(".")[1] ?? "", "base64url")));
  if (typeof claims.exp !== "number") return undefined;
  return {
    expires: new Date(claims.exp * 1_000),
    scopes: typeof claims.scope === "string" ? claims.scope.split(" ") : [],
  };
};
