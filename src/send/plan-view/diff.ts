/** What changed from one plan to another: how they are sent and what they cost, and which rows. */
import type { MessageInput } from "../../contract/message-records.ts";
import type { Ports } from "../../ports.ts";
import { type PlanReader, readPlan } from "../plan-file/read-plan.ts";
import { compareRows } from "./compare-rows.ts";
import { type ChangeKind, changeKinds, recipientMark } from "./pairs.ts";
import { planFields } from "./plan-names.ts";
import { type PlanRecord, planRecord } from "./plan-record.ts";

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
