/**
 * The messages of two plans, each matched with its equal as both are read: only what has no equal yet is kept, and
 * of that two numbers, whom it goes to and what it is.
 */
import { createHash } from "node:crypto";
import type { MessageInput } from "../../contract/message-records.ts";
import { withoutCorrelationId } from "../store/row-outcomes.ts";

export const changeKinds = ["added", "removed", "changed"] as const;
export type ChangeKind = (typeof changeKinds)[number];
export type Side = "before" | "after";

/** Every so many of the recipients. */
export interface Part {
  readonly at: number;
  readonly of: number;
}

export type Pairs = ReturnType<typeof createPairs>;

/**
 * Calls `onChange` for each message that changed. Of a recipient with several messages any that are equal are the
 * same; where more than `most` rows differ those so far are settled, and if that does not help nothing more is kept.
 */
export const createPairs = (
  onChange: (kind: ChangeKind, whom: number) => void,
  { at, of }: Part,
  most: number,
) => {
  const alone = { before: new Map<number, number[]>(), after: new Map<number, number[]>() };
  const count = { kept: 0, isOver: false };
  const settle = (): void => {
    for (const [whom, gone] of alone.before) {
      const changed = Math.min(gone.length, alone.after.get(whom)?.length ?? 0);
      for (let done = 0; done < changed; done += 1) onChange("changed", whom);
      count.kept -= 2 * changed;
      for (const rows of [alone.before, alone.after]) dropFirst(rows, whom, changed);
    }
  };
  /** To be settled again soon would take long. */
  const makeRoom = (): void => {
    settle();
    count.isOver = count.kept > most * 0.75;
    if (count.isOver) for (const rows of [alone.before, alone.after]) rows.clear();
  };
  return {
    isOver: (): boolean => count.isOver,
    add: (side: Side, message: MessageInput): void => {
      if (count.isOver) return;
      const whom = recipientMark(message);
      if (whom % of !== at) return;
      const what = markOf(JSON.stringify(withoutCorrelationId(message)));
      const isPaired = takeOut(alone[side === "before" ? "after" : "before"], whom, what);
      if (!isPaired) putIn(alone[side], whom, what);
      count.kept += isPaired ? -1 : 1;
      if (count.kept > most) makeRoom();
    },
    end: (): void => {
      settle();
      for (const [whom, gone] of alone.before) for (const _ of gone) onChange("removed", whom);
      for (const [whom, come] of alone.after) for (const _ of come) onChange("added", whom);
    },
  };
};

const putIn = (rows: Map<number, number[]>, whom: number, what: number): void => {
  const found = rows.get(whom);
  if (found) found.push(what);
  else rows.set(whom, [what]);
};

const takeOut = (rows: Map<number, number[]>, whom: number, what: number): boolean => {
  const found = rows.get(whom);
  const same = found?.indexOf(what) ?? -1;
  if (found === undefined || same < 0) return false;
  if (found.length === 1) rows.delete(whom);
  else found.splice(same, 1);
  return true;
};

const dropFirst = (rows: Map<number, number[]>, whom: number, count: number): void => {
  const found = rows.get(whom);
  if (found?.length === count) rows.delete(whom);
  else found?.splice(0, count);
};

export const recipientMark = ({ country = "82", to }: MessageInput): number =>
  markOf(`${country} ${to}`);

/** 52 bits: two of a million rows are the same by chance in one of nine thousand plans. */
const markOf = (text: string): number => {
  const bytes = createHash("sha256").update(text).digest();
  return bytes.readUIntBE(0, 6) * 16 + ((bytes[6] ?? 0) >> 4);
};
