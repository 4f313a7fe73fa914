/** The newer paths of Kakao: the same channels and templates under other names, one state for each template. */
import * as v from "valibot";
import { endpoint, endpointWith } from "./endpoint.ts";
import { choice, dated, flag, id, json, keys, list, text, texts } from "./fields.ts";
import {
  comment,
  createTemplate,
  listCategories,
  listChannels,
  listTemplates,
  requestLinkToken,
  reviewStates,
  templateButton,
} from "./kakao.ts";
import { buttonLinks } from "./message-records.ts";
import { kakaoRead, kakaoWrite } from "./needs.ts";

const read = endpointWith({ method: "GET", effect: "safe", needs: kakaoRead, beyond: true });
const write = endpointWith({ effect: "settling", needs: kakaoWrite, beyond: true });

const words = (description: string) => v.nullish(text(description));

const button = v.object({
  ...templateButton.entries,
  chatExtra: words("data passed to the consultation or the bot, for BC and BT"),
  targetOut: v.nullish(flag("open the address in a separate browser")),
});

const quickReply = v.object({
  name: text("label of the reply"),
  linkType: text("WL, AL, BK, BT or BC"),
  ...buttonLinks,
  chatExtra: words("data passed to the consultation or the bot"),
  targetOut: v.nullish(flag("open the address in a separate browser")),
});

const noted = (description: string) => v.exactOptional(v.nullable(text(description)));
const templateCategory = text("category of the template: a code of /kakao/v2/templates/categories");

/** Members of a template that the older paths do not have. */
const templateExtras = {
  messageType: v.exactOptional(
    choice(["BA", "EX", "AD", "MI"], "basic, extra, channel add, mixed"),
  ),
  emphasizeType: v.exactOptional(
    choice(["NONE", "TEXT", "IMAGE", "ITEM_LIST"], "what is emphasized"),
  ),
  quickReplies: v.exactOptional(list(quickReply, "replies to tap, ten at most")),
  header: noted("line above an item list"),
  highlight: v.exactOptional(v.nullable(json("title, description and imageId of an item list"))),
  item: v.exactOptional(v.nullable(json("list and summary of an item list"))),
  extra: noted("extra information, for EX and MI"),
  ad: noted("fixed sentence of the platform, for AD and MI"),
  emphasizeTitle: noted("emphasized title"),
  emphasizeSubtitle: noted("line above the emphasized title"),
  emphasizeSubTitle: noted("the same, as some clients spell it"),
  securityFlag: v.exactOptional(flag("hide the message on a PC")),
  imageId: noted("picture of type ATA"),
} as const;

const { name, content } = createTemplate.body.entries;
const buttons = v.optional(list(button, "at most five buttons"));

const nullableText = v.nullable(v.string());
const anything = v.record(v.string(), v.unknown());

/** A template with one state, that of its main provider. */
const template = v.object({
  templateId: v.string(),
  name: v.string(),
  channelId: nullableText,
  channelGroupId: nullableText,
  assignType: v.picklist(["CHANNEL", "GROUP"]),
  accountId: v.string(),
  categoryCode: v.string(),
  content: v.string(),
  status: v.picklist(reviewStates),
  code: nullableText,
  comments: v.array(comment),
  commentable: v.boolean(),
  isHidden: v.boolean(),
  isDeleted: v.boolean(),
  securityFlag: v.boolean(),
  messageType: v.string(),
  emphasizeType: v.string(),
  extra: nullableText,
  ad: nullableText,
  emphasizeTitle: nullableText,
  emphasizeSubtitle: nullableText,
  header: nullableText,
  imageId: nullableText,
  buttons: v.array(button),
  quickReplies: v.array(quickReply),
  highlight: v.nullable(anything),
  item: v.nullable(anything),
  variables: v.array(v.object({ name: v.string() })),
  ...dated,
});

const channel = v.object({
  channelId: v.string(),
  searchId: v.string(),
  accountId: v.string(),
  phoneNumber: v.string(),
  sharedAccountIds: v.array(v.string()),
  isBrand: v.boolean(),
  ...dated,
});

const oneTemplate = "/kakao/v2/templates/:templateId";

export const listTemplateCategoriesV2 = read({
  does: "List the categories of templates",
  path: "/kakao/v2/templates/categories",
  reply: v.array(texts("code", "name", "groupName", "inclusion", "exclusion")),
});

export const createTemplateV2 = endpoint({
  does: "Create a template",
  method: "POST",
  path: "/kakao/v2/templates",
  effect: "unsafe",
  needs: kakaoWrite,
  beyond: true,
  checkWith: "msg template list --date-created gte:<since>",
  body: v.object({
    channelId: words("linked channel that the template belongs to"),
    channelGroupId: words("group of channels that it belongs to"),
    name,
    content,
    buttons,
    categoryCode: templateCategory,
    ...templateExtras,
  }),
  reply: template,
  proof: ["templateId"],
});

export const updateTemplateV2 = write({
  does: "Update a template; its review starts again",
  method: "PUT",
  path: oneTemplate,
  body: v.object({
    name: v.optional(name),
    content: v.optional(content),
    buttons,
    categoryCode: v.exactOptional(templateCategory),
    ...templateExtras,
  }),
  reply: template,
});

export const renameTemplateV2 = write({
  does: "Rename a template in any state",
  method: "PUT",
  path: `${oneTemplate}/name`,
  body: v.object({ name }),
  reply: template,
});

export const deleteTemplateV2 = write({
  does: "Delete a template",
  method: "DELETE",
  path: oneTemplate,
  reply: template,
});

export const getTemplateV2 = read({
  does: "Show a template",
  path: oneTemplate,
  reply: template,
});

const { pfId: ofChannel, ...templateFilters } = listTemplates.query;

export const listTemplatesV2 = read({
  does: "List templates, newest first",
  path: "/kakao/v2/templates",
  page: { by: "key", items: "templateList" },
  query: {
    ...templateFilters,
    channelId: ofChannel,
    channelGroupId: id("only templates of this group of channels"),
    isHidden: flag("only hidden templates; default: only visible ones"),
    status: choice(reviewStates, "only templates in this state"),
    isMine: flag("only templates that the caller may edit"),
  },
  reply: v.object({ ...keys, limit: v.number(), templateList: v.array(template) }),
});

export const listSendableTemplatesV2 = read({
  does: "List the templates that can be sent with",
  path: "/kakao/v2/templates/sendable",
  query: {
    channelId: ofChannel,
    templateId: templateFilters.templateId,
    senderKey: id("only templates of the channel with this key"),
    templateCode: id("only the template with this code"),
  },
  reply: v.array(template),
});

/** A change of state without a body. */
const turned = <const P extends `/${string}`>(does: string, path: P) =>
  write({ does, method: "PUT", path, body: v.object({}), reply: template });

export const requestReviewV2 = endpoint({
  ...turned("Ask the service to review a template", `${oneTemplate}/inspection`),
  body: v.object({ comment: words("comment for the reviewers") }),
});
export const cancelReviewV2 = turned("Cancel a review", `${oneTemplate}/inspection/cancel`);
export const cancelApprovalV2 = turned("Cancel an approval", `${oneTemplate}/approval/cancel`);
// The service misspells this path.
export const releaseDormantV2 = endpoint({
  ...turned("Reactivate a dormant template", `${oneTemplate}/relese-dormant`),
  method: "POST",
});

export const listChannelCategoriesV2 = endpoint({
  ...listCategories,
  path: "/kakao/v2/channels/categories",
  beyond: true,
});

const { searchId, phoneNumber, categoryCode } = requestLinkToken.body.entries;

export const requestLinkTokenV2 = endpoint({
  ...requestLinkToken,
  path: "/kakao/v2/channels/token",
  beyond: true,
  body: v.object({ searchId, phoneNumber }),
});

export const linkChannelV2 = write({
  does: "Link a channel",
  method: "POST",
  path: "/kakao/v2/channels",
  body: v.object({
    searchId,
    phoneNumber,
    categoryCode,
    token: text("token that came by Kakao message"),
  }),
  reply: channel,
});

const { pfId: channelId, ...channelFilters } = listChannels.query;

export const listChannelsV2 = read({
  does: "List the linked channels, newest first",
  path: "/kakao/v2/channels",
  page: { by: "key", items: "channelList" },
  query: { channelId, isMine: flag("only channels of the caller"), ...channelFilters },
  reply: v.object({ ...keys, limit: v.number(), channelList: v.array(channel) }),
});

export const getChannelV2 = read({
  does: "Show a linked channel",
  path: "/kakao/v2/channels/:channelId",
  reply: channel,
});

export const unlinkChannelV2 = write({
  does: "Unlink a channel; its templates are deleted with it",
  method: "DELETE",
  path: "/kakao/v2/channels/:channelId",
  reply: channel,
});

export type TemplateV2 = v.InferOutput<typeof template>;
export type ChannelV2 = v.InferOutput<typeof channel>;
