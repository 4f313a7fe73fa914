/** A step of the schema: what the service itself tells people by phone. */

/** Numbered by the counter of messages, so that the inbox has one order. */
export const noticeTables = `
CREATE TABLE notices (
  seq INTEGER PRIMARY KEY,
  accountId TEXT NOT NULL REFERENCES accounts,
  recipient TEXT NOT NULL,
  type TEXT NOT NULL,
  text TEXT NOT NULL,
  created INTEGER NOT NULL
) STRICT;
`;
