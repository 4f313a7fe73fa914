/** The newer paths of Kakao, as views of the same channels and templates. */
import type * as Declared from "../../contract/kakao-v2.ts";
import { fillTemplate } from "../../message/kakao-template.ts";
import { hasState, withState } from "../rules/templates.ts";
import { type Handler, validationError } from "../service.ts";
import type { ChannelRow, TemplateExtras, TemplateRow } from "../store/kakao.ts";
import * as channels from "./kakao-channels.ts";
import * as templates from "./kakao-templates.ts";
import { datesOf } from "./records.ts";

export const listTemplateCategoriesV2: Handler<"listTemplateCategoriesV2"> = () =>
  [
    { code: "003001", name: "Delivery status", groupName: "Delivery" },
    { code: "004001", name: "Order", groupName: "Purchase" },
    { code: "999999", name: "Other", groupName: "Other" },
  ].map((category) => ({ ...category, inclusion: "", exclusion: "" }));

const defaults = {
  categoryCode: "999999",
  messageType: "BA",
  emphasizeType: "NONE",
  securityFlag: false,
  quickReplies: [],
  highlight: null,
  item: null,
  extra: null,
  ad: null,
  emphasizeTitle: null,
  emphasizeSubtitle: null,
  header: null,
  imageId: null,
};

/** The state is that of its main provider. */
const templateRecord = (row: TemplateRow): Declared.TemplateV2 => {
  const main = row.codes.find(({ service }) => service === "biz") ?? row.codes[0];
  return {
    ...defaults,
    ...row.extras,
    templateId: row.templateId,
    name: row.name,
    channelId: row.pfId,
    channelGroupId: null,
    assignType: "CHANNEL",
    accountId: row.accountId,
    content: row.content,
    status: main?.status ?? "PENDING",
    code: main?.code ?? null,
    comments: main?.comments ?? [],
    commentable: true,
    isHidden: row.isHidden === 1,
    isDeleted: false,
    buttons: row.buttons.map((it) => ({
      ...templates.noLinks,
      chatExtra: null,
      targetOut: false,
      ...it,
    })),
    variables: fillTemplate(row, {}).missing.map((name) => ({ name })),
    ...datesOf(row),
  };
};

/** The members that the newer paths add, in one spelling. */
const extrasOf = ({
  emphasizeSubTitle,
  ...extras
}: TemplateExtras & { readonly emphasizeSubTitle?: string | null }): TemplateExtras => ({
  ...extras,
  ...(emphasizeSubTitle !== undefined && { emphasizeSubtitle: emphasizeSubTitle }),
});

export const createTemplateV2: Handler<"createTemplateV2"> = ({ body }, service) => {
  const { channelId: pfId, channelGroupId, name, content, buttons, ...extras } = body;
  if (!pfId === !channelGroupId)
    throw validationError("'channelId' or 'channelGroupId' is needed, and one of them only.");
  const { templateId } = templates.createTemplate(
    { body: { pfId: pfId || `${channelGroupId}`, name, content, buttons } },
    service,
  );
  const added = { extras: extrasOf(extras) };
  return templateRecord(templates.changeTemplate(templateId, service, () => added));
};

export const updateTemplateV2: Handler<"updateTemplateV2"> = ({ params, body }, service) => {
  const { name, content, buttons, ...extras } = body;
  if (Object.keys(body).length === 0) throw validationError("The body names nothing to change.");
  const row = templates.ownTemplate(params.templateId, service);
  templates.updateTemplate({ params, body: { name: name ?? row.name, content, buttons } }, service);
  const added = { extras: { ...row.extras, ...extrasOf(extras) } };
  return templateRecord(templates.changeTemplate(params.templateId, service, () => added));
};

export const renameTemplateV2: Handler<"renameTemplateV2"> = ({ params, body }, service) => {
  const { name } = body;
  templates.checkTemplate({ name });
  return templateRecord(templates.changeTemplate(params.templateId, service, () => ({ name })));
};

export const deleteTemplateV2: Handler<"deleteTemplateV2"> = (input, service) => {
  const record = getTemplateV2(input, service);
  templates.deleteTemplate(input, service);
  return { ...record, isDeleted: true };
};

export const getTemplateV2: Handler<"getTemplateV2"> = ({ params }, service) =>
  templateRecord(templates.ownTemplate(params.templateId, service));

export const listTemplatesV2: Handler<"listTemplatesV2"> = ({ query = {} }, service) => {
  // Unlike the older path, this one shows hidden templates only on request.
  const { channelId, channelGroupId, isHidden = false, ...rest } = query;
  // The sandbox has no channel groups.
  const pfId = channelGroupId ?? channelId;
  const { rows, keys } = templates.templatePage({ ...rest, isHidden, pfId }, service);
  return { ...keys, templateList: rows.map(templateRecord) };
};

export const listSendableTemplatesV2: Handler<"listSendableTemplatesV2"> = (
  { query = {} },
  { store, caller },
) => {
  const { channelId, templateId, senderKey, templateCode } = query;
  const isMatch = (row: TemplateRow): boolean =>
    row.accountId === caller.accountId &&
    row.pfId === (channelId ?? row.pfId) &&
    row.templateId === (templateId ?? row.templateId) &&
    (!senderKey || store.channels.read(row.pfId)?.senderKey === senderKey) &&
    (!templateCode || row.codes.some(({ code }) => code === templateCode));
  return store.templates
    .all()
    .filter((row) => hasState(row, "APPROVED") && isMatch(row))
    .map(templateRecord);
};

export const requestReviewV2: Handler<"requestReviewV2"> = ({ params, body }, service) => {
  const { comment } = body;
  templates.requestReview({ params, body: {} }, service);
  if (comment) templates.commentTemplate({ params, body: { comment } }, service);
  return getTemplateV2({ params }, service);
};

/** Resets entries of one state to PENDING. */
const resetFrom =
  (state: "INSPECTING" | "APPROVED"): Handler<"cancelReviewV2"> =>
  ({ params }, service) => {
    const pending = templates.changeTemplate(params.templateId, service, (row) => {
      if (!hasState(row, state)) throw templates.wrongState(row, `taken back from ${state}`);
      return withState(row, state, "PENDING");
    });
    return templateRecord(pending);
  };

export const cancelReviewV2 = resetFrom("INSPECTING");
export const cancelApprovalV2 = resetFrom("APPROVED");
/** No template is ever dormant here. */
export const releaseDormantV2 = getTemplateV2;

const channelRecord = (row: ChannelRow): Declared.ChannelV2 => ({
  channelId: row.pfId,
  searchId: row.searchId,
  accountId: row.accountId,
  phoneNumber: row.phoneNumber,
  sharedAccountIds: [],
  isBrand: false,
  ...datesOf(row),
});

export const listChannelCategoriesV2 = channels.listCategories;

/** The category is chosen only when the channel is linked. */
export const requestLinkTokenV2: Handler<"requestLinkTokenV2"> = ({ body }, service) =>
  channels.requestLinkToken({ body: { ...body, categoryCode: "00100010001" } }, service);

export const linkChannelV2: Handler<"linkChannelV2"> = (input, service) =>
  channelRecord(channels.ownChannel(channels.linkChannel(input, service).pfId, service));

export const listChannelsV2: Handler<"listChannelsV2"> = ({ query = {} }, service) => {
  const { channelId: pfId, ...rest } = query;
  const { rows, keys } = channels.channelPage({ ...rest, pfId }, service);
  return { ...keys, channelList: rows.map(channelRecord) };
};

export const getChannelV2: Handler<"getChannelV2"> = ({ params }, service) =>
  channelRecord(channels.ownChannel(params.channelId, service));

export const unlinkChannelV2: Handler<"unlinkChannelV2"> = (input, service) => {
  const record = getChannelV2(input, service);
  channels.unlinkChannel({ params: { pfId: input.params.channelId } }, service);
  return record;
};
