/** The staff's side of Kakao: decisions on templates. */
import type { Input, Reply } from "../../contract/endpoint.ts";
import type { Controls } from "../../contract/sandbox.ts";
import { templateRecord } from "../handlers/kakao-templates.ts";
import { withComment, withDecision } from "../rules/templates.ts";
import { Refusal } from "../service.ts";
import type { Bench } from "./bench.ts";

/** The member that the service's staff write as. */
const staff = "MEMSANDBOX0000";

export const reviewTemplate = (
  { body: { templateId, decision, comment } }: Input<Controls["reviewTemplate"]>,
  { store, now }: Bench,
): Reply<Controls["reviewTemplate"]> => {
  const row = store.templates.read(templateId);
  if (row === undefined) {
    throw new Refusal(404, "TemplateNotFound", `There is no template '${templateId}'.`);
  }
  if (!row.codes.some(({ status }) => status === "INSPECTING")) {
    const text = "Nobody asked for a review: msg template request-review does.";
    throw new Refusal(409, "FailedToUpdate", text);
  }
  const decided = withDecision(row, decision === "approve" ? "APPROVED" : "REJECTED");
  const said = comment ?? (decision === "reject" ? "Rejected by the sandbox's staff." : undefined);
  const commented =
    said === undefined
      ? decided
      : withComment(decided, { isAdmin: true, memberId: staff, content: said }, now);
  const stored = { ...commented, updated: now.getTime() };
  store.templates.update(stored);
  return templateRecord(stored);
};
