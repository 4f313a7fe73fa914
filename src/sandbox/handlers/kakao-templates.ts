/** Kakao templates: written, reviewed, listed. */
import { declared, type QueryOf } from "../../contract/endpoint.ts";
import * as Declared from "../../contract/kakao.ts";
import { templateProblems } from "../../message/kakao-template.ts";
import { hasState, isIn, withComment, withEdit, withReviewAsked } from "../rules/templates.ts";
import { type Handler, Refusal, type Service, validationError } from "../service.ts";
import { recordIdOf } from "../store/ids.ts";
import type { TemplateRow } from "../store/kakao.ts";
import { recordFilters } from "./filters.ts";
import { ownChannel } from "./kakao-channels.ts";
import { dated, ownRecord, recordPage } from "./records.ts";

export const createTemplate: Handler<"createTemplate"> = ({ body }, service) => {
  const { store, caller, now, idSeed } = service;
  const { pfId, name, content, buttons = [] } = body;
  checkTemplate({ name, content, buttons });
  ownChannel(pfId, service);
  const seq = store.nextNumber("template");
  const row: TemplateRow = {
    templateId: recordIdOf("KA01TP", seq, now, idSeed),
    accountId: caller.accountId,
    pfId,
    name,
    content,
    buttons,
    codes: [{ status: "PENDING", code: null, service: "biz", comments: [] }],
    isHidden: 0,
    extras: {},
    created: now,
    updated: now,
  };
  store.templates.insert(row);
  return templateRecord(row);
};

export const updateTemplate: Handler<"updateTemplate"> = ({ params, body }, service) => {
  if (Object.values(body).every((part) => part === undefined))
    throw validationError("'name', 'content' or 'buttons' is needed.");
  checkTemplate(body);
  const updated = changeTemplate(params.templateId, service, (row) => {
    if (!isIn(row, "PENDING", "REJECTED")) throw wrongState(row, "updated");
    return withEdit(row, body, service.now);
  });
  service.assume("template-copies");
  const record = templateRecord(updated);
  return { providerA: record, biz: record };
};

export const commentTemplate: Handler<"commentTemplate"> = ({ params, body }, service) => {
  const { comment: content } = body;
  if (content === "" || content.length > 1000)
    throw validationError("'comment' must have 1 to 1,000 characters.");
  service.assume("comment-length");
  const remark = { isAdmin: false, memberId: service.caller.memberId, content };
  const commented = changeTemplate(params.templateId, service, (row) =>
    withComment(row, remark, service.now),
  );
  return templateRecord(commented);
};

export const hideTemplate: Handler<"hideTemplate"> = ({ params, body }, service) => {
  const changed = { isHidden: Number(body.isHidden) };
  return templateRecord(changeTemplate(params.templateId, service, () => changed));
};

export const requestReview: Handler<"requestReview"> = ({ params }, service) => {
  const asked = changeTemplate(params.templateId, service, (row) => {
    if (!hasState(row, "PENDING")) throw wrongState(row, "sent to review");
    return withReviewAsked(row, service.now);
  });
  return templateRecord(asked);
};

export const getTemplate: Handler<"getTemplate"> = ({ params }, service) =>
  templateRecord(ownTemplate(params.templateId, service));

export const deleteTemplate: Handler<"deleteTemplate"> = ({ params }, service) => {
  const row = ownTemplate(params.templateId, service);
  if (!isIn(row, "PENDING", "REJECTED")) throw wrongState(row, "deleted");
  service.store.templates.remove(row.templateId);
  return { ...templateRecord(row), status: "DELETED" };
};

export const listTemplates: Handler<"listTemplates"> = ({ query = {} }, service) => {
  const { rows, keys } = templatePage(query, service);
  return { ...keys, templateList: rows.map(templateRecord) };
};

export const templatePage = (query: QueryOf<typeof Declared.listTemplates>, service: Service) => {
  const { templates } = service.store;
  const filters = recordFilters(query, ["name", "pfId", "templateId", "isHidden"]);
  service.assume("status-filter");
  return recordPage(query, service, filters, {
    ...templates,
    page: (asked) => templates.page(asked, query.status),
  });
};

export const templateRecord = (template: TemplateRow): Declared.Template => {
  const { extras: _, ...row } = dated(template);
  return {
    ...row,
    isHidden: row.isHidden === 1,
    // Only these members: under the newer paths a button may have more.
    buttons: row.buttons.map((it) => declared(Declared.templateButton, { ...noLinks, ...it })),
    codes: row.codes.map(({ code = null, ...entry }) => ({ ...entry, code })),
  };
};

/** A button shows every link, also those that it lacks. */
export const noLinks = { linkMo: null, linkPc: null, linkAnd: null, linkIos: null };

/** Stores the caller's template with the members that `change` returns, updated now. */
export const changeTemplate = (
  templateId: string,
  service: Service,
  change: (row: TemplateRow) => Partial<TemplateRow>,
): TemplateRow => {
  const row = ownTemplate(templateId, service);
  const stored = { ...row, ...change(row), updated: service.now };
  service.store.templates.update(stored);
  return stored;
};

export const ownTemplate = (templateId: string, service: Service): TemplateRow => {
  const row = service.store.templates.read(templateId);
  return ownRecord(row, `template '${templateId}'`, service, "TemplateNotFound");
};

export const wrongState = ({ codes }: TemplateRow, done: string): Refusal => {
  const states = codes.map(({ service, status }) => `${service} ${status}`).join(", ");
  return new Refusal(409, "FailedToUpdate", `The template cannot be ${done} as it is: ${states}.`);
};

export const checkTemplate = (parts: Parameters<typeof templateProblems>[0]): void => {
  const problems = templateProblems(parts);
  if (problems.length === 0) return;
  const sentences = problems.map(({ field, text }) => `'${field}' ${text}`);
  throw validationError(`${sentences.join("; ")}.`);
};
