-- Files, quota and apps.
CREATE TABLE files (
  fileId TEXT PRIMARY KEY,
  accountId TEXT NOT NULL REFERENCES accounts,
  type TEXT NOT NULL,
  originalName TEXT NOT NULL,
  name TEXT NOT NULL,
  link TEXT,
  width INTEGER,
  height INTEGER,
  fileSize INTEGER,
  -- 1 where the provider has the picture.
  providerA INTEGER NOT NULL,
  providerB INTEGER NOT NULL,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX files_by_account ON files (accountId, fileId);
-- Apart, so that a list never reads past the pictures.
CREATE TABLE file_bodies (
  seq INTEGER PRIMARY KEY,
  fileId TEXT NOT NULL UNIQUE REFERENCES files ON DELETE CASCADE,
  bytes BLOB NOT NULL
) STRICT;
CREATE TABLE file_references (
  fileId TEXT NOT NULL REFERENCES files ON DELETE CASCADE,
  handleKey TEXT NOT NULL,
  category TEXT NOT NULL,
  refId TEXT,
  PRIMARY KEY (fileId, handleKey)
) STRICT, WITHOUT ROWID;

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
ALTER TABLE groups ADD COLUMN appVersion TEXT;
ALTER TABLE groups ADD COLUMN appProfit TEXT;
INSERT INTO quotas SELECT accountId, 1767225600000, 1767225600000 FROM accounts;
