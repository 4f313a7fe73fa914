-- Accounts, keys, senders, prices, the log of requests.
-- Times are milliseconds since 1970, flags 0 and 1, money is won. Messages and groups are numbered in the
-- order of insertion; their public ids follow from that number, so that no index over ids is needed.
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE accounts (
  accountId TEXT PRIMARY KEY,
  status TEXT NOT NULL,
  authenticated TEXT,
  balance INTEGER NOT NULL DEFAULT 0,
  point INTEGER NOT NULL DEFAULT 0,
  quota INTEGER NOT NULL DEFAULT 100000,
  prepaid INTEGER NOT NULL DEFAULT 1,
  minimumCash INTEGER NOT NULL DEFAULT 0,
  rechargeTo INTEGER NOT NULL DEFAULT 0,
  rechargeTryCount INTEGER NOT NULL DEFAULT 0,
  autoRecharge INTEGER NOT NULL DEFAULT 0,
  alert TEXT NOT NULL,
  -- 2026-01-01 as long as no one has changed it.
  alertCreated INTEGER NOT NULL DEFAULT 1767225600000,
  alertUpdated INTEGER NOT NULL DEFAULT 1767225600000
) STRICT, WITHOUT ROWID;
CREATE TABLE members (
  memberId TEXT PRIMARY KEY,
  accountId TEXT NOT NULL REFERENCES accounts,
  role TEXT NOT NULL,
  status TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE api_keys (
  apiKey TEXT PRIMARY KEY,
  secret TEXT NOT NULL,
  memberId TEXT NOT NULL REFERENCES members,
  accountId TEXT NOT NULL REFERENCES accounts,
  status TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE signatures (
  apiKey TEXT NOT NULL,
  signature TEXT NOT NULL,
  arrived INTEGER NOT NULL,
  PRIMARY KEY (apiKey, signature)
) STRICT, WITHOUT ROWID;
CREATE INDEX signatures_by_time ON signatures (arrived);
CREATE TABLE requests (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  time TEXT NOT NULL,
  apiKey TEXT,
  accountId TEXT,
  method TEXT NOT NULL,
  path TEXT NOT NULL,
  status INTEGER NOT NULL,
  verdict TEXT NOT NULL,
  why TEXT
) STRICT;
CREATE TABLE contacts (
  memberId TEXT PRIMARY KEY REFERENCES members,
  phoneNumber TEXT NOT NULL,
  email TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE senders (
  accountId TEXT NOT NULL REFERENCES accounts,
  phoneNumber TEXT NOT NULL,
  PRIMARY KEY (accountId, phoneNumber)
) STRICT, WITHOUT ROWID;
CREATE TABLE prices (
  countryId TEXT PRIMARY KEY,
  countryName TEXT NOT NULL,
  units TEXT NOT NULL,
  created INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
