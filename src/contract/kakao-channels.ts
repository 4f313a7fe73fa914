/** Kakao channels: how they are linked, shown and let go. */
import * as v from "valibot";
import { endpoint, get } from "./endpoint.ts";
import { byKey, date, dated, id, keys, operators, secret, text } from "./fields.ts";
import { kakaoRead, kakaoWrite } from "./needs.ts";

/** A linked channel. */
const channel = v.object({
  accountId: v.string(),
  phoneNumber: v.string(),
  searchId: v.string(),
  ...dated,
  pfId: v.string(),
  senderKeys: v.array(v.object({ service: v.string(), key: v.string(), categoryCode: v.string() })),
});

// An id and no text: its @ would be taken for a file.
const searchId = id("the channel's search id, with or without @");
const phoneNumber = text("phone of the channel's manager, where the token arrives", {
  kind: "phone",
  flag: "phone",
});
const categoryCode = text("category of the channel: a code of msg channel categories", {
  flag: "category",
});

export const listCategories = get({
  does: "List the categories of channels",
  path: "/kakao/v1/categories",
  needs: kakaoRead,
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

export const linkChannel = endpoint({
  does: "Link a channel",
  method: "POST",
  path: "/kakao/v1/plus-friends",
  effect: "settling",
  needs: kakaoWrite,
  body: v.object({
    searchId,
    phoneNumber,
    categoryCode,
    token: secret("token that came by Kakao message"),
  }),
  reply: channel,
});

export const listChannels = get({
  does: "List the linked channels, newest first",
  path: "/kakao/v1/plus-friends",
  needs: kakaoRead,
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
  reply: v.object({
    limit: v.number(),
    friends: v.array(channel),
    ...keys,
  }),
});

export const getChannel = get({
  does: "Show a linked channel",
  path: "/kakao/v1/plus-friends/:pfId",
  needs: kakaoRead,
  reply: channel,
});

export const unlinkChannel = endpoint({
  does: "Unlink a channel; its templates are deleted with it",
  method: "DELETE",
  path: "/kakao/v1/plus-friends/:pfId",
  effect: "settling",
  needs: kakaoWrite,
  reply: channel,
});

export type Channel = v.InferOutput<typeof channel>;
