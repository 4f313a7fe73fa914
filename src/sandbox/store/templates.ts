/** Kakao templates with where they stand at each provider. */
import type { Template } from "../../contract/kakao-templates.ts";
import type { Database } from "./driver.ts";
import { type RowsQuery, rowsById } from "./filters.ts";

/** A template as it is stored; times are milliseconds. */
export interface TemplateRow
  extends Pick<Template, "templateId" | "accountId" | "pfId" | "name" | "content"> {
  readonly buttons: Template["buttons"];
  readonly codes: Template["codes"];
  readonly isHidden: boolean;
  readonly created: number;
  readonly updated: number;
}

export type TemplateColumn = "name" | "pfId" | "templateId" | "isHidden" | "created" | "updated";

export interface TemplatesQuery extends RowsQuery<TemplateColumn> {
  /** A state that one of the providers' entries has. */
  readonly status?: string | undefined;
}

export interface Templates {
  insert(template: TemplateRow): void;
  read(templateId: string): TemplateRow | undefined;
  /** Writes every member but the ids and the time of creation. */
  update(template: TemplateRow): void;
  list(query: TemplatesQuery): TemplateRow[];
  all(): TemplateRow[];
  remove(templateId: string): void;
  removeOf(pfId: string): void;
}

/** As its row holds it. */
export type StoredTemplate = Omit<TemplateRow, "buttons" | "codes" | "isHidden"> & {
  readonly buttons: string;
  readonly codes: string;
  readonly isHidden: number;
};

export const createTemplates = (database: Database): Templates => ({
  insert: (row) => insert(database, row),
  read: (templateId) => {
    const sql = "SELECT * FROM templates WHERE templateId = ?";
    const row = database.get<StoredTemplate>(sql, templateId);
    return row && templateOf(row);
  },
  update: ({ templateId, name, content, buttons, codes, isHidden, updated }) =>
    void database.run(
      `UPDATE templates SET name = ?, content = ?, buttons = ?, codes = ?, isHidden = ?,
         updated = ? WHERE templateId = ?`,
      name,
      content,
      JSON.stringify(buttons),
      JSON.stringify(codes),
      Number(isHidden),
      updated,
      templateId,
    ),
  list: (query) => list(database, query),
  all: () =>
    database.all<StoredTemplate>("SELECT * FROM templates ORDER BY templateId").map(templateOf),
  remove: (templateId) =>
    void database.run("DELETE FROM templates WHERE templateId = ?", templateId),
  removeOf: (pfId) => void database.run("DELETE FROM templates WHERE pfId = ?", pfId),
});

const insert = (database: Database, row: TemplateRow): void => {
  database.run(
    `INSERT INTO templates (templateId, accountId, pfId, name, content, buttons, codes, isHidden,
       created, updated) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    row.templateId,
    row.accountId,
    row.pfId,
    row.name,
    row.content,
    JSON.stringify(row.buttons),
    JSON.stringify(row.codes),
    Number(row.isHidden),
    row.created,
    row.updated,
  );
};

const inState = `EXISTS (SELECT 1 FROM json_each(templates.codes) AS entry
  WHERE json_extract(entry.value, '$.status') = ?)`;

const list = (database: Database, { status, ...query }: TemplatesQuery): TemplateRow[] =>
  rowsById<StoredTemplate>(database, { table: "templates", id: "templateId" }, query, (values) => {
    if (status === undefined) return "TRUE";
    values.push(status);
    return inState;
  }).map(templateOf);

export const templateOf = (row: StoredTemplate): TemplateRow => ({
  ...row,
  buttons: JSON.parse(row.buttons),
  codes: JSON.parse(row.codes),
  isHidden: row.isHidden === 1,
});
