-- Movements of money, cards, the bank account, withdrawals. Of a card only what a person recognises it by
-- is kept.
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
  created INTEGER NOT NULL,
  memo TEXT
) STRICT;
CREATE INDEX ledger_by_account ON ledger (accountId, created);
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
