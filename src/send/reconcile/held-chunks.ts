/** Which chunks of its run a group holds, from the correlation ids of its messages. */
import type { CallOptions, Client } from "../../client/client.ts";
import type { StoredMessage } from "../../contract/message-records.ts";
import { listMessages } from "../../contract/messages.ts";
import { MsgError } from "../../errors.ts";
import type { Counts, HeldChunk } from "../protocol/entries.ts";
import { isRefused, rowOf } from "../protocol/outcomes.ts";
import { messagesOf } from "../store/row-outcomes.ts";
import type { RunFile } from "../store/run-file.ts";
import type { RunStore } from "../store/run-folder.ts";

/** The messages of a chunk as they were planned; undefined where the plan is gone or damaged. */
export const plannedMessages = (
  store: RunStore,
  run: RunFile,
  at: number,
): readonly object[] | undefined => {
  try {
    return messagesOf(store, run, at);
  } catch (error) {
    if (error instanceof MsgError && error.code === "PlanDamaged") return undefined;
    throw error;
  }
};

/** The chunk that a message of the run belongs to; undefined for a message of something else. */
export type ChunkOf = (message: Pick<StoredMessage, "to" | "customFields">) => number | undefined;

/** By the row of a message, for chunks hold rising row numbers; `shared` names those that two may hold. */
export const chunkByRow =
  ({ run, chunks }: RunFile, shared: ReadonlyMap<string, number> = new Map()): ChunkOf =>
  ({ to, customFields }) => {
    const row = rowOf(customFields);
    if (customFields?.["msg.run"] !== run || row === undefined) return undefined;
    const at = shared.get(`${row} ${to}`) ?? chunks.findLastIndex(({ first }) => first <= row);
    return at < 0 ? undefined : at;
  };

/** What a group holds of each chunk. Messages that the service sent in place of others do not count. */
export const countHeld = async (
  client: Client,
  groupId: string,
  chunkOf: ChunkOf,
  call: CallOptions,
): Promise<ReadonlyMap<number, Counts>> => {
  const found = new Map<number, { accepted: number; refused: number }>();
  for await (const { rows } of client.pages(listMessages, { query: { groupId } }, call))
    for (const message of rows) {
      const at = message.replacement ? undefined : chunkOf(message);
      if (at === undefined) continue;
      const counts = found.get(at) ?? { accepted: 0, refused: 0 };
      counts[isRefused(message) ? "refused" : "accepted"] += 1;
      found.set(at, counts);
    }
  return found;
};

/**
 * Undefined where a chunk is there in part only: a chunk is added whole or not at all, so someone else
 * has taken messages out.
 */
export const readHeldChunks = async (
  client: Client,
  run: RunFile,
  groupId: string,
  call: CallOptions,
): Promise<readonly HeldChunk[] | undefined> => {
  const found = await countHeld(client, groupId, chunkByRow(run), call);
  const held = [...found].map(([chunk, counts]) => ({ chunk, ...counts }));
  const isWhole = held.every(
    ({ chunk, accepted, refused }) => accepted + refused === run.chunks[chunk]?.rows,
  );
  return isWhole ? held.sort((left, right) => left.chunk - right.chunk) : undefined;
};
