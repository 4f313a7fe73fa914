-- Transactions of the second factor. Of a code nothing is kept: it follows from the transaction's number.
CREATE TABLE second_factors (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  accountId TEXT NOT NULL REFERENCES accounts,
  memberId TEXT NOT NULL REFERENCES members,
  operation TEXT NOT NULL,
  authType TEXT NOT NULL,
  destination TEXT NOT NULL,
  status TEXT NOT NULL,
  attemptsLeft INTEGER NOT NULL,
  created INTEGER NOT NULL,
  -- Of the body that it was started for.
  digest TEXT NOT NULL DEFAULT '',
  -- Until when no other one starts, after wrong codes.
  locked INTEGER
) STRICT;
CREATE INDEX second_factors_by_member ON second_factors (memberId, operation, seq);
