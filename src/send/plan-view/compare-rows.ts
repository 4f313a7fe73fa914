/** Two plans read side by side: which of their rows differ, in memory that does not grow with them. */

import { planSteps, type ReadPlan } from "../plan-file/read-plan.ts";
import { type ChangeKind, createPairs, type Pairs, type Side } from "./pairs.ts";

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
