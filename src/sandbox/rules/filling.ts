/** Adds messages to a group and takes them out again (facts/messages 5.2, 5.4). */
import { mostInGroup } from "../../contract/groups.ts";
import type { MessageInput } from "../../contract/message-records.ts";
import { type Alike, mobileDigits } from "../checks/alike.ts";
import { Refusal, type Service } from "../service.ts";
import type { GroupRow } from "../store/groups.ts";
import type { NewMessage } from "../store/messages.ts";
import { checkCount, knownTo, type Stored } from "./dispatch.ts";
import { withAlike, withMessages } from "./groups.ts";
import { expandRecipients, type Known, recipientKey, registration, toOf } from "./registration.ts";

/** Registers and stores messages; the refused ones too. Throws Refusal for too many. */
export const addMessages = (
  { store, now }: Service,
  group: GroupRow,
  messages: readonly MessageInput[],
): Stored => {
  const inputs = expandRecipients(messages);
  checkCount(inputs.length);
  checkRoom(group, inputs.length);
  const at = now.getTime();
  const { seq: groupSeq, accountId } = group;
  const known = knownTo(store, accountId, acceptedBy({ store, group }, inputs));
  const registered = inputs.map(registration(known, group.strict === 1));
  const firstSeq = store.counters.take("message", registered.length);
  store.messages.insert({ firstSeq, groupSeq, accountId, created: at }, registered);
  const filled = withMessages(group, registered, at);
  store.groups.update(filled);
  return { group: filled, messages: registered, firstSeq, created: at };
};

/** What was stored of messages that are alike. */
export interface StoredAlike {
  /** The first of them; the others differ from it in number, text and own fields. */
  readonly first: NewMessage;
  readonly firstSeq: number;
}

/**
 * The same for messages that are alike: what is found out about the first of them holds for all.
 * Undefined, and nothing is stored, where it does not: each has to be looked at.
 */
export const addAlike = (
  { store, now }: Service,
  group: GroupRow,
  alike: Alike,
): StoredAlike | undefined => {
  const { count } = alike.rows;
  checkCount(count);
  checkRoom(group, count);
  if (group.strict === 1) return undefined;
  const { seq: groupSeq, accountId } = group;
  const first = registration(knownTo(store, accountId, undefined), false)(alike.first);
  const [, , , , country, statusCode] = first;
  if (statusCode !== "2000" || repeats(store, group, alike, country)) return undefined;
  const at = now.getTime();
  const firstSeq = store.counters.take("message", count);
  store.alikeMessages.insert({ firstSeq, groupSeq, accountId, created: at }, alike, first);
  store.groups.update(withAlike(group, first, count, at));
  return { first, firstSeq };
};

/** True where a recipient is named twice, or was before, and that matters. */
const repeats = (
  store: Service["store"],
  group: GroupRow,
  alike: Alike,
  country: string,
): boolean => {
  if (group.allowDuplicates === 1) return false;
  const { mobile, count } = alike.rows;
  const sorted = mobile.slice(0, count).sort();
  if (sorted.some((one, at) => one === sorted[at + 1])) return true;
  // Lists are often in the order of their numbers: no later call of such a one meets those before it.
  const [least = 0, most = 0] = [sorted.at(0), sorted.at(-1)];
  return (
    group.registeredSuccess > 0 &&
    store.alikeMessages.isAnyBetween(numberOf(least), numberOf(most)) &&
    store.alikeMessages.accepted(group.seq, alike, country)
  );
};

const numberOf = (mobile: number): string => `010${String(mobile).padStart(mobileDigits - 3, "0")}`;

const checkRoom = ({ registeredSuccess, registeredFailed }: GroupRow, count: number): void => {
  const total = registeredSuccess + registeredFailed;
  if (total + count <= mostInGroup) return;
  const text = `The group holds ${total} messages, and ${mostInGroup} are allowed.`;
  throw new Refusal(413, "RecipientsTooMany", text);
};

/** Which of the recipients the group has accepted before. */
const acceptedBy = (
  { store, group }: Pick<Service, "store"> & { readonly group: GroupRow },
  inputs: readonly MessageInput[],
): Known["accepted"] => {
  if (group.allowDuplicates === 1) return undefined;
  if (group.registeredSuccess === 0) return new Set();
  const before = store.groupMessages.accepted(group.seq, inputs.map(toOf));
  return new Set(before.map(({ recipient, country }) => recipientKey(recipient, country)));
};
