-- Linked channels, the tokens that link them, templates. `buttons` and `codes` are JSON as answers show
-- them. Ids embed the time, so they order the lists.
CREATE TABLE channels (
  pfId TEXT PRIMARY KEY,
  accountId TEXT NOT NULL REFERENCES accounts,
  searchId TEXT NOT NULL,
  phoneNumber TEXT NOT NULL,
  senderKey TEXT NOT NULL,
  categoryCode TEXT NOT NULL,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  UNIQUE (accountId, searchId)
) STRICT, WITHOUT ROWID;
CREATE INDEX channels_by_account ON channels (accountId, pfId);
CREATE TABLE link_tokens (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  accountId TEXT NOT NULL REFERENCES accounts,
  searchId TEXT NOT NULL,
  phoneNumber TEXT NOT NULL,
  used INTEGER NOT NULL DEFAULT 0,
  created INTEGER NOT NULL
) STRICT;
CREATE TABLE templates (
  templateId TEXT PRIMARY KEY,
  accountId TEXT NOT NULL REFERENCES accounts,
  pfId TEXT NOT NULL REFERENCES channels,
  name TEXT NOT NULL,
  content TEXT NOT NULL,
  buttons TEXT NOT NULL,
  codes TEXT NOT NULL,
  isHidden INTEGER NOT NULL DEFAULT 0,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  -- What the newer paths know of it.
  extras TEXT NOT NULL DEFAULT '{}'
) STRICT, WITHOUT ROWID;
CREATE INDEX templates_by_account ON templates (accountId, templateId);
CREATE INDEX templates_by_channel ON templates (pfId);
