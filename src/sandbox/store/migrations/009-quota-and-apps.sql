-- The daily quota with its requests, and apps.
CREATE TABLE quotas (
  accountId TEXT PRIMARY KEY REFERENCES accounts,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE quota_requests (
  handleKey TEXT PRIMARY KEY,
  accountId TEXT NOT NULL REFERENCES accounts,
  status TEXT NOT NULL,
  requestedQuota INTEGER NOT NULL,
  reasonRequested TEXT,
  reasonRejected TEXT,
  fileIds TEXT NOT NULL,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX quota_requests_by_account ON quota_requests (accountId, handleKey);

CREATE TABLE apps (
  appId TEXT PRIMARY KEY,
  accountId TEXT NOT NULL REFERENCES accounts,
  clientId TEXT NOT NULL,
  appName TEXT NOT NULL,
  appVersion TEXT,
  stage TEXT NOT NULL,
  status TEXT NOT NULL,
  reasonBlocked TEXT,
  profit TEXT NOT NULL,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
-- What was paid out …
CREATE TABLE settlements (
  seq INTEGER PRIMARY KEY,
  appId TEXT NOT NULL REFERENCES apps,
  created INTEGER NOT NULL
) STRICT;
CREATE INDEX settlements_by_app ON settlements (appId, created);
-- … and what is still to be.
CREATE TABLE earnings (
  seq INTEGER PRIMARY KEY,
  appId TEXT NOT NULL REFERENCES apps,
  amount INTEGER NOT NULL,
  created INTEGER NOT NULL
) STRICT;
CREATE INDEX earnings_by_app ON earnings (appId, created);
