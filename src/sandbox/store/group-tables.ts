/** The step that tells of a group whether messages can be sent in place of those that fail in it. */

/** Older groups may hold such messages: nobody noted it. */
export const groupTables = `
ALTER TABLE groups ADD COLUMN replaceable INTEGER NOT NULL DEFAULT 1;
`;
