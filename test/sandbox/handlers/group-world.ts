/** Groups in every state, made through the door of the sandbox. */
import { contract } from "../../../src/contract/index.ts";
import { replyOf } from "../told.ts";
import { type Environment, sms } from "../world.ts";

export const groups = "/messages/v4/groups";

/** The id of a new group with these messages. */
export const filledGroup = async (
  world: Environment,
  messages: readonly unknown[] = [sms("01000000001")],
  body: unknown = {},
): Promise<string> => {
  const { groupId } = replyOf(contract.createGroup, await world.call("POST", groups, body));
  if (messages.length > 0) await world.call("PUT", `${groups}/${groupId}/messages`, { messages });
  return groupId;
};

export const readGroup = async (world: Environment, groupId: string) =>
  replyOf(contract.readGroup, await world.call("GET", `${groups}/${groupId}`));

/** How a group with one accepted message is brought into a state. */
export const reach = {
  PENDING: async () => undefined,
  SCHEDULED: async (world: Environment, id: string) => {
    const scheduledDate = new Date(world.clock.now.getTime() + 3_600_000).toISOString();
    await world.call("POST", `${groups}/${id}/schedule`, { scheduledDate });
  },
  SENDING: async (world: Environment, id: string) => {
    await world.call("POST", `${groups}/${id}/send`);
  },
  COMPLETE: async (world: Environment, id: string) => {
    await world.call("POST", `${groups}/${id}/send`);
    world.pass(2000);
  },
  FAILED: async (world: Environment, id: string) => {
    await world.call("PUT", "/_sandbox/settings", { quota: 0 });
    await world.call("POST", `${groups}/${id}/send`);
    await world.call("PUT", "/_sandbox/settings", { quota: 100_000 });
  },
  DELETED: async (world: Environment, id: string) => {
    await world.call("DELETE", `${groups}/${id}`);
  },
} as const;
export type Status = keyof typeof reach;
export const statuses: readonly Status[] = [
  "PENDING",
  "SCHEDULED",
  "SENDING",
  "COMPLETE",
  "FAILED",
  "DELETED",
];
