/** Recipients that the sandbox refuses at an operator's word: what the lists of blocked recipients are filled by. */
import * as v from "valibot";
import { endpoint } from "./endpoint.ts";
import { flag, phone, text } from "./fields.ts";
import { anyone } from "./needs.ts";

const to = phone("recipient to block");

export const addBlock = endpoint({
  does: "Block a recipient of account 26010500000001",
  method: "POST",
  path: "/_sandbox/blocks",
  effect: "settling",
  needs: anyone,
  body: v.object({
    to,
    from: v.optional(phone("only messages of this sender; default: every sender")),
    optOut: v.optional(flag("opted out by an 080 number: code 1061, otherwise 1060")),
    memo: v.optional(text("note")),
  }),
  reply: v.object({
    to: v.string(),
    from: v.nullable(v.string()),
    statusCode: v.string(),
    memo: v.string(),
  }),
});

export const removeBlock = endpoint({
  does: "Let a recipient be sent to again",
  method: "DELETE",
  path: "/_sandbox/blocks",
  effect: "settling",
  needs: anyone,
  body: v.object({ to }),
  reply: v.object({ to: v.string(), removed: v.number() }),
});
