/** What msg keeps of a token reply: the old refresh token stays where the reply brings none. */
import { readToken } from "../client/token.ts";
import type { Reply } from "../contract/endpoint.ts";
import type { getAccessToken } from "../contract/oauth.ts";

export const tokenEntry = (reply: Reply<typeof getAccessToken>, now: Date) => {
  const claims = readToken(reply.access_token);
  const seconds = reply.expires_in;
  const expires =
    claims?.expires ??
    (seconds === undefined ? undefined : new Date(now.getTime() + seconds * 1_000));
  const scope = claims?.scopes.join(" ");
  return {
    accessToken: reply.access_token,
    ...(reply.refresh_token !== undefined && { refreshToken: reply.refresh_token }),
    ...(expires && { dateExpires: expires.toISOString() }),
    ...(scope !== undefined && { scope }),
  };
};
