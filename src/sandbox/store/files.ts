/** Stored files: their rows, what uses them, and their bytes, which no list reads. */
import type { FileType } from "../../contract/storage.ts";
import type { Database } from "./driver.ts";
import { type Filter, insertRow, type RowsQuery, rowsById, whereOf } from "./rows.ts";

export interface FileRow {
  readonly fileId: string;
  readonly accountId: string;
  readonly type: FileType;
  readonly originalName: string;
  readonly name: string;
  readonly link: string | null;
  /** Pixels. */
  readonly width: number | null;
  readonly height: number | null;
  /** Bytes; null for records of old. */
  readonly fileSize: number | null;
  /** 1 where the provider has the picture. */
  readonly providerA: number;
  readonly providerB: number;
  readonly created: number;
  readonly updated: number;
}

/** What uses a file. */
interface FileReference {
  readonly handleKey: string;
  readonly category: string;
  readonly refId: string | null;
}

export type FileColumn = Exclude<keyof FileRow, "accountId" | "link" | "width" | "height">;

interface FileQuery extends RowsQuery<FileColumn> {
  /** All of them must hold of one and the same reference. */
  readonly references: readonly Filter<keyof FileReference>[];
}

export const createFiles = (database: Database) => ({
  ...createReferences(database),
  insert: (file: FileRow, bytes: Uint8Array): void => {
    insertRow(database, "files", file);
    insertRow(database, "file_bodies", { fileId: file.fileId, bytes });
  },
  read: (fileId: string): FileRow | undefined =>
    database.get("SELECT * FROM files WHERE fileId = ?", fileId),
  body: (accountId: string, fileId: string): Uint8Array<ArrayBuffer> | undefined => {
    const row = database.get<{ bytes: Uint8Array | ArrayBuffer }>(
      `SELECT b.bytes FROM file_bodies b JOIN files f USING (fileId)
       WHERE b.fileId = ? AND f.accountId = ?`,
      fileId,
      accountId,
    );
    return row && new Uint8Array(row.bytes);
  },
  /** Newest first. */
  list: ({ references, ...query }: FileQuery): FileRow[] =>
    rowsById(database, { table: "files", id: "fileId" }, query, (values) =>
      references.length === 0
        ? "TRUE"
        : `EXISTS (SELECT 1 FROM file_references r WHERE r.fileId = files.fileId
             AND ${whereOf(references, values)})`,
    ),
  remove: (fileId: string): void => void database.run("DELETE FROM files WHERE fileId = ?", fileId),
  /** Whether an account has a file of this type. */
  has: (accountId: string, fileId: string, type: FileType): boolean =>
    database.get(
      "SELECT 1 AS found FROM files WHERE fileId = ? AND accountId = ? AND type = ?",
      fileId,
      accountId,
      type,
    ) !== undefined,
});

const createReferences = (database: Database) => ({
  references: (fileId: string): FileReference[] =>
    database.all(
      "SELECT handleKey, category, refId FROM file_references WHERE fileId = ? ORDER BY handleKey",
      fileId,
    ),
  refer: (fileId: string, reference: FileReference): void =>
    insertRow(
      database,
      "file_references",
      { fileId, ...reference },
      "ON CONFLICT (fileId, handleKey) DO NOTHING",
    ),
});
