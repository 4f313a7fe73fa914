/** Which chunks of a run a group holds: read message by message from the service. */

import type { Group, StoredMessage } from "../../contract/message-records.ts";
import { listMessages } from "../../contract/messages.ts";
import { MsgError } from "../../errors.ts";
import type { Counts } from "../../send/protocol/entries.ts";
import { isRefused, rowOf } from "../../send/protocol/outcomes.ts";
import { readBody } from "../../send/store/plan-file.ts";
import type { RunFile } from "../../send/store/run-file.ts";
import { fileOf, type RunStore } from "../../send/store/run-folder.ts";
import type { Asking } from "./run-groups.ts";

/** A group that was sent, with the counts of each chunk that it holds. */
export interface HeldChunks {
  readonly group: Group;
  readonly chunks: ReadonlyMap<number, Counts>;
}

/** The chunk that a message of the run belongs to; undefined for a message of something else. */
export type ChunkOf = (message: Pick<StoredMessage, "to" | "customFields">) => number | undefined;

/** An add takes a chunk as a whole. Throws MsgError (unknown) where somebody took single rows out. */
export const heldChunks = async (
  { client, run, call }: Asking,
  group: Group,
  chunkOf: ChunkOf,
): Promise<HeldChunks> => {
  const found = new Map<number, { accepted: number; refused: number }>();
  const { groupId } = group;
  for await (const { rows } of client.pages(listMessages, { query: { groupId } }, call))
    for (const message of rows) {
      const at = message.replacement ? undefined : chunkOf(message);
      if (at === undefined) continue;
      const counts = found.get(at) ?? { accepted: 0, refused: 0 };
      counts[isRefused(message) ? "refused" : "accepted"] += 1;
      found.set(at, counts);
    }
  const chunks = new Map<number, Counts>();
  for (const [at, { accepted, refused }] of found) {
    const rows = run.chunks[at]?.rows ?? 0;
    if (accepted + refused < rows) throw changed(run, groupId, at);
    // Whoever filled it a second time sent its rows twice: they are sent, whatever more there is.
    const taken = Math.min(rows, accepted);
    chunks.set(at, { accepted: taken, refused: rows - taken });
  }
  return { group, chunks };
};

const changed = ({ run, chunks }: RunFile, groupId: string, at: number): MsgError =>
  new MsgError("unknown", `somebody has taken rows out of a group of run ${run} that was sent`, {
    code: "GroupTouched",
    where: `group ${groupId}`,
    todo: `rows from ${chunks[at]?.first} on are in it, and not all of them: msg message list --group-id ${groupId} --all shows which; send the others as a new run`,
    outcome: "unknown",
  });

/** By the mark of the row; a row with several recipients may lie in two chunks, and there the recipient tells. */
export const chunksByRow = (store: RunStore, run: RunFile): ChunkOf => {
  const shared = sharedRows(store, run);
  return ({ to, customFields }) => {
    const row = rowOf(customFields);
    if (customFields?.["msg.run"] !== run.run || row === undefined) return undefined;
    const at = shared.get(`${row} ${to}`) ?? run.chunks.findLastIndex(({ first }) => first <= row);
    return at < 0 ? undefined : at;
  };
};

interface Planned {
  readonly row: number | undefined;
  readonly to: string;
}

/** Messages of rows that end in another chunk than they begin: their chunk by row and recipient. */
const sharedRows = (store: RunStore, run: RunFile): ReadonlyMap<string, number> => {
  const shared = new Map<string, number>();
  let before: number | undefined;
  for (const [at, chunk] of run.chunks.entries()) {
    const messages = plannedIn(store, run, at);
    const last = messages.at(-1)?.row;
    const next = run.chunks[at + 1]?.first;
    const rows = new Set([before === chunk.first ? before : undefined, last === next ? last : -1]);
    for (const { row, to } of messages) if (rows.has(row)) shared.set(`${row} ${to}`, at);
    before = last;
  }
  return shared;
};

/** Nothing where the plan is gone or damaged: then rows alone have to tell. */
const plannedIn = (store: RunStore, run: RunFile, at: number): readonly Planned[] => {
  const chunk = run.chunks[at];
  if (!chunk || run.chunks.length === 1) return [];
  try {
    const body = readBody(store.files, fileOf(store, run.run, "plan.jsonl"), chunk);
    const { messages } = JSON.parse(Buffer.from(body).toString("utf8"));
    return messages.map((it: Pick<StoredMessage, "to" | "customFields">) => ({
      row: rowOf(it.customFields),
      to: String(it.to),
    }));
  } catch (error) {
    if (error instanceof MsgError && error.code === "PlanDamaged") return [];
    throw error;
  }
};
