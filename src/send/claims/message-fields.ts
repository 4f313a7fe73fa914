/**
 * What groups say of their rows if the service does not return their custom fields: each message carries the
 * same, and messages of a group are read. The state folder remembers which accounts need that.
 */

import { type Client, detached } from "../../client/client.ts";
import { maxRows } from "../../contract/endpoint.ts";
import type { Group } from "../../contract/message-records.ts";
import { listMessages } from "../../contract/messages.ts";
import { quietly } from "../../durable/files.ts";
import { t } from "../../locale/locale.ts";
import type { Ports } from "../../ports.ts";
import { signingKeyTail } from "../../session/stored-credentials.ts";
import { isRemembered, rememberWhether } from "../store/remembered.ts";
import { customField, otherAnswerError, queryGroups, type WithFields } from "./group-fields.ts";

export type GroupFields = ReturnType<typeof createGroupFields>;

type Fields = Readonly<Record<string, string>>;

/**
 * What groups, or their messages, say: without a record of this machine the first run finds it out again.
 * `isReader`: it only reads, and cannot find out: if no group says anything, messages are read.
 */
export const createGroupFields = (ctx: Ports, client: Client, isReader: boolean) => {
  const found = { areMissing: isRemembered(ctx, fieldsFile, accountOf(ctx)) };
  const known = new Map<string, Group["customFields"]>();
  /** Groups of this run whose messages say it. */
  const filled = new Set<string>();
  const learn = (areMissing: boolean): void => {
    if (found.areMissing !== areMissing) rememberFields(ctx, areMissing);
    found.areMissing = areMissing;
  };
  return {
    /** A group that was made with these fields, as it came back. */
    noteCreated: (group: Group, fields: Fields | undefined): void => {
      if (fields === undefined) return;
      if (!hasFields(group)) learn(true);
      known.set(group.groupId, fields);
    },
    /** The body of a request with the fields of its group in each message, if they are needed. */
    addFields: (body: Uint8Array, fields: Fields): Uint8Array =>
      found.areMissing ? withFields(body, fields) : body,
    /** The groups with what they say; one message of each is read if they say nothing themselves. */
    read: async (groups: readonly Group[]): Promise<readonly Group[]> => {
      const read: Group[] = [];
      const readsMessages = found.areMissing || (isReader && !groups.some(hasFields));
      for (const group of groups) {
        const its = hasFields(group) ? group.customFields : known.get(group.groupId);
        const fields = its ?? (readsMessages ? await fieldsInMessages(client, group) : undefined);
        if (fields) known.set(group.groupId, fields);
        read.push(fields ? { ...group, customFields: fields } : group);
      }
      return read;
    },
    /** Which of these groups of this run came back without what they were made with, and have no message that says it. */
    findLost: async (own: readonly string[], groups: readonly Group[]) => {
      const its = groups.filter((it) => own.includes(it.groupId));
      const lost = its.filter((it) => !hasFields(it));
      if (its.length > 0) learn(lost.length > 0);
      return findWithoutFields(client, lost, filled);
    },
  };
};

/** A process may have filled them when it was not known that messages have to say it. `filled`: groups whose messages do. */
const findWithoutFields = async (
  client: Client,
  groups: readonly Group[],
  filled: Set<string>,
): Promise<readonly string[]> => {
  const bare: string[] = [];
  for (const group of groups.filter((it) => !filled.has(it.groupId))) {
    const customFields = await fieldsInMessages(client, group);
    if (!customFields) continue;
    if (customField({ customFields }, "msg.rows") === undefined) bare.push(group.groupId);
    else filled.add(group.groupId);
  }
  return bare;
};

/**
 * The groups that were made since an instant, and those for a scheduled time, with what they say: for a caller that
 * only reads. All of them if the instant is NaN.
 */
export const listWithFields = async (
  ctx: Ports,
  since: number,
  scheduledDate?: string,
): Promise<readonly Group[]> => {
  const client = await ctx.session.client();
  const found = new Map<string, Group>();
  for (const query of groupQueries(since, scheduledDate))
    for (const group of await queryGroups(query, client)) found.set(group.groupId, group);
  return createGroupFields(ctx, client, true).read([...found.values()]);
};

/** Groups are listed by when they were made; one that waits for its hour may have been made long before. */
export const groupQueries = (
  since: number,
  scheduledDate: string | undefined,
): readonly Readonly<Record<string, string>>[] => [
  Number.isNaN(since) ? {} : { startDate: new Date(since).toISOString() },
  ...(scheduledDate === undefined
    ? []
    : [{ criteria: "scheduledDate", cond: "eq", value: scheduledDate }]),
];

/**
 * A group without messages was not sent, and a deleted one never is. Throws MsgError if the answer is the one to
 * another request: a group that is passed over may hold the same rows.
 */
const fieldsInMessages = async (
  client: Client,
  { groupId, count, status }: Group,
): Promise<Group["customFields"] | undefined> => {
  if (count.total === 0 || status === "DELETED") return undefined;
  const query = { groupId, limit: maxRows };
  const { messageList } = await client.call(listMessages, { query }, detached);
  const messages = Object.values(messageList);
  if (messages.length === 0)
    throw otherAnswerError(t`the list of messages is the answer to another request`);
  // A person may have added messages, which carry no fields.
  return messages.find(hasFields)?.customFields ?? {};
};

const hasFields = (it: WithFields): boolean => customField(it, "msg.run") !== undefined;

/** The same bytes each time: a repeat is byte for byte the same. */
const withFields = (bytes: Uint8Array, fields: Fields): Uint8Array => {
  const body: { readonly messages: readonly object[] } = JSON.parse(Buffer.from(bytes).toString());
  const messages = body.messages.map((message) => ({
    ...message,
    customFields: { ...("customFields" in message && Object(message.customFields)), ...fields },
  }));
  return Buffer.from(JSON.stringify({ ...body, messages }));
};

/** Keeps whether the account's groups come back without their fields. */
export const rememberFields = (ctx: Ports, areMissing: boolean): void => {
  // It is only a cache: a full disk must not block a send.
  quietly(() => rememberWhether(ctx, fieldsFile, accountOf(ctx), areMissing));
};

/** An account may have several keys: each finds it out for itself. */
const accountOf = (ctx: Ports): string =>
  [ctx.settings.profile.value, ctx.settings.baseUrl.value ?? "", signingKeyTail(ctx) ?? ""].join(
    " ",
  );

const fieldsFile = "group-fields.json";
