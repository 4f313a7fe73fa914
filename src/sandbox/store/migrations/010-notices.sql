-- What the service itself reports to people by phone. Numbered by the counter of messages, so that the
-- inbox has one order.
CREATE TABLE notices (
  seq INTEGER PRIMARY KEY,
  accountId TEXT NOT NULL REFERENCES accounts,
  recipient TEXT NOT NULL,
  type TEXT NOT NULL,
  text TEXT NOT NULL,
  created INTEGER NOT NULL
) STRICT;
