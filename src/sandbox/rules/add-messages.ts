/** Adds messages to a group and takes them out again. */
import { maxInGroup } from "../../contract/groups.ts";
import type { MessageInput } from "../../contract/message-records.ts";
import { Refusal, type Service } from "../service.ts";
import type { GroupRow } from "../store/groups.ts";
import { accountLookups, checkCount, type StoredMessages } from "./dispatch.ts";
import { withMessages } from "./groups.ts";
import {
  type AccountLookups,
  createRegistration,
  expandRecipients,
  recipientKey,
  toOf,
} from "./registration.ts";

/** Registers and stores messages; the refused ones too. Throws Refusal for too many. */
export const addMessages = (
  { store, now }: Service,
  group: GroupRow,
  messages: readonly MessageInput[],
): StoredMessages => {
  const inputs = expandRecipients(messages);
  checkCount(inputs.length);
  checkRoom(group, inputs.length);
  const at = now.getTime();
  const { seq: groupSeq, accountId } = group;
  const known = accountLookups(store, accountId, acceptedBy({ store, group }, inputs));
  const registered = inputs.map(createRegistration(known, group.strict === 1));
  const firstSeq = store.counters.take("message", registered.length);
  store.messages.insert({ firstSeq, groupSeq, accountId, created: at }, registered);
  const filled = withMessages(group, registered, at);
  store.groups.update(filled);
  return { group: filled, messages: registered, firstSeq, created: at };
};

const checkRoom = ({ registeredSuccess, registeredFailed }: GroupRow, count: number): void => {
  const total = registeredSuccess + registeredFailed;
  if (total + count <= maxInGroup) return;
  const text = `The group holds ${total} messages, and ${maxInGroup} are allowed.`;
  throw new Refusal(413, "RecipientsTooMany", text);
};

/** Which of the recipients the group has accepted before. */
const acceptedBy = (
  { store, group }: Pick<Service, "store"> & { readonly group: GroupRow },
  inputs: readonly MessageInput[],
): AccountLookups["accepted"] => {
  if (group.allowDuplicates === 1) return undefined;
  if (group.registeredSuccess === 0) return new Set();
  const before = store.groupMessages.accepted(group.seq, inputs.map(toOf));
  return new Set(before.map(({ recipient, country }) => recipientKey(recipient, country)));
};
