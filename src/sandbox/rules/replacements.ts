/** The replacements of failed messages. */
import * as v from "valibot";
import { type MessageInput, messageInput } from "../../contract/message-records.ts";
import { isKakaoType } from "../../message/type.ts";
import type { ReplaceableRow } from "../store/deliveries.ts";
import type { GroupRow } from "../store/groups.ts";
import type { NewMessage } from "../store/messages.ts";
import type { Store } from "../store/store.ts";
import { chargeOf, chargeWith } from "./groups.ts";
import { accountLookups } from "./lookups.ts";
import { withReplacementOutcome } from "./recipients.ts";
import { createRegistration } from "./registration.ts";
import { charge, unsent } from "./sending.ts";

/**
 * The replacements of each failed message, in their order, up to and including the first that registration
 * accepts: registered like any other message, not yet paid.
 */
export const replacementsFor = (
  store: Store,
  group: GroupRow,
  failed: readonly ReplaceableRow[],
): readonly NewMessage[] => {
  if (failed.length === 0) return [];
  // The recipient was accepted before: sending to it again is intended.
  const register = createRegistration(
    accountLookups(store, group.accountId, undefined),
    group.strict === 1,
  );
  return failed.flatMap((row) => {
    const registered: NewMessage[] = [];
    for (const input of inputsFor(row)) {
      const message = withReplacementOutcome(row.type, register(input));
      registered.push(message);
      if (message.statusCode === "2000") break;
    }
    return registered;
  });
};

/** Its replacements in order, each with those that follow it; else the text of a Kakao message. */
const inputsFor = (row: ReplaceableRow): readonly MessageInput[] => {
  const given = messageOf(JSON.parse(row.options ?? "{}")) ?? {};
  // Registration does not check them: skip anything that is not a message.
  const inputs = (given.replacements ?? []).flatMap((it) => messageOf(it) ?? []);
  if (inputs.length > 0)
    return inputs.map((it, at) => replacementOf(row, it, inputs.slice(at + 1)));
  if (!isKakaoType(row.type) || given.kakaoOptions?.disableSms) return [];
  const { recipient: to, sender: from, country } = row;
  const { replacementText: text = row.text, subject } = given;
  return [{ to, from, country, text, ...(subject !== undefined && { subject }) }];
};

/** Undefined for anything but a message. */
const messageOf = (value: unknown): MessageInput | undefined => {
  const read = v.safeParse(messageInput, value);
  return read.success ? read.output : undefined;
};

const replacementOf = (
  { recipient, sender: from, country }: ReplaceableRow,
  input: MessageInput,
  others: MessageInput[],
): MessageInput => {
  const to = typeof input.to === "string" ? input.to : recipient;
  return { from, country, ...input, to, ...(others.length > 0 && { replacements: others }) };
};

/**
 * Stores and pays them in order, as far as the money goes; the rest is stored with 1030. Sent ones are
 * handed over a tick later. The caller stores the returned group.
 */
export const replace = (
  store: Store,
  group: GroupRow,
  wanted: readonly NewMessage[],
  at: number,
): GroupRow => {
  const { balance, point } = store.accounts.get(group.accountId);
  let funds = group.prepaid === 1 ? balance + point : Number.POSITIVE_INFINITY;
  const messages = wanted.map((message) => {
    if (message.statusCode !== "2000") return message;
    if (message.price > funds) return unsent(message);
    funds -= message.price;
    return message;
  });
  const { seq: groupSeq, accountId } = group;
  store.messages.insert({ groupSeq, accountId, created: at, replacement: true }, messages);
  const sent = messages.filter(({ statusCode }) => statusCode === "2000");
  if (sent.length === 0) return group;
  store.scheduledJobs.addOnce("handOver", at + store.settings.get("tickMs"), group.seq);
  return paid(store, group, sent, at);
};

const paid = (store: Store, group: GroupRow, sent: readonly NewMessage[], at: number): GroupRow => {
  const total = sent.reduce((sum, { price }) => sum + price, 0);
  const { balance, point } = charge(store, group, group.prepaid === 1 ? total : 0, at);
  return {
    ...group,
    charge: JSON.stringify(chargeWith(chargeOf(group), sent)),
    sentReplacement: group.sentReplacement + sent.length,
    balanceReplacement: group.balanceReplacement + balance,
    pointReplacement: group.pointReplacement + point,
  };
};
