-- Faults that are switched on.
CREATE TABLE faults (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  method TEXT NOT NULL,
  path TEXT NOT NULL,
  kind TEXT NOT NULL,
  amount INTEGER NOT NULL,
  timesLeft INTEGER,
  probability REAL,
  happened INTEGER NOT NULL DEFAULT 0
) STRICT;
