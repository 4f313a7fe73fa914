/** OAuth2: requests for consent, grants, and whether they are still valid. */
import type { Reply } from "../../contract/endpoint.ts";
import type { listAccounts } from "../../contract/sandbox.ts";
import type { Database } from "./driver.ts";
import { createTable, insertRow } from "./rows.ts";

/** Scopes are joined by spaces, here and everywhere below. */
export type OAuthClient = Reply<typeof listAccounts>["oauthClients"][number];

/** A consent page that is shown: `request` is the client's request as JSON. */
interface Consent {
  readonly token: string;
  readonly session: string;
  readonly request: string;
  readonly created: number;
}

export interface Grant {
  readonly grantId: string;
  readonly clientId: string;
  readonly accountId: string;
  readonly memberId: string;
  readonly scope: string;
  readonly refreshToken: string | null;
  readonly revoked: number;
  readonly created: number;
}

interface Code {
  readonly code: string;
  readonly grantId: string;
  readonly redirectUri: string;
  /** PKCE, method S256. */
  readonly challenge: string | null;
  readonly used: number;
  readonly created: number;
}

export const createOAuth = (database: Database) => {
  const grants = createTable<Grant>(database, "grants", "grantId");
  return {
    clients: createTable<OAuthClient>(database, "oauth_clients", "clientId"),
    codes: createTable<Code>(database, "codes", "code"),
    grants: {
      ...grants,
      byRefreshToken: (refreshToken: string): Grant | undefined =>
        grants.select("WHERE refreshToken = ?", [refreshToken])[0],
    },
    /** Opens a question; those from before `expired` are removed. */
    addConsent: (consent: Consent, expired: number): void => {
      database.run("DELETE FROM consents WHERE created <= ?", [expired]);
      insertRow(database, "consents", consent);
    },
    /** Returns the question and closes it. */
    takeConsent: (token: string): Consent | undefined =>
      database.get("DELETE FROM consents WHERE token = ? RETURNING *", [token]),
  };
};
