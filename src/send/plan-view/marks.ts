/**
 * The messages of a plan as two numbers each, whom it goes to and what it is: a few bytes a row, so that plans of
 * a million rows are compared without holding them.
 */
import { createHash } from "node:crypto";
import type { MessageInput } from "../../contract/message-records.ts";
import { withoutCorrelationId } from "../store/row-outcomes.ts";

export const createMarks = () => {
  const marks = { rows: new Float64Array(2048), count: 0 };
  return {
    add: (message: MessageInput): void => {
      const at = marks.count * 2;
      if (at === marks.rows.length) {
        const grown = new Float64Array(at * 2);
        grown.set(marks.rows);
        marks.rows = grown;
      }
      marks.rows[at] = recipientMark(message);
      marks.rows[at + 1] = markOf(JSON.stringify(withoutCorrelationId(message)));
      marks.count += 1;
    },
    sorted: () => sortedMarks(marks.rows, marks.count),
  };
};

export const recipientMark = ({ country = "82", to }: MessageInput): number =>
  markOf(`${country} ${to}`);

/** 52 bits: two of a million rows are the same by chance in one of nine thousand plans. */
const markOf = (text: string): number => {
  const bytes = createHash("sha256").update(text).digest();
  return bytes.readUIntBE(0, 6) * 16 + ((bytes[6] ?? 0) >> 4);
};

interface Marks {
  readonly count: number;
  readonly whom: (at: number) => number;
  readonly what: (at: number) => number;
}

/** In the order of whom they go to. */
const sortedMarks = (rows: Float64Array, count: number): Marks => {
  const order = new Uint32Array(count).map((_, at) => at);
  const whom = (at: number): number => rows[at * 2] ?? 0;
  const what = (at: number): number => rows[at * 2 + 1] ?? 0;
  order.sort((one, other) => whom(one) - whom(other) || what(one) - what(other));
  return {
    count,
    whom: (at) => whom(order[at] ?? 0),
    what: (at) => what(order[at] ?? 0),
  };
};

export const changeKinds = ["added", "removed", "changed"] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** Counts what changed, and calls `onChange` for whom it changed. */
export const compareMarks = (
  before: Marks,
  after: Marks,
  onChange: (kind: ChangeKind, whom: number) => void,
): Readonly<Record<ChangeKind, number>> => {
  const counts = { added: 0, removed: 0, changed: 0 };
  const at = { before: 0, after: 0 };
  const report = (whom: number, { gone, come }: { gone: number; come: number }): void => {
    const changed = Math.min(gone, come);
    const found = { added: come - changed, removed: gone - changed, changed };
    for (const kind of changeKinds) {
      counts[kind] += found[kind];
      if (found[kind] > 0) onChange(kind, whom);
    }
  };
  while (at.before < before.count || at.after < after.count) {
    const whom = Math.min(nextOf(before, at.before), nextOf(after, at.after));
    const own = takeOf(before, at.before, whom);
    const other = takeOf(after, at.after, whom);
    at.before += own.length;
    at.after += other.length;
    report(whom, differenceOf(own, other));
  }
  return counts;
};

const nextOf = (marks: Marks, at: number): number =>
  at < marks.count ? marks.whom(at) : Number.POSITIVE_INFINITY;

/** What one recipient gets. */
const takeOf = (marks: Marks, from: number, whom: number): readonly number[] => {
  const taken: number[] = [];
  for (let at = from; at < marks.count && marks.whom(at) === whom; at += 1)
    taken.push(marks.what(at));
  return taken;
};

/** How many of each are not among the others, each counted once. */
const differenceOf = (own: readonly number[], other: readonly number[]) => {
  const left = [...other];
  let gone = 0;
  for (const what of own) {
    const same = left.indexOf(what);
    if (same < 0) gone += 1;
    else left.splice(same, 1);
  }
  return { gone, come: left.length };
};
