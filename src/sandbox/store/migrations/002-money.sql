-- Cards, the bank account, withdrawals and second-factor transactions. Of a card only what a person
-- recognises it by is kept, and of a code nothing: it follows from the transaction's number.
ALTER TABLE ledger ADD COLUMN memo TEXT;
-- 2026-01-01: accounts older than this step have an alert that nobody has changed yet.
ALTER TABLE accounts ADD COLUMN alertCreated INTEGER NOT NULL DEFAULT 1767225600000;
ALTER TABLE accounts ADD COLUMN alertUpdated INTEGER NOT NULL DEFAULT 1767225600000;

CREATE TABLE contacts (
  memberId TEXT PRIMARY KEY REFERENCES members,
  phoneNumber TEXT NOT NULL,
  email TEXT NOT NULL
) STRICT, WITHOUT ROWID;
-- Members of a store that is older than this step: their number is the last digit of their id.
INSERT INTO contacts SELECT memberId, '0100000000' || substr(memberId, -1),
  'operator' || substr(memberId, -1) || '@example.com' FROM members;
CREATE TABLE cards (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  accountId TEXT NOT NULL REFERENCES accounts,
  brand TEXT NOT NULL,
  lastDigits TEXT NOT NULL,
  expires TEXT NOT NULL,
  description TEXT NOT NULL,
  priority INTEGER NOT NULL DEFAULT 0,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  UNIQUE (accountId, brand, lastDigits, expires),
  UNIQUE (accountId, description)
) STRICT;
CREATE TABLE bank_accounts (
  accountId TEXT PRIMARY KEY REFERENCES accounts,
  bankCode TEXT NOT NULL,
  accountNumber TEXT NOT NULL,
  holderName TEXT NOT NULL,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE withdrawals (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  accountId TEXT NOT NULL REFERENCES accounts,
  bankCode TEXT NOT NULL,
  accountNumber TEXT NOT NULL,
  holderName TEXT NOT NULL,
  status TEXT NOT NULL,
  memo TEXT,
  transactionId TEXT,
  transacted INTEGER,
  totalAmount INTEGER NOT NULL,
  fee INTEGER NOT NULL,
  confirmed INTEGER NOT NULL,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL
) STRICT;
CREATE INDEX withdrawals_by_account ON withdrawals (accountId, created);
CREATE TABLE second_factors (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  accountId TEXT NOT NULL REFERENCES accounts,
  memberId TEXT NOT NULL REFERENCES members,
  operation TEXT NOT NULL,
  authType TEXT NOT NULL,
  destination TEXT NOT NULL,
  status TEXT NOT NULL,
  attemptsLeft INTEGER NOT NULL,
  created INTEGER NOT NULL
) STRICT;
CREATE INDEX second_factors_by_member ON second_factors (memberId, operation, seq);
