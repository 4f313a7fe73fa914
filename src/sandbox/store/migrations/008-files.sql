-- Files.
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
