/** Linked channels, the tokens that link them, and their templates with the state at each provider. */
import type { Template } from "../../contract/kakao.ts";
import type { TemplateV2 } from "../../contract/kakao-v2.ts";
import type { Database } from "./driver.ts";
import { createTable, insertRow, type PageQuery, type Times } from "./rows.ts";

export interface ChannelRow extends Times {
  readonly pfId: string;
  readonly accountId: string;
  /** Without @. */
  readonly searchId: string;
  readonly phoneNumber: string;
  readonly senderKey: string;
  readonly categoryCode: string;
}

export interface TokenRow
  extends Pick<ChannelRow, "accountId" | "searchId" | "phoneNumber" | "created"> {
  readonly seq: number;
  readonly used: number;
}

export const createChannels = (database: Database) => {
  const channels = createTable<ChannelRow>(database, "channels", "pfId");
  const tokens = createTable<TokenRow>(database, "link_tokens", "seq");
  return {
    ...channels,
    bySearchId: (accountId: string, searchId: string): ChannelRow | undefined =>
      channels.select("WHERE accountId = ? AND searchId = ?", [accountId, searchId])[0],
    addToken: (token: Omit<TokenRow, "seq" | "used">): void =>
      insertRow(database, "link_tokens", token),
    /** The newest token of an account for a channel and a phone, with hyphens or without. */
    lastToken: (accountId: string, searchId: string, phoneNumber: string): TokenRow | undefined =>
      tokens.select(
        `WHERE accountId = ? AND searchId = ?
         AND replace(phoneNumber, '-', '') = replace(?, '-', '') ORDER BY seq DESC LIMIT 1`,
        [accountId, searchId, phoneNumber],
      )[0],
    useToken: (seq: number): void => tokens.update({ seq, used: 1 }),
    tokens: tokens.newest,
  };
};

/** A template as it is stored. */
export interface TemplateRow
  extends Pick<Template, "templateId" | "accountId" | "pfId" | "name" | "content">,
    Times {
  readonly buttons: Template["buttons"];
  readonly codes: Template["codes"];
  /** 1 if it is hidden. */
  readonly isHidden: number;
  /** The members that only the newer paths have. */
  readonly extras: TemplateExtras;
}

export type TemplateExtras = Partial<
  Omit<TemplateV2, keyof Template | "channelId" | "channelGroupId" | "comments" | "status" | "code">
>;

/** A template is in a state if one of its providers has it in that state; `state` is SQL. */
export const inState = (state: string): string =>
  `EXISTS (SELECT 1 FROM json_each(templates.codes) AS entry
   WHERE json_extract(entry.value, '$.status') = ${state})`;

const json = ["buttons", "codes", "extras"] as const;
type Json = (typeof json)[number];

export const createTemplates = (database: Database) => {
  const templates = createTable<TemplateRow, Json>(database, "templates", "templateId", json);
  return {
    ...templates,
    /** `status` is a state that one of the providers' entries has. */
    page: (query: PageQuery<keyof TemplateRow>, status: string | undefined): TemplateRow[] =>
      templates.page(query, (values) => {
        if (status === undefined) return "TRUE";
        values.push(status);
        return inState("?");
      }),
    /** In review, the oldest first. */
    inReview: (limit: number): TemplateRow[] =>
      templates.select(`WHERE ${inState("'INSPECTING'")} ORDER BY updated, templateId LIMIT ?`, [
        limit,
      ]),
    /** Templates in any state, the last changed first. */
    changed: (limit: number): TemplateRow[] =>
      templates.select("ORDER BY updated DESC, templateId DESC LIMIT ?", [limit]),
    removeOf: (pfId: string): void =>
      void database.run("DELETE FROM templates WHERE pfId = ?", [pfId]),
  };
};
