-- The first version: accounts, keys, the log of requests, money, groups, messages.
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
  alert TEXT NOT NULL
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
CREATE TABLE ledger (
  seq INTEGER PRIMARY KEY,
  accountId TEXT NOT NULL REFERENCES accounts,
  type TEXT NOT NULL,
  balanceAmount INTEGER NOT NULL,
  newBalance INTEGER NOT NULL,
  pointAmount INTEGER NOT NULL,
  newPoint INTEGER NOT NULL,
  serviceMethod TEXT,
  rechargeMethod TEXT,
  groupSeq INTEGER,
  created INTEGER NOT NULL
) STRICT;
CREATE INDEX ledger_by_account ON ledger (accountId, created);

-- Messages sent by an account on a day of UTC+9, counted so that a send does not sum up its day.
CREATE TABLE days (
  accountId TEXT NOT NULL REFERENCES accounts,
  day TEXT NOT NULL,
  sent INTEGER NOT NULL,
  PRIMARY KEY (accountId, day)
) STRICT, WITHOUT ROWID;

CREATE TABLE groups (
  seq INTEGER PRIMARY KEY,
  accountId TEXT NOT NULL REFERENCES accounts,
  status TEXT NOT NULL,
  strict INTEGER NOT NULL,
  allowDuplicates INTEGER NOT NULL,
  prepaid INTEGER NOT NULL,
  appId TEXT,
  sdkVersion TEXT,
  osPlatform TEXT,
  customFields TEXT NOT NULL DEFAULT '{}',
  hint TEXT,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  scheduled INTEGER,
  sent INTEGER,
  completed INTEGER,
  registeredSuccess INTEGER NOT NULL DEFAULT 0,
  registeredFailed INTEGER NOT NULL DEFAULT 0,
  sentTotal INTEGER NOT NULL DEFAULT 0,
  sentPending INTEGER NOT NULL DEFAULT 0,
  sentSuccess INTEGER NOT NULL DEFAULT 0,
  sentFailed INTEGER NOT NULL DEFAULT 0,
  sentReplacement INTEGER NOT NULL DEFAULT 0,
  refunded INTEGER NOT NULL DEFAULT 0,
  charge TEXT NOT NULL DEFAULT '{}',
  price INTEGER NOT NULL DEFAULT 0,
  balanceRequested INTEGER NOT NULL DEFAULT 0,
  balanceReplacement INTEGER NOT NULL DEFAULT 0,
  balanceRefund INTEGER NOT NULL DEFAULT 0,
  pointRequested INTEGER NOT NULL DEFAULT 0,
  pointReplacement INTEGER NOT NULL DEFAULT 0,
  pointRefund INTEGER NOT NULL DEFAULT 0,
  log TEXT NOT NULL DEFAULT '[]'
) STRICT;
CREATE INDEX groups_by_account ON groups (accountId, created);

-- No foreign keys: a call inserts 10,000 rows of one group that the same transaction has read.
CREATE TABLE messages (
  seq INTEGER PRIMARY KEY,
  groupSeq INTEGER NOT NULL,
  accountId TEXT NOT NULL,
  recipient TEXT NOT NULL,
  sender TEXT NOT NULL,
  text TEXT NOT NULL,
  type TEXT NOT NULL,
  country TEXT NOT NULL,
  statusCode TEXT NOT NULL,
  outcome TEXT NOT NULL,
  price INTEGER NOT NULL,
  replacement INTEGER NOT NULL DEFAULT 0,
  resendCount INTEGER NOT NULL DEFAULT 0,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  processed INTEGER,
  reported INTEGER,
  options TEXT
) STRICT;
CREATE INDEX messages_by_account ON messages (accountId, created);
CREATE INDEX messages_by_group ON messages (groupSeq, created);
CREATE INDEX messages_by_recipient ON messages (recipient, created);

CREATE TABLE due (
  seq INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  work TEXT NOT NULL,
  subject INTEGER NOT NULL
) STRICT;
CREATE INDEX due_by_time ON due (at);
