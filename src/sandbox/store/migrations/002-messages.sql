-- Groups, messages, and the work that is due on them.

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
  log TEXT NOT NULL DEFAULT '[]',
  appVersion TEXT,
  appProfit TEXT,
  -- Whether messages can be sent in place of those that fail.
  replaceable INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE INDEX groups_by_account ON groups (accountId, created);

-- No foreign keys: a call inserts 10,000 rows of one group that the same transaction has read.
CREATE TABLE messages (
  seq INTEGER PRIMARY KEY,
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
CREATE INDEX messages_by_recipient ON messages (recipient, created);
-- What the messages of one call share is stored once a call. Messages that are numbered in a row, of one
-- group and one instant, are one batch. `created` stays with the message too: the list of a recipient
-- is read in its order from an index.
CREATE TABLE batches (
  firstSeq INTEGER PRIMARY KEY,
  lastSeq INTEGER NOT NULL,
  groupSeq INTEGER NOT NULL,
  accountId TEXT NOT NULL,
  created INTEGER NOT NULL
) STRICT;
CREATE INDEX batches_by_account ON batches (accountId, created);
CREATE INDEX batches_by_group ON batches (groupSeq, created);
-- In the order of numbers, from any of them on.
CREATE INDEX batches_of_group ON batches (groupSeq);

-- Work of a large group is done slice by slice: `reached` is the number of the last message that is done,
-- `lost` what the messages cost that have failed so far.
CREATE TABLE due (
  seq INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  work TEXT NOT NULL,
  subject INTEGER NOT NULL,
  reached INTEGER NOT NULL DEFAULT 0,
  lost INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX due_by_time ON due (at);
-- Messages that failed in due work and are yet to be replaced by it.
CREATE TABLE unreplaced (
  dueSeq INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (dueSeq, seq)
) STRICT, WITHOUT ROWID;
