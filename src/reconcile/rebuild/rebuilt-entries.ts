/** What a journal says of groups that the service holds: as if this run had just sent them. */

import type { Counts, Entry } from "../../send/protocol/entries.ts";
import { costOf } from "../../send/protocol/outcomes.ts";
import type { RunFile } from "../../send/store/run-file.ts";
import type { HeldChunks } from "./held-chunks.ts";

interface Range {
  readonly from: number;
  readonly to: number;
}

/** A chunk that is in two groups counts once: the one that was sent goes before the one that failed. */
export const entriesOfGroups = (run: RunFile, held: readonly HeldChunks[]): readonly Entry[] => {
  const isFailed = ({ group }: HeldChunks): number => (group.status === "FAILED" ? 1 : 0);
  const sorted = [...held].sort((one, other) => isFailed(one) - isFailed(other));
  const covered = new Set<number>();
  const entries: Entry[] = [];
  let gen = 0;
  for (const it of sorted) {
    const free = [...it.chunks.keys()].filter((at) => !covered.has(at));
    for (const [nth, range] of rangesOf(free).entries()) {
      entries.push(...entriesOfRange(run, it, range, { gen, isFirst: nth === 0 }));
      gen += 1;
    }
    for (const at of free) covered.add(at);
  }
  return entries;
};

/** Neighbours in a row: what was added beside each other may have a gap where an add was lost. */
const rangesOf = (chunks: readonly number[]): readonly Range[] => {
  const ranges: { from: number; to: number }[] = [];
  for (const at of [...chunks].sort((one, other) => one - other)) {
    const last = ranges.at(-1);
    if (last?.to === at) last.to = at + 1;
    else ranges.push({ from: at, to: at + 1 });
  }
  return ranges;
};

const entriesOfRange = (
  { scheduledDate }: RunFile,
  { group, chunks }: HeldChunks,
  { from, to }: Range,
  { gen, isFirst }: { readonly gen: number; readonly isFirst: boolean },
): readonly Entry[] => {
  const { groupId, status, dateSent, dateUpdated } = group;
  const inRange = [...chunks].filter(([at]) => at >= from && at < to);
  const added = inRange.map(([chunk, counts]): Entry => ({ t: "ADD_OK", gen, chunk, ...counts }));
  const sum = (of: keyof Counts): number => inRange.reduce((all, [, it]) => all + it[of], 0);
  const counts = { accepted: sum("accepted"), refused: sum("refused") };
  // What a group cost is told once, whatever parts it has.
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
