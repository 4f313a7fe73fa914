/** Kakao templates with where they stand at each provider. */
import type { Template } from "../../contract/kakao-templates.ts";
import type { TemplateV2 } from "../../contract/kakao-v2.ts";
import type { Database } from "./driver.ts";
import { type RowsQuery, rowsById } from "./filters.ts";
import { insertRow, updateRow } from "./rows.ts";

/** A template as it is stored; times are milliseconds. */
export interface TemplateRow
  extends Pick<Template, "templateId" | "accountId" | "pfId" | "name" | "content"> {
  readonly buttons: Template["buttons"];
  readonly codes: Template["codes"];
  readonly isHidden: boolean;
  /** What the newer paths know of it. */
  readonly extras: TemplateExtras;
  readonly created: number;
  readonly updated: number;
}

export type TemplateExtras = Partial<
  Omit<TemplateV2, keyof Template | "channelId" | "channelGroupId" | "comments" | "status" | "code">
>;

type TemplateColumn = "name" | "pfId" | "templateId" | "isHidden" | "created" | "updated";

interface TemplatesQuery extends RowsQuery<TemplateColumn> {
  /** A state that one of the providers' entries has. */
  readonly status?: string | undefined;
}

/** As its row holds it. */
export type StoredTemplate = Omit<TemplateRow, "buttons" | "codes" | "extras" | "isHidden"> & {
  readonly buttons: string;
  readonly codes: string;
  readonly extras: string;
  readonly isHidden: number;
};

export const templateOf = (row: StoredTemplate): TemplateRow => ({
  ...row,
  buttons: JSON.parse(row.buttons),
  codes: JSON.parse(row.codes),
  extras: JSON.parse(row.extras),
  isHidden: row.isHidden === 1,
});

const storedOf = (row: TemplateRow): StoredTemplate => ({
  ...row,
  buttons: JSON.stringify(row.buttons),
  codes: JSON.stringify(row.codes),
  extras: JSON.stringify(row.extras),
  isHidden: Number(row.isHidden),
});

export const createTemplates = (database: Database) => ({
  insert: (row: TemplateRow): void => insertRow(database, "templates", storedOf(row)),
  read: (templateId: string): TemplateRow | undefined => {
    const sql = "SELECT * FROM templates WHERE templateId = ?";
    const row = database.get<StoredTemplate>(sql, templateId);
    return row && templateOf(row);
  },
  update: (row: TemplateRow): void => updateRow(database, "templates", "templateId", storedOf(row)),
  list: ({ status, ...query }: TemplatesQuery): TemplateRow[] =>
    rowsById<StoredTemplate>(
      database,
      { table: "templates", id: "templateId" },
      query,
      (values) => {
        if (status === undefined) return "TRUE";
        values.push(status);
        return inState;
      },
    ).map(templateOf),
  all: (): TemplateRow[] =>
    database.all<StoredTemplate>("SELECT * FROM templates ORDER BY templateId").map(templateOf),
  remove: (templateId: string): void =>
    void database.run("DELETE FROM templates WHERE templateId = ?", templateId),
  removeOf: (pfId: string): void => void database.run("DELETE FROM templates WHERE pfId = ?", pfId),
});

const inState = `EXISTS (SELECT 1 FROM json_each(templates.codes) AS entry
  WHERE json_extract(entry.value, '$.status') = ?)`;
