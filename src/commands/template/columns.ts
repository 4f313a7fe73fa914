/** Columns that the commands for templates share: where one stands at each provider. */
import type { Template } from "../../contract/kakao-templates.ts";

const statusAt = ({ codes }: Template, service: string): string =>
  codes.find((it) => it.service === service)?.status ?? "-";

export const atProviders = [
  { name: "providerA", value: (row: Template) => statusAt(row, "providerA") },
  { name: "biz", value: (row: Template) => statusAt(row, "biz") },
] as const;

export const templateColumns = [
  "templateId",
  "name",
  { name: "channel", value: (row: Template) => row.pfId },
  ...atProviders,
  "dateUpdated",
] as const;

export const writtenColumns = ["templateId", "name", ...atProviders] as const;

/** One comment a row, oldest first. */
export const commentRows = ({ codes }: Template) =>
  codes
    .flatMap(({ service, comments }) => comments.map((it) => ({ ...it, service })))
    .sort((a, b) => a.dateCreated.localeCompare(b.dateCreated))
    .map(({ dateCreated, isAdmin, memberId, service, content }) => ({
      dateCreated,
      by: isAdmin ? "staff" : memberId,
      service,
      content,
    }));

export const commentColumns = ["dateCreated", "by", "service", "content"] as const;
