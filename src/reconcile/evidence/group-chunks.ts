/** Which chunks of its run a group holds, from the correlation ids of its messages. */
import type { CallOptions, Client } from "../../client/client.ts";
import { listMessages } from "../../contract/messages.ts";
import type { HeldChunk } from "../../send/protocol/entries.ts";
import { isRefused, rowOf } from "../../send/protocol/outcomes.ts";
import type { RunFile } from "../../send/store/run-file.ts";

/**
 * Undefined where a chunk is there in part only: a chunk is added whole or not at all, so someone else
 * has taken messages out. Messages that carry no id of this run are someone else's.
 */
export const readHeldChunks = async (
  client: Client,
  run: RunFile,
  groupId: string,
  call: CallOptions,
): Promise<readonly HeldChunk[] | undefined> => {
  const found = new Map<number, { accepted: number; refused: number }>();
  for await (const { rows } of client.pages(listMessages, { query: { groupId } }, call))
    for (const message of rows.filter((it) => !it.replacement)) {
      const row = rowOf(message.customFields);
      if (message.customFields?.["msg.run"] !== run.run || row === undefined) continue;
      const chunk = chunkOf(run, row);
      const counts = found.get(chunk) ?? { accepted: 0, refused: 0 };
      counts[isRefused(message) ? "refused" : "accepted"] += 1;
      found.set(chunk, counts);
    }
  const held = [...found].map(([chunk, counts]) => ({ chunk, ...counts }));
  const isWhole = held.every(
    ({ chunk, accepted, refused }) => accepted + refused === run.chunks[chunk]?.rows,
  );
  return isWhole ? held.sort((left, right) => left.chunk - right.chunk) : undefined;
};

/** The chunk that a row of the source was planned into: chunks hold rising row numbers. */
const chunkOf = ({ chunks }: RunFile, row: number): number => {
  const behind = chunks.findIndex(({ first }) => first > row);
  return behind < 0 ? chunks.length - 1 : behind - 1;
};
