/** Linked channels, the tokens that link them, and their templates with the state at each provider. */
import type { Template } from "../../contract/kakao.ts";
import type { TemplateV2 } from "../../contract/kakao-v2.ts";
import type { Database, Value } from "./driver.ts";
import { createTable, insertRow, type PageQuery } from "./rows.ts";

export interface ChannelRow {
  readonly pfId: string;
  readonly accountId: string;
  /** Without @. */
  readonly searchId: string;
  readonly phoneNumber: string;
  readonly senderKey: string;
  readonly categoryCode: string;
  readonly created: number;
  readonly updated: number;
}

export interface TokenRow
  extends Pick<ChannelRow, "accountId" | "searchId" | "phoneNumber" | "created"> {
  readonly seq: number;
  readonly used: number;
}

export const createChannels = (database: Database) => ({
  ...createTable<ChannelRow>(database, "channels", "pfId"),
  bySearchId: (accountId: string, searchId: string): ChannelRow | undefined => {
    const sql = "SELECT * FROM channels WHERE accountId = ? AND searchId = ?";
    return database.get(sql, [accountId, searchId]);
  },
  addToken: (token: Omit<TokenRow, "seq" | "used">): void =>
    insertRow(database, "link_tokens", token),
  /** The newest token of an account for a channel and a phone, with hyphens or without. */
  lastToken: (accountId: string, searchId: string, phoneNumber: string): TokenRow | undefined =>
    database.get(
      `SELECT * FROM link_tokens WHERE accountId = ? AND searchId = ?
         AND replace(phoneNumber, '-', '') = replace(?, '-', '') ORDER BY seq DESC LIMIT 1`,
      [accountId, searchId, phoneNumber],
    ),
  useToken: (seq: number): void =>
    void database.run("UPDATE link_tokens SET used = 1 WHERE seq = ?", [seq]),
  /** The newest, so many at most. */
  tokens: (max: number): TokenRow[] =>
    database.all("SELECT * FROM link_tokens ORDER BY seq DESC LIMIT ?", [max]),
});

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

/** A template is in a state where one of its providers has it so; `state` is SQL. */
export const inState = (state: string): string =>
  `EXISTS (SELECT 1 FROM json_each(templates.codes) AS entry
   WHERE json_extract(entry.value, '$.status') = ${state})`;

export const createTemplates = (database: Database) => {
  const templates = createTable<StoredTemplate>(database, "templates", "templateId");
  return {
    insert: (row: TemplateRow): void => templates.insert(storedOf(row)),
    read: (templateId: string): TemplateRow | undefined => {
      const row = templates.read(templateId);
      return row && templateOf(row);
    },
    update: (row: TemplateRow): void => templates.update(storedOf(row)),
    /** `status` is a state that one of the providers' entries has. */
    page: (query: PageQuery<keyof TemplateRow>, status: string | undefined): TemplateRow[] => {
      const condition = (values: Value[]): string => {
        if (status === undefined) return "TRUE";
        values.push(status);
        return inState("?");
      };
      return templates.page(query, condition).map(templateOf);
    },
    all: (): TemplateRow[] => templates.all().map(templateOf),
    remove: templates.remove,
    idOf: ({ templateId }: TemplateRow): string => templateId,
    removeOf: (pfId: string): void =>
      void database.run("DELETE FROM templates WHERE pfId = ?", [pfId]),
  };
};
