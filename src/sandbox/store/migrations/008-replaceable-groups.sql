-- Whether messages can be sent in place of those that fail in a group. Older groups may hold such
-- messages: none of them noted it.
ALTER TABLE groups ADD COLUMN replaceable INTEGER NOT NULL DEFAULT 1;
