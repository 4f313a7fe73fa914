/** Stored files: their rows, their uses, and their bytes, which no list reads. */
import type { FileType, StoredFile } from "../../contract/storage.ts";
import type { Database } from "./driver.ts";
import {
  createTable,
  type Filter,
  insertRow,
  type PageQuery,
  type Times,
  whereOf,
} from "./rows.ts";

type NotStored = "kakao" | "url" | "references" | "dateCreated" | "dateUpdated";

export interface FileRow extends Readonly<Omit<StoredFile, NotStored>>, Times {
  readonly type: FileType;
  /** 1 if the provider has the picture. */
  readonly providerA: number;
  readonly providerB: number;
}

type FileReference = StoredFile["references"][number];

export const createFiles = (database: Database) => {
  const { page, ...files } = createTable<FileRow>(database, "files", "fileId");
  return {
    ...files,
    insert: (file: FileRow, bytes: Uint8Array): void => {
      insertRow(database, "files", file);
      insertRow(database, "file_bodies", { fileId: file.fileId, bytes });
    },
    body: (accountId: string, fileId: string): Uint8Array<ArrayBuffer> | undefined => {
      const row = database.get<{ bytes: Uint8Array | ArrayBuffer }>(
        `SELECT b.bytes FROM file_bodies b JOIN files f USING (fileId)
         WHERE b.fileId = ? AND f.accountId = ?`,
        [fileId, accountId],
      );
      return row && new Uint8Array(row.bytes);
    },
    /** Newest first. All `references` must hold of one and the same reference. */
    page: (
      query: PageQuery<keyof FileRow>,
      references: readonly Filter<keyof FileReference>[],
    ): FileRow[] =>
      page(query, (values) =>
        references.length === 0
          ? "TRUE"
          : `EXISTS (SELECT 1 FROM file_references r WHERE r.fileId = files.fileId
               AND ${whereOf(references, values)})`,
      ),
    has: (accountId: string, fileId: string, type: FileType): boolean => {
      const sql = "SELECT 1 AS n FROM files WHERE fileId = ? AND accountId = ? AND type = ?";
      return database.number(sql, [fileId, accountId, type]) === 1;
    },
    ...createReferences(database),
  };
};

const createReferences = (database: Database) => ({
  references: (fileId: string): FileReference[] => {
    const sql = "SELECT handleKey, category, refId FROM file_references WHERE fileId = ?";
    return database.all(`${sql} ORDER BY handleKey`, [fileId]);
  },
  addReference: (fileId: string, reference: FileReference): void => {
    const row = { fileId, ...reference };
    insertRow(database, "file_references", row, "ON CONFLICT (fileId, handleKey) DO NOTHING");
  },
});
