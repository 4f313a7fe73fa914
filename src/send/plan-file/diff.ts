/** Two plans read side by side: which of their rows differ, in memory that does not grow with them. */

import { createHash } from "node:crypto";
import type { MessageInput } from "../../contract/message-records.ts";
import type { Ports } from "../../ports.ts";
import { withoutCorrelationId } from "../store/row-outcomes.ts";
import { type PlanRecord, planFields, planRecord } from "./plan-record.ts";
import { type PlanReader, planSteps, type ReadPlan, readPlan } from "./read-plan.ts";

type ReadFile = (path: string) => AsyncIterable<Uint8Array>;

interface Plans {
  readonly before: string;
  readonly after: string;
}

interface BothRead {
  readonly one: ReadPlan;
  readonly two: ReadPlan;
}

interface ComparedRows extends BothRead {
  readonly counts: Readonly<Record<ChangeKind, number>>;
  /** The first recipients of each kind. */
  readonly named: ReadonlyMap<number, ChangeKind>;
}

/** Recipients of each kind that are named. */
const maxNamed = 10;

/** Rows that are kept until their equal is found: about 40 MB. Half as many, and files are read twice as often. */
const maxKept = 400_000;

/**
 * A row that has another place in the other plan is kept until its equal comes. Where more than `most` are kept, as
 * of the same list in another order, the files are read again, for one part of the recipients after the other.
 */
export const compareRows = async (
  readFile: ReadFile,
  plans: Plans,
  most = maxKept,
): Promise<ComparedRows> => {
  const tally = createTally();
  const pairs = createPairs(tally.add, { at: 0, of: 1 }, most);
  const read = await readBoth(readFile, plans, pairs);
  if (!pairs.isOver()) return { ...read, ...tally.found };
  const parts = createTally();
  const of = Math.ceil((read.one.header.run.messages + read.two.header.run.messages) / most);
  for (let at = 0; at < of; at += 1)
    await readBoth(readFile, plans, createPairs(parts.add, { at, of }, Number.POSITIVE_INFINITY));
  return { ...read, ...parts.found };
};

const createTally = () => {
  const counts = { added: 0, removed: 0, changed: 0 };
  const left = { added: maxNamed, removed: maxNamed, changed: maxNamed };
  const named = new Map<number, ChangeKind>();
  return {
    found: { counts, named },
    add: (kind: ChangeKind, whom: number): void => {
      counts[kind] += 1;
      if (left[kind] === 0 || named.has(whom)) return;
      left[kind] -= 1;
      named.set(whom, kind);
    },
  };
};

/** Body by body: next comes that of the plan that is behind. */
const readBoth = async (readFile: ReadFile, plans: Plans, pairs: Pairs): Promise<BothRead> => {
  const open = (side: Side) =>
    planSteps(readFile(plans[side]), plans[side], {
      onMessage: (_, message) => pairs.add(side, message),
    });
  const [own, other] = [open("before"), open("after")];
  const rows = { own: 0, other: 0 };
  const ended: { one?: ReadPlan; two?: ReadPlan } = {};
  try {
    for (;;) {
      const { one, two } = ended;
      if (one && two) {
        pairs.end();
        return { one, two };
      }
      const isOwn = !one && (two !== undefined || rows.own <= rows.other);
      const step = await (isOwn ? own : other).next();
      if (!step.done) rows[isOwn ? "own" : "other"] = step.value;
      else ended[isOwn ? "one" : "two"] = step.value;
    }
  } finally {
    // Of a plan that is damaged the other is closed too.
    await Promise.all([own.return?.(), other.return?.()]);
  }
};

const changeKinds = ["added", "removed", "changed"] as const;
type ChangeKind = (typeof changeKinds)[number];
type Side = "before" | "after";

/** Every so many of the recipients. */
export interface Part {
  readonly at: number;
  readonly of: number;
}

type Pairs = ReturnType<typeof createPairs>;

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

const recipientMark = ({ country = "82", to }: MessageInput): number => markOf(`${country} ${to}`);

/** 52 bits: two of a million rows are the same by chance in one of nine thousand plans. */
const markOf = (text: string): number => {
  const bytes = createHash("sha256").update(text).digest();
  return bytes.readUIntBE(0, 6) * 16 + ((bytes[6] ?? 0) >> 4);
};

interface Difference {
  readonly what: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Rows of each kind that are shown, and texts of one recipient. */
const maxShown = 10;

/** Both files are read side by side to compare them, and again for the texts of the first rows that differ. */
export const differencesOf = async (
  ctx: Ports,
  before: string,
  after: string,
): Promise<readonly Difference[]> => {
  const { one, two, counts, named } = await compareRows((path) => ctx.io.read(path), {
    before,
    after,
  });
  const rows = changeKinds.filter((kind) => counts[kind] > 0);
  return [
    ...memberDifferences(planRecord(before, one), planRecord(after, two)),
    ...rows.map((kind) => ({ what: `rows ${kind}`, before: null, after: counts[kind] })),
    ...(await rowDifferences(ctx, { before, after, named })),
  ];
};

/** What two plans never share says nothing of a change. */
const ownMembers: ReadonlySet<string> = new Set([
  ...["plan", "run", "digest", "planned", "approvedBy", "dateApproved"],
]);

const memberDifferences = (before: PlanRecord, after: PlanRecord): Difference[] =>
  planFields
    .filter((name) => !ownMembers.has(name))
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .map((what) => ({ what, before: before[what], after: after[what] }));

interface Compared {
  readonly before: string;
  readonly after: string;
  /** By recipient. */
  readonly named: ReadonlyMap<number, ChangeKind>;
}

/** Of a recipient with several messages the texts follow each other, the first of many alone. */
const rowDifferences = async (
  ctx: Ports,
  { before, after, named }: Compared,
): Promise<readonly Difference[]> => {
  if (named.size === 0) return [];
  const found = new Map<number, { to: string; before: string[]; after: string[] }>();
  const reader = (side: "before" | "after"): PlanReader => ({
    onMessage: (_, message) => {
      const mark = recipientMark(message);
      if (!named.has(mark)) return;
      const it = found.get(mark) ?? { to: String(message.to), before: [], after: [] };
      if (it[side].length < maxShown) it[side].push(contentOf(message));
      else it[side][maxShown] = "…";
      found.set(mark, it);
    },
  });
  await readPlan(ctx.io.read(before), before, reader("before"));
  await readPlan(ctx.io.read(after), after, reader("after"));
  return [...found].map(([mark, it]) => ({
    what: `${named.get(mark)}: ${it.to}`,
    before: it.before.join("\n") || null,
    after: it.after.join("\n") || null,
  }));
};

/** The text, or where it has none what it is made of. */
const contentOf = ({ to: _, customFields: __, text, ...rest }: MessageInput): string =>
  text ?? JSON.stringify(rest);
