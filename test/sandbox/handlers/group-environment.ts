/** Groups in every state, made through the door of the sandbox. */

import { contract } from "../../../src/contract/index.ts";
import { groupStatuses } from "../../../src/contract/message-records.ts";
import { type Env, sms } from "../environment.ts";
import { replyOf } from "../replies.ts";

export const groups = "/messages/v4/groups";

/** The id of a new group with these messages. */
export const filledGroup = async (
  env: Env,
  messages: readonly unknown[] = [sms("01000000001")],
  body: unknown = {},
): Promise<string> => {
  const { groupId } = replyOf(contract.createGroup, await env.call("POST", groups, body));
  if (messages.length > 0) await env.call("PUT", `${groups}/${groupId}/messages`, { messages });
  return groupId;
};

export const readGroup = async (env: Env, groupId: string) =>
  replyOf(contract.readGroup, await env.call("GET", `${groups}/${groupId}`));

/** How a group with one accepted message is brought into a state. */
export const reach = {
  PENDING: async () => undefined,
  SCHEDULED: async (env: Env, id: string) => {
    const scheduledDate = new Date(env.clock.now.getTime() + 3_600_000).toISOString();
    await env.call("POST", `${groups}/${id}/schedule`, { scheduledDate });
  },
  SENDING: async (env: Env, id: string) => {
    await env.call("POST", `${groups}/${id}/send`);
  },
  COMPLETE: async (env: Env, id: string) => {
    await env.call("POST", `${groups}/${id}/send`);
    env.pass(2000);
  },
  FAILED: async (env: Env, id: string) => {
    await env.call("PUT", "/_sandbox/settings", { quota: 0 });
    await env.call("POST", `${groups}/${id}/send`);
    await env.call("PUT", "/_sandbox/settings", { quota: 100_000 });
  },
  DELETED: async (env: Env, id: string) => {
    await env.call("DELETE", `${groups}/${id}`);
  },
} as const;
export type Status = keyof typeof reach;
export const statuses: readonly Status[] = groupStatuses;
