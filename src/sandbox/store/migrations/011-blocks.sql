-- Recipients that are not sent to: for one sender, or for all where `sender` is empty.
CREATE TABLE blocks (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  accountId TEXT NOT NULL REFERENCES accounts,
  recipient TEXT NOT NULL,
  sender TEXT NOT NULL,
  -- 1: the recipient's own wish, by an 080 number.
  optedOut INTEGER NOT NULL,
  memo TEXT NOT NULL,
  created INTEGER NOT NULL,
  UNIQUE (accountId, recipient, sender, optedOut)
) STRICT;
