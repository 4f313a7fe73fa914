/** Stored files: their rows, what uses them, and their bytes, which no list reads. */
import type { FileType } from "../../contract/storage.ts";
import type { Database } from "./driver.ts";
import { type Filter, type RowsQuery, rowsById, whereOf } from "./filters.ts";

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
export interface FileReference {
  readonly handleKey: string;
  readonly category: string;
  readonly refId: string | null;
}

export type FileColumn = Exclude<keyof FileRow, "accountId" | "link" | "width" | "height">;

export interface FileQuery extends RowsQuery<FileColumn> {
  /** All of them must hold of one and the same reference. */
  readonly references: readonly Filter<keyof FileReference>[];
}

export interface Files {
  insert(file: FileRow, bytes: Uint8Array): void;
  read(fileId: string): FileRow | undefined;
  body(accountId: string, fileId: string): Uint8Array | undefined;
  /** Newest first. */
  list(query: FileQuery): FileRow[];
  remove(fileId: string): void;
  references(fileId: string): FileReference[];
  refer(fileId: string, reference: FileReference): void;
  /** Whether an account has a file of this type. */
  has(accountId: string, fileId: string, type: FileType): boolean;
}

const columns = [
  "fileId",
  "accountId",
  "type",
  "originalName",
  "name",
  "link",
  "width",
  "height",
  "fileSize",
  "providerA",
  "providerB",
  "created",
  "updated",
] as const satisfies readonly (keyof FileRow)[];

const insertSql = `INSERT INTO files (${columns.join(", ")})
  VALUES (${columns.map(() => "?").join(", ")})`;

export const createFiles = (database: Database): Files => ({
  insert: (file, bytes) => {
    database.run(insertSql, ...columns.map((name) => file[name]));
    database.run("INSERT INTO file_bodies (fileId, bytes) VALUES (?, ?)", file.fileId, bytes);
  },
  read: (fileId) => database.get("SELECT * FROM files WHERE fileId = ?", fileId),
  body: (accountId, fileId) =>
    database.get<{ bytes: Uint8Array }>(
      `SELECT b.bytes FROM file_bodies b JOIN files f USING (fileId)
       WHERE b.fileId = ? AND f.accountId = ?`,
      fileId,
      accountId,
    )?.bytes,
  list: (query) => list(database, query),
  remove: (fileId) => void database.run("DELETE FROM files WHERE fileId = ?", fileId),
  references: (fileId) =>
    database.all(
      `SELECT handleKey, category, refId FROM file_references WHERE fileId = ?
       ORDER BY handleKey`,
      fileId,
    ),
  refer: (fileId, { handleKey, category, refId }) =>
    void database.run(
      `INSERT OR IGNORE INTO file_references (fileId, handleKey, category, refId)
       VALUES (?, ?, ?, ?)`,
      fileId,
      handleKey,
      category,
      refId,
    ),
  has: (accountId, fileId, type) =>
    database.get(
      "SELECT 1 AS found FROM files WHERE fileId = ? AND accountId = ? AND type = ?",
      fileId,
      accountId,
      type,
    ) !== undefined,
});

const list = (database: Database, { references, ...query }: FileQuery): FileRow[] =>
  rowsById(database, { table: "files", id: "fileId" }, query, (values) =>
    references.length === 0
      ? "TRUE"
      : `EXISTS (SELECT 1 FROM file_references r WHERE r.fileId = files.fileId
           AND ${whereOf(references, values)})`,
  );
