/** Puts messages into a group: one that is created, filled and sent at once, or an existing one. */
import type { Input } from "../../contract/endpoint.ts";
import { maxInGroup } from "../../contract/groups.ts";
import type { MessageInput } from "../../contract/message-records.ts";
import type { sendMany } from "../../contract/messages.ts";
import { Refusal, type Service } from "../service.ts";
import type { GroupRow } from "../store/groups.ts";
import type { Store } from "../store/store.ts";
import { checkSendingApp } from "./apps.ts";
import { newGroup, schedule, withMessages } from "./groups.ts";
import { accountLookups } from "./lookups.ts";
import { expandRecipients, recipientKey, recipientOf } from "./recipients.ts";
import { createRegistration } from "./registration.ts";
import { type Sent, send, unsent } from "./sending.ts";

/** Shared by the three ways of sending in one call. */
type SendCall = Input<typeof sendMany>["body"] & {
  /** Milliseconds since 1970. Past or now is at once. */
  readonly scheduled?: number | undefined;
};

/** What a call stored: the group, and the messages of the call from number `firstSeq` on. */
export type StoredMessages = ReturnType<typeof addMessages>;

export type Dispatched = ReturnType<typeof dispatch>;

/**
 * Stores and sends. Throws Refusal for a call that is refused as a whole. A refused message, or a
 * group stopped by money or quota, is stored, and the result says so.
 */
export const dispatch = (service: Service, call: SendCall) => {
  const { store, now } = service;
  const inputs = expandRecipients(call.messages);
  const app = checkSendingApp(store, call.agent?.appId);
  const empty = newGroup(service, { ...call, ...call.agent }, app);
  const { accountId } = empty;
  const known = accountLookups(store, accountId, acceptedBy(store, empty, inputs));
  const registered = inputs.map(createRegistration(known, empty.strict === 1));
  const filled = withMessages(empty, registered, now);
  const { group, stop } = start(service, filled, call.scheduled);
  const messages = stop === undefined ? registered : registered.map(unsent);
  store.groups.insert(group);
  const batch = { groupSeq: group.seq, accountId, created: now };
  const firstSeq = store.messages.insert(batch, messages);
  return { group, messages, firstSeq, created: now, stop };
};

/** Sends now, or stores the time. A group without an accepted message is FAILED either way. */
const start = ({ store, now }: Service, group: GroupRow, scheduled: number | undefined): Sent => {
  if (scheduled === undefined || scheduled <= now || group.registeredSuccess === 0) {
    return send(store, group, now);
  }
  return { stop: undefined, group: schedule(store, group, scheduled, now) };
};

/** Adds messages, refused ones included, to an existing group. Throws Refusal for too many. */
export const addMessages = (
  { store, now }: Service,
  group: GroupRow,
  messages: readonly MessageInput[],
) => {
  const inputs = expandRecipients(messages);
  checkRoom(group, inputs.length);
  const { seq: groupSeq, accountId } = group;
  const known = accountLookups(store, accountId, acceptedBy(store, group, inputs));
  const registered = inputs.map(createRegistration(known, group.strict === 1));
  const firstSeq = store.messages.insert({ groupSeq, accountId, created: now }, registered);
  const filled = withMessages(group, registered, now);
  store.groups.update(filled);
  return { group: filled, messages: registered, firstSeq, created: now };
};

const checkRoom = ({ registeredSuccess, registeredFailed }: GroupRow, count: number): void => {
  const total = registeredSuccess + registeredFailed;
  if (total + count <= maxInGroup) return;
  const text = `The group holds ${total} messages, and ${maxInGroup} are allowed.`;
  throw new Refusal(413, "RecipientsTooMany", text);
};

/** The recipients that the group has accepted before. */
const acceptedBy = (
  store: Store,
  group: GroupRow,
  inputs: readonly MessageInput[],
): Set<string> | undefined => {
  if (group.allowDuplicates === 1) return undefined;
  if (group.registeredSuccess === 0) return new Set();
  const before = store.messages.accepted(group.seq, inputs.map(recipientOf));
  return new Set(before.map(({ recipient, country }) => recipientKey(recipient, country)));
};
