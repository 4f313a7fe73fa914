/** What changed from one plan to another: how they are sent, what they cost, and which rows. */

import { hash } from "node:crypto";
import type { MessageInput } from "../../contract/message-records.ts";
import type { Ports } from "../../ports.ts";
import { withoutCorrelationId } from "../store/row-outcomes.ts";
import { planFields, planRecord } from "./plan-record.ts";
import { planSteps, type ReadPlan, readPlan } from "./read-plan.ts";

const sides = ["before", "after"] as const;
type Side = (typeof sides)[number];
type Both<T> = Readonly<Record<Side, T>>;

const changeKinds = ["added", "removed", "changed"] as const;
type ChangeKind = (typeof changeKinds)[number];

type Members = Readonly<Record<string, unknown>>;

interface Difference extends Both<unknown> {
  readonly what: string;
}

/** Members that differ between any two plans. */
const ownMembers: ReadonlySet<string> = new Set([
  "plan",
  "run",
  "digest",
  "planned",
  "approvedBy",
  "dateApproved",
]);

/** Both files are read side by side to compare them, and again for the texts of the first rows that differ. */
export const differencesOf = async (
  ctx: Ports,
  before: string,
  after: string,
): Promise<readonly Difference[]> => {
  const plans = { before, after };
  const compared = await compareRows((path) => ctx.io.read(path), plans);
  const { counts, named } = compared;
  const one: Members = planRecord(before, compared.before);
  const two: Members = planRecord(after, compared.after);
  const members = planFields
    .filter((name) => !ownMembers.has(name))
    .filter((name) => JSON.stringify(one[name]) !== JSON.stringify(two[name]));
  return [
    ...members.map((what) => ({ what, before: one[what], after: two[what] })),
    ...changeKinds
      .filter((kind) => counts[kind] > 0)
      .map((kind) => ({ what: `rows ${kind}`, before: null, after: counts[kind] })),
    ...(named.size === 0 ? [] : await rowDifferences(ctx, plans, named)),
  ];
};

/** At most this many texts of one recipient are shown. */
const maxShown = 10;

/** Several texts of a recipient follow each other; of many, only the first ones. */
const rowDifferences = async (
  ctx: Ports,
  plans: Both<string>,
  named: ReadonlyMap<number, ChangeKind>,
): Promise<readonly Difference[]> => {
  const found = new Map<number, { to: string; before: string[]; after: string[] }>();
  for (const side of sides)
    await readPlan(ctx.io.read(plans[side]), plans[side], {
      onMessage: (_, message) => {
        const recipient = recipientHash(message);
        if (!named.has(recipient)) return;
        const it = found.get(recipient) ?? { to: String(message.to), before: [], after: [] };
        if (it[side].length < maxShown) it[side].push(contentOf(message));
        else it[side][maxShown] = "…";
        found.set(recipient, it);
      },
    });
  return [...found].map(([recipient, { to, before, after }]) => ({
    what: `${named.get(recipient)}: ${to}`,
    before: before.join("\n") || null,
    after: after.join("\n") || null,
  }));
};

/** The text, or the other members of a message without one. */
const contentOf = ({ to: _, customFields: __, text, ...rest }: MessageInput): string =>
  text ?? JSON.stringify(rest);

type ReadFile = (path: string) => AsyncIterable<Uint8Array>;

/** At most this many recipients of each kind of change are named. */
const maxNamed = 10;

/** Rows that are kept until their equal is found: about 40 MB. Half as many, and files are read twice as often. */
const maxKept = 400_000;

/**
 * Compares in memory that does not grow with the rows: a row is kept until its equal comes in the other plan. If
 * more than `maxRows` are kept, as for the same list in another order, the files are read again for each part of the
 * recipients in turn. `named`: the first recipients of each kind.
 */
export const compareRows = async (readFile: ReadFile, plans: Both<string>, maxRows = maxKept) => {
  const tally = createTally();
  const pairs = createPairs(tally.add, { at: 0, of: 1 }, maxRows);
  const read = await readBoth(readFile, plans, pairs);
  if (!pairs.isOver()) return { ...read, ...tally.found };
  const parts = createTally();
  const messages = read.before.header.run.messages + read.after.header.run.messages;
  const of = Math.ceil(messages / maxRows);
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
    add: (kind: ChangeKind, recipient: number): void => {
      counts[kind] += 1;
      if (left[kind] === 0 || named.has(recipient)) return;
      left[kind] -= 1;
      named.set(recipient, kind);
    },
  };
};

/** Reads body by body, next from the plan that is behind. */
const readBoth = async (
  readFile: ReadFile,
  plans: Both<string>,
  pairs: ReturnType<typeof createPairs>,
): Promise<Both<ReadPlan>> => {
  const open = (side: Side) =>
    planSteps(readFile(plans[side]), plans[side], {
      onMessage: (_, message) => pairs.add(side, message),
    });
  const steps = { before: open("before"), after: open("after") };
  const rows = { before: 0, after: 0 };
  const ended: { before?: ReadPlan; after?: ReadPlan } = {};
  try {
    for (;;) {
      const { before, after } = ended;
      if (before && after) {
        pairs.end();
        return { before, after };
      }
      const isBeforeBehind = rows.before <= rows.after;
      const side = after || (!before && isBeforeBehind) ? "before" : "after";
      const step = await steps[side].next();
      if (step.done) ended[side] = step.value;
      else rows[side] = step.value;
    }
  } finally {
    // If one plan is damaged the other is closed too.
    await Promise.all(sides.map((side) => steps[side].return?.()));
  }
};

/** Every `of`-th recipient, from the one at `at`. */
/** Which of the recipients are compared: those whose hash has this rest. */
export interface Slice {
  readonly at: number;
  readonly of: number;
}

/** Hashes of contents, by that of their recipient. */
type Unmatched = Map<number, number[]>;

/**
 * Matches each message of two plans with its equal as both are read, and calls `onChange` for each that changed.
 * Equal messages to one recipient match in any order. If more than `maxRows` rows are unmatched, those so far are
 * counted as changed, and if that does not help, nothing more is kept.
 */
export const createPairs = (
  onChange: (kind: ChangeKind, recipient: number) => void,
  { at, of }: Slice,
  maxRows: number,
) => {
  const unmatched: Both<Unmatched> = { before: new Map(), after: new Map() };
  let kept = 0;
  let isOver = false;
  const countChanged = (): void => {
    for (const recipient of takeChanged(unmatched)) {
      onChange("changed", recipient);
      kept -= 2;
    }
  };
  return {
    isOver: (): boolean => isOver,
    add: (side: Side, message: MessageInput): void => {
      if (isOver) return;
      const recipient = recipientHash(message);
      if (recipient % of !== at) return;
      const content = hashOf(JSON.stringify(withoutCorrelationId(message)));
      const others = unmatched[side === "before" ? "after" : "before"];
      const equal = others.get(recipient)?.indexOf(content) ?? -1;
      if (equal >= 0) removeRows(others, recipient, equal, 1);
      else addRow(unmatched[side], recipient, content);
      kept += equal >= 0 ? -1 : 1;
      if (kept <= maxRows) return;
      countChanged();
      // Making room again soon would take long.
      isOver = kept > maxRows * 0.75;
      if (isOver) for (const rows of Object.values(unmatched)) rows.clear();
    },
    end: (): void => {
      countChanged();
      for (const [to, rows] of unmatched.before) for (const _ of rows) onChange("removed", to);
      for (const [to, rows] of unmatched.after) for (const _ of rows) onChange("added", to);
    },
  };
};

/** Takes out the rows that a recipient has in both plans, and yields the recipient of each. */
function* takeChanged({ before, after }: Both<Unmatched>): Generator<number> {
  for (const [recipient, removed] of before) {
    const changed = Math.min(removed.length, after.get(recipient)?.length ?? 0);
    for (const rows of [before, after]) removeRows(rows, recipient, 0, changed);
    for (let done = 0; done < changed; done += 1) yield recipient;
  }
}

const addRow = (rows: Unmatched, recipient: number, content: number): void => {
  const found = rows.get(recipient);
  if (found) found.push(content);
  else rows.set(recipient, [content]);
};

const removeRows = (rows: Unmatched, recipient: number, at: number, count: number): void => {
  const found = rows.get(recipient);
  found?.splice(at, count);
  if (found?.length === 0) rows.delete(recipient);
};

const recipientHash = ({ country = "82", to }: MessageInput): number => hashOf(`${country} ${to}`);

/** 52 bits: two of a million rows are the same by chance in one of nine thousand plans. */
const hashOf = (text: string): number => {
  const bytes = hash("sha256", text, "buffer");
  return bytes.readUIntBE(0, 6) * 16 + ((bytes[6] ?? 0) >> 4);
};
