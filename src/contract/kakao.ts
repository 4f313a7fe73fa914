/** Kakao channels, and message templates with their review. */
import * as v from "valibot";
import { byKey } from "./bounded.ts";
import { endpoint, endpointWith } from "./endpoint.ts";
import {
  choice,
  date,
  dated,
  flag,
  id,
  keys,
  list,
  operators,
  secret,
  text,
  timestamp,
} from "./fields.ts";
import { buttonLinks } from "./message-records.ts";
import { kakaoRead, kakaoWrite } from "./needs.ts";

const read = endpointWith({ method: "GET", effect: "safe", needs: kakaoRead });
const write = endpointWith({ effect: "settling", needs: kakaoWrite });

const channel = v.object({
  accountId: v.string(),
  phoneNumber: v.string(),
  searchId: v.string(),
  ...dated,
  pfId: v.string(),
  senderKeys: v.array(v.object({ service: v.string(), key: v.string(), categoryCode: v.string() })),
});

// An id, not a text: its @ would be read as a file.
const searchId = id("search id of the channel; a leading @ is ignored");
const phoneNumber = text("phone number of the channel's manager, who receives the token", {
  kind: "phone",
  flag: "phone",
});
const categoryCode = text("category code of the channel; list: msg channel categories", {
  flag: "category",
});

export const listCategories = read({
  does: "List the categories of channels",
  path: "/kakao/v1/categories",
  reply: v.array(v.object({ code: v.string(), name: v.string() })),
});

export const requestLinkToken = endpoint({
  does: "Request the token that links a channel",
  method: "POST",
  path: "/kakao/v1/plus-friends/token",
  effect: "unsafe",
  checkWith: "see whether the token came to the phone",
  needs: kakaoWrite,
  body: v.object({ searchId, phoneNumber, categoryCode }),
  reply: v.object({ success: v.boolean() }),
  proof: ["success"],
});

export const linkChannel = write({
  does: "Link a channel",
  method: "POST",
  path: "/kakao/v1/plus-friends",
  body: v.object({
    searchId,
    phoneNumber,
    categoryCode,
    token: secret("token that came by Kakao message"),
  }),
  reply: channel,
  proof: ["pfId"],
});

export const listChannels = read({
  does: "List the linked channels, newest first",
  path: "/kakao/v1/plus-friends",
  page: { by: "key", items: "friends" },
  query: {
    pfId: id("only this channel"),
    categoryCode: text("only channels of this category"),
    searchId: operators(id("the channel's search id"), "eq", "ne", "like"),
    phoneNumber: operators(text("phone of the channel's manager"), "eq", "ne", "like"),
    ...byKey,
    dateCreated: operators(date("when it was linked"), "eq", "gte", "lte", "gt", "lt"),
    dateUpdated: operators(date("when it was updated"), "eq", "gte", "lte", "gt", "lt"),
  },
  reply: v.object({ limit: v.number(), friends: v.array(channel), ...keys }),
});

export const getChannel = read({
  does: "Show a linked channel",
  path: "/kakao/v1/plus-friends/:pfId",
  reply: channel,
});

export const unlinkChannel = write({
  does: "Unlink a channel; its templates are deleted with it",
  method: "DELETE",
  path: "/kakao/v1/plus-friends/:pfId",
  reply: channel,
});

export type Channel = v.InferOutput<typeof channel>;

/** The review state of a template at one provider. */
export const reviewStates = ["PENDING", "INSPECTING", "APPROVED", "REJECTED"] as const;
export type ReviewState = (typeof reviewStates)[number];

export const templateButton = v.object({
  buttonType: text(
    "WL web link, AL app link, DS delivery tracking, BK keyword, MD forward, BC consultation, BT bot, AC add channel",
  ),
  buttonName: text("label of the button, up to 14 characters"),
  ...buttonLinks,
});

export const comment = v.object({
  isAdmin: v.boolean(),
  memberId: v.string(),
  content: v.nullable(v.string()),
  dateCreated: timestamp(),
});

/** One upstream provider's copy; it has no `code` until it is submitted to the provider. */
const templateCode = v.object({
  status: v.picklist(reviewStates),
  code: v.nullish(v.string()),
  service: v.string(),
  comments: v.array(comment),
});

export const template = v.object({
  isHidden: v.boolean(),
  accountId: v.string(),
  templateId: v.string(),
  name: v.string(),
  pfId: v.string(),
  content: v.string(),
  ...dated,
  buttons: v.array(templateButton),
  codes: v.array(templateCode),
});

const name = text("name of the template, up to 100 characters");
const content = text("text of the template, up to 1,000 characters; #{name} is a variable");
const buttons = v.optional(list(templateButton, "at most five buttons"));

export const createTemplate = endpoint({
  does: "Create a template",
  method: "POST",
  path: "/kakao/v1/templates",
  effect: "unsafe",
  checkWith: "msg template list --date-created gte:<since>",
  needs: kakaoWrite,
  body: v.object({
    pfId: text("linked channel that the template belongs to", { kind: "id", flag: "channel" }),
    name,
    content,
    buttons,
  }),
  reply: template,
  proof: ["templateId"],
});

export const updateTemplate = write({
  does: "Update a template; its review starts again",
  method: "PUT",
  path: "/kakao/v1/templates/:templateId",
  body: v.object({ name: v.optional(name), content: v.optional(content), buttons }),
  reply: v.object({ providerA: template, biz: template }),
});

export const commentTemplate = endpoint({
  does: "Add a comment to a template, for the reviewers",
  method: "POST",
  path: "/kakao/v1/templates/:templateId/comment",
  effect: "unsafe",
  checkWith: "msg template get <templateId> --comments",
  needs: kakaoWrite,
  body: v.object({ comment: text("comment for the reviewers, up to 1,000 characters") }),
  reply: template,
  proof: ["templateId"],
});

export const listTemplates = read({
  does: "List templates, newest first",
  path: "/kakao/v1/templates",
  page: { by: "key", items: "templateList" },
  query: {
    name: operators(text("name of the template"), "eq", "ne", "like"),
    pfId: id("only templates of this channel"),
    templateId: id("only this template"),
    isHidden: flag("only hidden templates, or only visible ones; default: both"),
    status: choice(reviewStates, "only templates that a provider has in this state"),
    ...byKey,
    dateCreated: operators(date("when it was created"), "eq", "gte", "lte", "gt", "lt"),
    dateUpdated: operators(date("when it was updated"), "eq", "gte", "lte", "gt", "lt"),
  },
  reply: v.object({ limit: v.number(), templateList: v.array(template), ...keys }),
});

export const getTemplate = read({
  does: "Show a template",
  path: "/kakao/v1/templates/:templateId",
  reply: template,
});

export const deleteTemplate = write({
  does: "Delete a template",
  method: "DELETE",
  path: "/kakao/v1/templates/:templateId",
  reply: v.object({ ...template.entries, status: v.literal("DELETED") }),
});

export const hideTemplate = write({
  does: "Hide a template, or show it again",
  method: "PUT",
  path: "/kakao/v1/templates/:templateId/hide",
  body: v.object({ isHidden: flag("true hides it, false shows it again") }),
  reply: template,
});

export const requestReview = write({
  does: "Ask the service to review a template",
  method: "PUT",
  path: "/kakao/v1/templates/:templateId/inspection",
  body: v.object({}),
  reply: template,
});

export type Template = v.InferOutput<typeof template>;
export type TemplateButton = v.InferOutput<typeof templateButton>;
export type TemplateCode = v.InferOutput<typeof templateCode>;
