import { command } from "../../cli/command.ts";
import { shapedReply } from "../../client/codec.ts";
import { getTemplate, listTemplates, type Template } from "../../contract/kakao.ts";

const statusAt = ({ codes }: Template, ...services: readonly string[]): string | null =>
  codes.find((it) => services.includes(it.service))?.status ?? null;

export const atProviders = [
  // The service itself names it `daou`; its documentation does not.
  { name: "providerA", value: (row: Template) => statusAt(row, "providerA", "daou") },
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

/** One comment in each row, oldest first. */
export const commentRows = (template: Template) =>
  shapedReply(getTemplate, template)
    .codes.flatMap(({ service, comments }) => comments.map((it) => ({ ...it, service })))
    .sort((a, b) => a.dateCreated.localeCompare(b.dateCreated))
    .map(({ dateCreated, isAdmin, memberId, service, content }) => ({
      dateCreated,
      by: isAdmin ? "staff" : memberId,
      service,
      content,
    }));

export const commentColumns = ["dateCreated", "by", "service", "content"] as const;

export default command({
  endpoint: listTemplates,
  columns: templateColumns,
  examples: [
    "msg template list --sandbox",
    "msg template list --status APPROVED --name like:order",
    "msg template list --date-created gte:2026-01-01 --date-created lt:2026-02-01",
    "msg template list --all --json --fields templateId,name,content",
  ],
});
