-- OAuth2: clients, open questions, codes and grants.
CREATE TABLE oauth_clients (
  clientId TEXT PRIMARY KEY,
  clientSecret TEXT NOT NULL,
  callbackUri TEXT NOT NULL,
  scopes TEXT NOT NULL,
  status TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- A consent page that is shown: answered once, by the browser that it was shown to.
CREATE TABLE consents (
  token TEXT PRIMARY KEY,
  session TEXT NOT NULL,
  request TEXT NOT NULL,
  created INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE grants (
  grantId TEXT PRIMARY KEY,
  clientId TEXT NOT NULL,
  accountId TEXT NOT NULL,
  memberId TEXT NOT NULL,
  scope TEXT NOT NULL,
  refreshToken TEXT,
  revoked INTEGER NOT NULL DEFAULT 0,
  created INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX grants_by_refresh_token ON grants (refreshToken);

CREATE TABLE codes (
  code TEXT PRIMARY KEY,
  grantId TEXT NOT NULL REFERENCES grants,
  redirectUri TEXT NOT NULL,
  challenge TEXT,
  used INTEGER NOT NULL DEFAULT 0,
  created INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
