/** OAuth2: who asked for what, what was granted, and what of it is still good. */
import type { Database } from "./driver.ts";
import { createTable, insertRow } from "./rows.ts";

export interface OAuthClient {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly callbackUri: string;
  /** Joined by spaces, as everywhere below. */
  readonly scopes: string;
  readonly status: "ACTIVE" | "INACTIVE";
}

/** A consent page that is shown: `request` is JSON of what the client asked for. */
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
  const clients = createTable<OAuthClient>(database, "oauth_clients", "clientId");
  return {
    addClient: clients.insert,
    client: clients.read,
    clients: clients.all,
    /** Opens a question; those from before `expired` are forgotten. */
    addConsent: (consent: Consent, expired: number): void => {
      database.run("DELETE FROM consents WHERE created <= ?", [expired]);
      insertRow(database, "consents", consent);
    },
    /** The question, which is closed by this. */
    takeConsent: (token: string): Consent | undefined =>
      database.get("DELETE FROM consents WHERE token = ? RETURNING *", [token]),
    addGrant: (grant: Omit<Grant, "refreshToken" | "revoked">): void =>
      insertRow(database, "grants", grant),
    grant: (grantId: string): Grant | undefined =>
      database.get("SELECT * FROM grants WHERE grantId = ?", [grantId]),
    grantOf: (refreshToken: string): Grant | undefined =>
      database.get("SELECT * FROM grants WHERE refreshToken = ?", [refreshToken]),
    setRefreshToken: (grantId: string, refreshToken: string): void => {
      const sql = "UPDATE grants SET refreshToken = ? WHERE grantId = ?";
      database.run(sql, [refreshToken, grantId]);
    },
    revoke: (grantId: string): void =>
      void database.run("UPDATE grants SET revoked = 1 WHERE grantId = ?", [grantId]),
    addCode: (code: Omit<Code, "used">): void => insertRow(database, "codes", code),
    code: (code: string): Code | undefined =>
      database.get("SELECT * FROM codes WHERE code = ?", [code]),
    useCode: (code: string): void =>
      void database.run("UPDATE codes SET used = 1 WHERE code = ?", [code]),
  };
};
