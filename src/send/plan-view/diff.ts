/** What changed from one plan to another: how they are sent and what they cost, and which rows. */
import type { MessageInput } from "../../contract/message-records.ts";
import type { Ports } from "../../ports.ts";
import { type PlanReader, readPlan } from "../plan-file/read-plan.ts";
import { type ChangeKind, changeKinds, compareMarks, createMarks, recipientMark } from "./marks.ts";
import { planFields } from "./plan-names.ts";
import { type PlanRecord, planRecord } from "./plan-record.ts";

interface Difference {
  readonly what: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Rows of each kind that are shown. */
const maxShown = 10;

/** Each file is read twice: to count, and for the texts of the first rows that differ. */
export const differencesOf = async (
  ctx: Ports,
  before: string,
  after: string,
): Promise<readonly Difference[]> => {
  const named = new Map<number, ChangeKind>();
  const [own, other] = [createMarks(), createMarks()];
  const one = await readMarked(ctx, before, own);
  const two = await readMarked(ctx, after, other);
  const shown = { added: 0, removed: 0, changed: 0 };
  const counts = compareMarks(own.sorted(), other.sorted(), (kind, whom) => {
    shown[kind] += 1;
    if (shown[kind] <= maxShown) named.set(whom, kind);
  });
  const rows = changeKinds.filter((kind) => counts[kind] > 0);
  return [
    ...memberDifferences(one, two),
    ...rows.map((kind) => ({ what: `rows ${kind}`, before: null, after: counts[kind] })),
    ...(await rowDifferences(ctx, { before, after, named })),
  ];
};

const readMarked = async (
  ctx: Ports,
  file: string,
  marks: ReturnType<typeof createMarks>,
): Promise<PlanRecord> => {
  const onMessage = (_: number, message: MessageInput): void => marks.add(message);
  return planRecord(file, await readPlan(ctx.io.read(file), file, { onMessage }));
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

/** Of a recipient with several messages the texts follow each other. */
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
      it[side].push(contentOf(message));
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
