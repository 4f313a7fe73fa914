-- What the messages of one call share stands once a call. Messages that are numbered in a row, of one
-- group and one instant, become one batch. `created` stays with the message too: the list of a recipient
-- is read in its order from an index.
CREATE TABLE batches (
  firstSeq INTEGER PRIMARY KEY,
  lastSeq INTEGER NOT NULL,
  groupSeq INTEGER NOT NULL,
  accountId TEXT NOT NULL,
  created INTEGER NOT NULL
) STRICT;
INSERT INTO batches (firstSeq, lastSeq, groupSeq, accountId, created)
  SELECT min(seq), max(seq), groupSeq, accountId, created FROM (
    SELECT seq, groupSeq, accountId, created,
      seq - row_number() OVER (PARTITION BY groupSeq, created ORDER BY seq) AS island
    FROM messages)
  GROUP BY groupSeq, accountId, created, island;
CREATE INDEX batches_by_account ON batches (accountId, created);
CREATE INDEX batches_by_group ON batches (groupSeq, created);
DROP INDEX messages_by_account;
DROP INDEX messages_by_group;
ALTER TABLE messages DROP COLUMN groupSeq;
ALTER TABLE messages DROP COLUMN accountId;
