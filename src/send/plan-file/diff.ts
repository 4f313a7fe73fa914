/** What changed from one plan to another: how they are sent, what they cost, and which rows. */

import { hash } from "node:crypto";
import type { MessageInput } from "../../contract/message-records.ts";
import type { Ports } from "../../ports.ts";
import { withoutCorrelationId } from "../messages/correlation.ts";
import { planFields, planRecord } from "./plan-record.ts";
import { type PlanReader, type ReadPlan, readPlan } from "./read-plan.ts";

const sides = ["before", "after"] as const;
type Side = (typeof sides)[number];
type Both<T> = Readonly<Record<Side, T>>;

const changeKinds = ["added", "removed", "changed"] as const;
type ChangeKind = (typeof changeKinds)[number];

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

/** Both files are read to compare them, and again for the texts of the first rows that differ. */
export const differencesOf = async (
  ctx: Ports,
  before: string,
  after: string,
): Promise<readonly Difference[]> => {
  const plans = { before, after };
  const compared = await compareRows((path) => ctx.io.read(path), plans);
  const { counts, named } = compared;
  const one = planRecord(before, compared.before);
  const two = planRecord(after, compared.after);
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

const contentOf = ({ to: _, customFields: __, text, ...rest }: MessageInput): string =>
  text ?? JSON.stringify(rest);

/** At most this many recipients of each kind of change are named. */
const maxNamed = 10;

/** Rows of a plan that are held at a time: about 40 MB. Half as many, and larger plans are read twice as often. */
const maxHeld = 400_000;

/**
 * Compares in memory that does not grow with the rows: if the first plan has more than `maxRows`, both files are read
 * again for each part of the recipients. Equal messages to one recipient match in any order. `named`: the first
 * recipients of each kind.
 */
export const compareRows = async (
  readFile: (path: string) => AsyncIterable<Uint8Array>,
  plans: Both<string>,
  maxRows = maxHeld,
) => {
  const { found, add } = createTally();
  const read = (side: Side, onMessage: PlanReader["onMessage"]): Promise<ReadPlan> =>
    readPlan(readFile(plans[side]), plans[side], { onMessage });
  let parts = 1;
  for (let part = 0; ; part += 1) {
    // Of each recipient the contents that only the first plan has, and how many only the second one has.
    const removed = new Map<number, number[]>();
    const added = new Map<number, number>();
    const before = await read("before", (_, message, { run }) => {
      parts = Math.ceil(run.messages / maxRows);
      const recipient = recipientHash(message);
      if (recipient % parts !== part) return;
      const contents = removed.get(recipient);
      if (contents) contents.push(contentHash(message));
      else removed.set(recipient, [contentHash(message)]);
    });
    const after = await read("after", (_, message) => {
      const recipient = recipientHash(message);
      if (recipient % parts !== part) return;
      const contents = removed.get(recipient);
      if (!contents) return add("added", recipient, 1);
      const equal = contents.indexOf(contentHash(message));
      if (equal >= 0) contents.splice(equal, 1);
      else added.set(recipient, (added.get(recipient) ?? 0) + 1);
    });
    for (const [recipient, { length }] of removed) {
      const more = added.get(recipient) ?? 0;
      const changed = Math.min(length, more);
      add("changed", recipient, changed);
      add("removed", recipient, length - changed);
      add("added", recipient, more - changed);
    }
    if (part + 1 >= parts) return { before, after, ...found };
  }
};

const createTally = () => {
  const counts = { added: 0, removed: 0, changed: 0 };
  const left = { added: maxNamed, removed: maxNamed, changed: maxNamed };
  const named = new Map<number, ChangeKind>();
  return {
    found: { counts, named },
    add: (kind: ChangeKind, recipient: number, rows: number): void => {
      counts[kind] += rows;
      if (rows === 0 || left[kind] === 0 || named.has(recipient)) return;
      left[kind] -= 1;
      named.set(recipient, kind);
    },
  };
};

const recipientHash = ({ country = "82", to }: MessageInput): number => hashOf(`${country} ${to}`);

const contentHash = (message: MessageInput): number =>
  hashOf(JSON.stringify(withoutCorrelationId(message)));

/** 52 bits: two of a million rows are the same by chance in one of nine thousand plans. */
const hashOf = (text: string): number => {
  const bytes = hash("sha256", text, "buffer");
  return bytes.readUIntBE(0, 6) * 16 + ((bytes[6] ?? 0) >> 4);
};
