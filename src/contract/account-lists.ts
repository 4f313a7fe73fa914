/** Lists of an account to read: registered senders, and recipients that are blocked. */
import * as v from "valibot";
import { get } from "./endpoint.ts";
import {
  byKey,
  choice,
  date,
  dated,
  flag,
  id,
  keys,
  operators,
  phone,
  text,
  timestamp,
} from "./fields.ts";
import { iamRead, senderRead } from "./needs.ts";

const beyond = true;

export const listSenders = get({
  does: "Show the registered sender numbers",
  path: "/senderid/v1/numbers",
  ...{ needs: senderRead, beyond },
  proof: ["senderIds"],
  reply: v.object({
    accountId: v.string(),
    limit: v.number(),
    senderIds: v.array(
      v.object({
        handleKey: v.string(),
        phoneNumber: v.string(),
        status: v.string(),
        method: v.nullable(v.string()),
        expireAt: v.nullable(timestamp()),
        approvalDocuments: v.array(v.unknown()),
        ...dated,
      }),
    ),
    limitationDocuments: v.array(v.unknown()),
    ...dated,
  }),
});

export const listOptOuts = get({
  does: "List recipients that opted out by an 080 number, newest first",
  path: "/iam/v1/black",
  ...{ needs: iamRead, beyond },
  page: { by: "key", items: "blackList" },
  query: {
    type: choice(["DENIAL"], "always DENIAL"),
    senderNumber: phone("only those of this sender"),
    ...byKey,
    dateCreated: operators(date("when they opted out"), "eq", "gte", "lte"),
  },
  reply: v.object({
    ...keys,
    limit: v.number(),
    blackList: v.array(
      v.object({
        handleKey: v.string(),
        type: v.literal("DENIAL"),
        senderNumber: v.string(),
        recipientNumber: v.string(),
        ...dated,
      }),
    ),
  }),
});

export const listBlockGroups = get({
  does: "List groups of blocked recipients, newest first",
  path: "/iam/v1/block/groups",
  ...{ needs: iamRead, beyond },
  page: { by: "key", items: "blockGroups" },
  query: {
    blockGroupId: id("only this group"),
    useAll: flag("only groups that apply to every sender, or only the others"),
    senderNumber: phone("only groups of this sender"),
    name: operators(text("name of the group"), "eq", "like"),
    status: choice(["ACTIVE", "INACTIVE"], "only groups in this state"),
    ...byKey,
  },
  reply: v.object({
    ...keys,
    limit: v.number(),
    blockGroups: v.array(
      v.object({
        blockGroupId: v.string(),
        accountId: v.string(),
        status: v.string(),
        name: v.nullable(v.string()),
        useAll: v.boolean(),
        senderNumbers: v.array(v.string()),
        ...dated,
      }),
    ),
  }),
});

export const listBlockNumbers = get({
  does: "List blocked recipients, newest first",
  path: "/iam/v1/block/numbers",
  ...{ needs: iamRead, beyond },
  page: { by: "key", items: "blockNumbers" },
  query: {
    blockNumberId: id("only this entry"),
    phoneNumber: phone("only this recipient"),
    blockGroupId: id("only recipients of this group"),
    memo: operators(text("note"), "eq", "like"),
    ...byKey,
  },
  reply: v.object({
    ...keys,
    limit: v.number(),
    blockNumbers: v.array(
      v.object({
        blockNumberId: v.string(),
        accountId: v.string(),
        memo: v.string(),
        phoneNumber: v.string(),
        blockGroupIds: v.array(v.string()),
        ...dated,
      }),
    ),
  }),
});
