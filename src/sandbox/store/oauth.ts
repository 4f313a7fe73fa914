/** OAuth2: who asked for what, what was granted, and what of it is still good. */
import type { Database } from "./driver.ts";

export interface OAuthClient {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly callbackUri: string;
  /** Joined by spaces, as everywhere below. */
  readonly scopes: string;
  readonly status: "ACTIVE" | "INACTIVE";
}

/** A consent page that is shown: `request` is JSON of what the client asked for. */
export interface Consent {
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

export interface Code {
  readonly code: string;
  readonly grantId: string;
  readonly redirectUri: string;
  /** PKCE, method S256. */
  readonly challenge: string | null;
  readonly used: number;
  readonly created: number;
}

export interface OAuth {
  addClient(client: OAuthClient): void;
  client(clientId: string): OAuthClient | undefined;
  clients(): OAuthClient[];
  /** Opens a question; those from before `expired` are forgotten. */
  ask(consent: Consent, expired: number): void;
  /** The question, which is closed by this. */
  takeConsent(token: string): Consent | undefined;
  addGrant(
    grant: Pick<Grant, "grantId" | "clientId" | "accountId" | "memberId" | "scope" | "created">,
  ): void;
  grant(grantId: string): Grant | undefined;
  grantOf(refreshToken: string): Grant | undefined;
  giveRefreshToken(grantId: string, refreshToken: string): void;
  revoke(grantId: string): void;
  addCode(code: Omit<Code, "used">): void;
  code(code: string): Code | undefined;
  useCode(code: string): void;
}

export const createOAuth = (database: Database): OAuth => ({
  ...clientsOf(database),
  ...consentsOf(database),
  ...grantsOf(database),
  ...codesOf(database),
});

const clientsOf = (database: Database): Pick<OAuth, "addClient" | "client" | "clients"> => ({
  addClient: ({ clientId, clientSecret, callbackUri, scopes, status }) =>
    void database.run(
      "INSERT INTO oauth_clients (clientId, clientSecret, callbackUri, scopes, status) VALUES (?, ?, ?, ?, ?)",
      clientId,
      clientSecret,
      callbackUri,
      scopes,
      status,
    ),
  client: (clientId) =>
    database.get<OAuthClient>("SELECT * FROM oauth_clients WHERE clientId = ?", clientId),
  clients: () => database.all<OAuthClient>("SELECT * FROM oauth_clients ORDER BY clientId"),
});

const consentsOf = (database: Database): Pick<OAuth, "ask" | "takeConsent"> => ({
  ask: ({ token, session, request, created }, expired) => {
    database.run("DELETE FROM consents WHERE created <= ?", expired);
    database.run(
      "INSERT INTO consents (token, session, request, created) VALUES (?, ?, ?, ?)",
      token,
      session,
      request,
      created,
    );
  },
  takeConsent: (token) =>
    database.get<Consent>("DELETE FROM consents WHERE token = ? RETURNING *", token),
});

const grantsOf = (
  database: Database,
): Pick<OAuth, "addGrant" | "grant" | "grantOf" | "giveRefreshToken" | "revoke"> => ({
  addGrant: ({ grantId, clientId, accountId, memberId, scope, created }) =>
    void database.run(
      "INSERT INTO grants (grantId, clientId, accountId, memberId, scope, created) VALUES (?, ?, ?, ?, ?, ?)",
      grantId,
      clientId,
      accountId,
      memberId,
      scope,
      created,
    ),
  grant: (grantId) => database.get<Grant>("SELECT * FROM grants WHERE grantId = ?", grantId),
  grantOf: (refreshToken) =>
    database.get<Grant>("SELECT * FROM grants WHERE refreshToken = ?", refreshToken),
  giveRefreshToken: (grantId, refreshToken) =>
    void database.run(
      "UPDATE grants SET refreshToken = ? WHERE grantId = ?",
      refreshToken,
      grantId,
    ),
  revoke: (grantId) =>
    void database.run("UPDATE grants SET revoked = 1 WHERE grantId = ?", grantId),
});

const codesOf = (database: Database): Pick<OAuth, "addCode" | "code" | "useCode"> => ({
  addCode: ({ code, grantId, redirectUri, challenge, created }) =>
    void database.run(
      "INSERT INTO codes (code, grantId, redirectUri, challenge, created) VALUES (?, ?, ?, ?, ?)",
      code,
      grantId,
      redirectUri,
      challenge,
      created,
    ),
  code: (code) => database.get<Code>("SELECT * FROM codes WHERE code = ?", code),
  useCode: (code) => void database.run("UPDATE codes SET used = 1 WHERE code = ?", code),
});
