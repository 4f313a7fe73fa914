/**
 * The groups of a run as the service holds them: those that were sent, with what a journal would say of
 * them; and the chunks that a group holds, known by the correlation ids of its messages.
 */

import { type CallOptions, type Client, detached } from "../../client/client.ts";
import { deleteGroup, readGroup } from "../../contract/groups.ts";
import type { Group, StoredMessage } from "../../contract/message-records.ts";
import { listMessages } from "../../contract/messages.ts";
import { dayMs } from "../../contract/time.ts";
import { quietly } from "../../durable/files.ts";
import { MsgError, passOver } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import type { Ports } from "../../ports.ts";
import { customField } from "../claims/group-fields.ts";
import { listWithFields } from "../claims/message-fields.ts";
import { rowIn, rowOf } from "../messages/correlation.ts";
import { type Counts, type Entry, type HeldChunk, sumOf } from "../protocol/entries.ts";
import { costOf, isRefused } from "../protocol/outcomes.ts";
import { mergeRows, type RowRange } from "../protocol/row-ranges.ts";
import { messagesOf, recipientOf } from "../store/row-outcomes.ts";
import type { RunFile } from "../store/run-file.ts";
import { type RunStore, storeOf } from "../store/run-folder.ts";

/** When the first request of a run can have been made, for lists. Clocks differ by less than a day. */
export const sinceOf = ({ started }: RunFile): number => Date.parse(started) - dayMs;

/** The entries as if this run had just sent its groups, of those that were made from a time on. Throws MsgError (unknown). */
export const rebuiltGroups = async (
  ctx: Ports,
  run: RunFile,
  since: number,
): Promise<readonly Entry[]> => {
  const client = await ctx.session.client();
  const chunkOf = chunkByRow(run, sharedRows(storeOf(ctx), run));
  const held: HeldGroup[] = [];
  for (const group of await takenGroups(ctx, run, since))
    held.push(await readChunks(client, run, group, chunkOf));
  return entriesOf(run, held);
};

/**
 * Every group of the run that was sent, waits for its hour or failed, the oldest first. A group that was not
 * sent is deleted first: its own record then proves that it never will be. Throws MsgError (unknown) if that
 * cannot be found out.
 */
const takenGroups = async (ctx: Ports, run: RunFile, since: number): Promise<readonly Group[]> => {
  const taken: Group[] = [];
  for (const it of await listWithFields(ctx, since)) {
    if (it.status === "DELETED" || customField(it, "msg.run") !== run.run) continue;
    const group = await finalGroup(ctx, it.groupId);
    if (group.status !== "DELETED") taken.push(group);
  }
  return taken.sort((one, other) => one.dateCreated.localeCompare(other.dateCreated, "en"));
};

const maxTries = 5;
const betweenMs = 500;

const finalGroup = async (ctx: Ports, groupId: string): Promise<Group> => {
  const client = await ctx.session.client();
  const params = { groupId };
  for (let tries = 0; ; tries += 1) {
    const group = await client.call(readGroup, { params });
    if (group.status !== "PENDING") return group;
    if (tries === maxTries)
      throw groupError(t`group ${groupId} of the run could not be deleted`, group);
    if (tries > 0) await ctx.clock.wait(betweenMs);
    // Its record says whether it was deleted or sent meanwhile.
    await client.call(deleteGroup, { params }).catch(passOver);
  }
};

const groupError = (what: string, { groupId }: Group): MsgError =>
  new MsgError("unknown", what, {
    where: t`group ${groupId}`,
    todo: t`nothing was changed in the run's folder; msg group get ${groupId} shows it; run it again`,
  });

/** A group that was sent, with the counts of each chunk that it holds. */
interface HeldGroup {
  readonly group: Group;
  readonly chunks: ReadonlyMap<number, Counts>;
}

/** An add takes a chunk as a whole. Throws MsgError (unknown) if someone else took single rows out. */
const readChunks = async (
  client: Client,
  run: RunFile,
  group: Group,
  chunkOf: ChunkOf,
): Promise<HeldGroup> => {
  const { groupId } = group;
  const found = await countHeld(client, group, chunkOf, {});
  const chunks = new Map<number, Counts>();
  for (const [at, { accepted, refused }] of found) {
    const rows = run.chunks[at]?.rows ?? 0;
    if (accepted + refused < rows) throw touchedError(run, groupId, at);
    // A chunk that was added twice is sent, however much more of it there is.
    const taken = Math.min(rows, accepted);
    chunks.set(at, { accepted: taken, refused: rows - taken });
  }
  return { group, chunks };
};

const touchedError = ({ run, chunks }: RunFile, groupId: string, at: number): MsgError =>
  new MsgError("unknown", t`someone else took rows out of a group of run ${run} that was sent`, {
    code: "GroupTouched",
    where: t`group ${groupId}`,
    todo: t`not all rows from row ${chunks[at]?.first ?? 0} on are in it: msg message list --group-id ${groupId} --all shows which; send the others as a new run`,
  });

/** A row with several recipients may lie in two chunks: its messages by row and recipient, with their chunk. */
const sharedRows = (store: RunStore, run: RunFile): ReadonlyMap<string, number> => {
  const shared = new Map<string, number>();
  let lastBefore: number | undefined;
  for (const [at, chunk] of run.chunks.entries()) {
    // If the plan is gone or damaged, the rows alone decide.
    const messages = (run.chunks.length > 1 && plannedMessages(store, run, at)) || [];
    const last = messages.map(rowIn).at(-1);
    const firstAfter = run.chunks[at + 1]?.first;
    const isShared = (row: number | undefined): boolean =>
      (row === lastBefore && row === chunk.first) || (row === last && row === firstAfter);
    for (const it of messages)
      if (isShared(rowIn(it))) shared.set(`${rowIn(it)} ${recipientOf(it)}`, at);
    lastBefore = last;
  }
  return shared;
};

/** A chunk that is in two groups counts once: the one that was sent before the one that failed. */
const entriesOf = (run: RunFile, held: readonly HeldGroup[]): readonly Entry[] => {
  const isFailed = ({ group }: HeldGroup): number => (group.status === "FAILED" ? 1 : 0);
  const sorted = [...held].sort((one, other) => isFailed(one) - isFailed(other));
  const covered = new Set<number>();
  const entries: Entry[] = [];
  let groupIndex = 0;
  for (const it of sorted) {
    const free = [...it.chunks.keys()].filter((at) => !covered.has(at));
    // Chunks that were added concurrently may have a gap where an add was lost.
    const ranges = mergeRows(free.map((at) => ({ from: at, to: at + 1 })));
    for (const [nth, range] of ranges.entries()) {
      entries.push(...entriesOfRange(run, it, range, { gen: groupIndex, isFirst: nth === 0 }));
      groupIndex += 1;
    }
    for (const at of free) covered.add(at);
  }
  return entries;
};

const entriesOfRange = (
  { scheduledDate }: RunFile,
  { group, chunks }: HeldGroup,
  { from, to }: RowRange,
  { gen, isFirst }: { readonly gen: number; readonly isFirst: boolean },
): readonly Entry[] => {
  const { groupId, status, dateSent, dateUpdated } = group;
  const inRange = [...chunks].filter(([at]) => at >= from && at < to);
  const added = inRange.map(([chunk, counts]): Entry => ({ t: "ADD_OK", gen, chunk, ...counts }));
  const counts = sumOf(inRange.map(([, it]) => it));
  // The cost of a group counts once, however many ranges it has.
  const cost = isFirst ? costOf(group) : 0;
  const sent: Entry = { t: "SENT", gen, cost, ...counts };
  const isOut = scheduledDate !== undefined && status !== "SCHEDULED";
  const out: readonly Entry[] = isOut ? [{ t: "OUT", gen, cost, ...counts }] : [];
  return [
    { t: "GROUP_INTENT", gen, from, to },
    { t: "GROUP", gen, id: groupId },
    ...added,
    { t: "VERIFIED", gen },
    { t: "SEND_INTENT", gen, date: dateSent ?? dateUpdated },
    ...(status === "FAILED" ? [{ t: "FAILED", gen } as const] : [sent, ...out]),
  ];
};

/** The messages of a chunk as planned; undefined if the plan is gone or damaged. */
export const plannedMessages = (
  store: RunStore,
  run: RunFile,
  at: number,
): readonly object[] | undefined =>
  quietly(
    () => messagesOf(store, run, at),
    (error) => error instanceof MsgError && error.code === "PlanDamaged",
  );

/** The chunk that a message of the run belongs to; undefined for a message of something else. */
type ChunkOf = (message: Pick<StoredMessage, "to" | "customFields">) => number | undefined;

/** By the row of a message, since row numbers rise from chunk to chunk; `shared` has the rows that two may hold. */
const chunkByRow =
  ({ run, chunks }: RunFile, shared: ReadonlyMap<string, number> = new Map()): ChunkOf =>
  ({ to, customFields }) => {
    const row = rowOf(customFields);
    if (customFields?.["msg.run"] !== run || row === undefined) return undefined;
    const at = shared.get(`${row} ${to}`) ?? chunks.findLastIndex(({ first }) => first <= row);
    return at < 0 ? undefined : at;
  };

/**
 * What a group holds of each chunk. Messages that the service sent in place of others do not count. Throws MsgError
 * (unknown) if the list is incomplete: a chunk that it does not show would be sent again.
 */
const countHeld = async (
  client: Client,
  group: Group,
  chunkOf: ChunkOf,
  call: CallOptions,
): Promise<ReadonlyMap<number, Counts>> => {
  const { groupId, status, count } = group;
  const found = new Map<number, { accepted: number; refused: number }>();
  let listed = 0;
  for await (const { rows } of client.pages(listMessages, { query: { groupId } }, call))
    for (const message of rows.filter(({ replacement }) => !replacement)) {
      listed += 1;
      const at = chunkOf(message);
      if (at === undefined) continue;
      const counts = found.get(at) ?? { accepted: 0, refused: 0 };
      counts[isRefused(message) ? "refused" : "accepted"] += 1;
      found.set(at, counts);
    }
  const isWhole = listed === count.registeredSuccess + count.registeredFailed;
  if (isWhole || status === "FAILED") return found;
  throw groupError(t`the service does not list all messages of group ${groupId}`, group);
};

/**
 * Undefined if a chunk is only partly there: a chunk is added whole or not at all, so someone else has
 * taken messages out.
 */
export const readHeldChunks = async (
  client: Client,
  run: RunFile,
  group: Group,
): Promise<readonly HeldChunk[] | undefined> => {
  const found = await countHeld(client, group, chunkByRow(run), detached);
  const held = [...found].map(([chunk, counts]) => ({ chunk, ...counts }));
  const isWhole = held.every(
    ({ chunk, accepted, refused }) => accepted + refused === run.chunks[chunk]?.rows,
  );
  return isWhole ? held.sort((left, right) => left.chunk - right.chunk) : undefined;
};
