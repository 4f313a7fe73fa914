-- Due work of a large group is done slice by slice: the number of the last message that is done, and what
-- the messages cost that have failed so far.
ALTER TABLE due ADD COLUMN reached INTEGER NOT NULL DEFAULT 0;
ALTER TABLE due ADD COLUMN lost INTEGER NOT NULL DEFAULT 0;
-- Messages that failed in due work and are yet to be replaced by it.
CREATE TABLE unreplaced (
  dueSeq INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (dueSeq, seq)
) STRICT, WITHOUT ROWID;
-- In the order of numbers, from any of them on.
CREATE INDEX batches_of_group ON batches (groupSeq);
