/** How a template moves through its review. Pure: rows in, rows out. */
import type { ReviewState, Template, TemplateCode } from "../../contract/kakao.ts";
import { timeOf } from "../clock.ts";
import { decimalSeal } from "../store/ids.ts";
import type { TemplateRow } from "../store/kakao.ts";

/** True if every provider's entry is in one of these states. */
export const isIn = ({ codes }: TemplateRow, ...states: readonly ReviewState[]): boolean =>
  codes.every(({ status }) => states.includes(status));

/** True if a provider's entry is in this state; in APPROVED the template can be sent. */
export const hasState = ({ codes }: TemplateRow, state: ReviewState): boolean =>
  codes.some(({ status }) => status === state);

type Edit = { readonly [K in "name" | "content" | "buttons"]?: Template[K] | undefined };

/** With other parts, PENDING at both providers; comments stay. */
export const withEdit = (row: TemplateRow, edit: Edit, now: number): TemplateRow => {
  const { name = row.name, content = row.content, buttons = row.buttons } = edit;
  return { ...row, name, content, buttons, codes: bothPending(row, now) };
};

const bothPending = (row: TemplateRow, now: number): TemplateCode[] =>
  (["providerA", "biz"] as const).map((service) => ({
    status: "PENDING",
    code: codeOf(row, now),
    service,
    comments: row.codes.find((it) => it.service === service)?.comments ?? [],
  }));

/** Every entry that waits goes to review; a REJECTED one stays. */
export const withReviewAsked = (row: TemplateRow, now: number): TemplateRow => ({
  ...row,
  codes: row.codes.map((entry) =>
    entry.status === "PENDING"
      ? { ...entry, status: "INSPECTING", code: entry.code ?? codeOf(row, now) }
      : entry,
  ),
});

/** Moves every entry of one state to another. */
export const withState = (row: TemplateRow, from: ReviewState, status: ReviewState) => ({
  ...row,
  codes: row.codes.map((entry) => (entry.status === from ? { ...entry, status } : entry)),
});

/** A comment belongs to the entry of `biz`, else to the only one. */
export const withComment = (
  row: TemplateRow,
  remark: Omit<TemplateCode["comments"][number], "dateCreated">,
  now: number,
): TemplateRow => {
  const biz = row.codes.findIndex(({ service }) => service === "biz");
  const at = Math.max(0, biz);
  const comment = { ...remark, dateCreated: timeOf(now) };
  return {
    ...row,
    codes: row.codes.map((entry, index) =>
      index === at ? { ...entry, comments: [...entry.comments, comment] } : entry,
    ),
  };
};

/** The providers' code: the same for both, kept once it was given. */
const codeOf = ({ codes, templateId }: TemplateRow, now: number): string => {
  const known = codes.find(({ code }) => code)?.code;
  if (known) return known;
  const second = timeOf(now).replaceAll(/\D/g, "").slice(0, 14);
  return `bizp_${second}${decimalSeal(templateId, 0, 0, 12)}`;
};
