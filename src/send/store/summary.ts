/** What the files of a run say of it: its state, and its summary, whose counts add up to the rows of the source. */

import { quietly } from "../../durable/files.ts";
import { t } from "../../locale/locale.ts";
import type { Counts } from "../protocol/entries.ts";
import { isAnyWaiting, isUnscheduled, statusOfRows } from "../protocol/group-status.ts";
import { countRows } from "../protocol/row-ranges.ts";
import {
  countAlsoTaken,
  type Group,
  initialState,
  restoreState,
  rowsOf,
  type State,
} from "../protocol/state.ts";
import { damagedRunError, inspectJournal, isDamage, replay } from "./journal.ts";
import { type RunFile, shapeOf } from "./run-file.ts";
import { fileOf, isBegun, type RunStore } from "./run-folder.ts";

/** The state of a run as its journal shows it; undefined if it was not begun. Throws MsgError for damage. */
export const readState = (store: RunStore, run: RunFile): State | undefined =>
  isBegun(store, run.run) ? readJournalState(store, run).state : undefined;

/** The same for a run that was begun, with the number of records that say so. */
export const readJournalState = (
  store: RunStore,
  run: RunFile,
): { readonly state: State; readonly records: number } => {
  const where = fileOf(store, run.run, "journal.log");
  const entries = inspectJournal(store.files, where);
  const state = restoreState(replay(shapeOf(run), entries));
  const [first] = entries;
  const isOwn = first?.t === "RUN" && first.run === run.run;
  if (isOwn && addsUp(run, state)) return { state, records: entries.length };
  const what = isOwn
    ? t`the journal has other rows than the plan`
    : t`the journal belongs to another run`;
  throw damagedRunError(run.run, what, { where, code: "JournalDamaged" });
};

/** The summary as commands print it. */
export type Summary = Readonly<ReturnType<typeof summarize>>;

/** The summary of a run, whatever became of its journal. */
export const shownSummary = (store: RunStore, run: RunFile): Summary =>
  quietly(() => summarize(run, readState(store, run)), isDamage) ?? damagedSummary(run);

/** `elapsedMs`: of a run that is being worked on; else its journal says it. */
export const summarize = (
  run: RunFile,
  state: State | undefined,
  elapsedMs = state?.elapsedMs ?? 0,
) => {
  const totals = totalsOf(state ?? initialState(shapeOf(run)));
  const status = stateOf(state, totals);
  // Charged at its hour: until then what it will cost is shown.
  if (status === "scheduled" && totals.cost === 0) totals.cost = run.price ?? 0;
  const isPartly = status === "unscheduled" && totals.cost === 0;
  const isUnpriced = totals.isUnpriced || (status === "scheduled" && run.price === null);
  return {
    run: run.run,
    // Which of several workers on the same source it is; absent for a run of the whole.
    ...(run.part && { part: `${run.part.index}/${run.part.of}` }),
    state: status,
    path: run.path,
    groups: totals.groups,
    total: run.messages + run.skipped,
    accepted: totals.accepted,
    refused: totals.refused,
    skipped: run.skipped,
    notSent: totals.notSent,
    unknown: totals.unknown,
    // Null if the service does not say it: the answer to a single message has no price.
    cost: isCostKnown(run, totals, isPartly || isUnpriced)
      ? Math.round(totals.cost * 10_000) / 10_000
      : null,
    elapsedMs: Math.round(elapsedMs),
  };
};

/** Any row of a run with a damaged journal may have been sent. */
export const damagedSummary = (run: RunFile): Summary => ({
  ...summarize(run, undefined),
  state: "damaged",
  notSent: 0,
  unknown: run.messages,
  cost: null,
});

/** Whether a journal counts no more rows than there are, and each of them once. */
const addsUp = (run: RunFile, state: State): boolean => {
  const { accepted, refused, notSent, unknown } = totalsOf(state);
  return notSent >= 0 && accepted + refused + notSent + unknown === run.messages;
};

/** The price of a part that waits for its hour is not known: a run keeps that of the whole. */
const isCostKnown = (
  { call, path }: RunFile,
  { accepted, cost }: Totals,
  isPartly: boolean,
): boolean => accepted === 0 || (!isPartly && (call === "send-many" || path === "G" || cost > 0));

/** Some rows and what became of them, with the group that holds them and what it cost. */
type Share = Readonly<typeof none>;

/** `group` is empty if no one knows it, or what it cost: an operator said that its rows were accepted. */
const none = { accepted: 0, refused: 0, notSent: 0, unknown: 0, cost: 0, group: "" };

type Totals = ReturnType<typeof totalsOf>;

const totalsOf = (state: State) => {
  const shares = state.shape.path === "G" ? sharesOfGroups(state) : sharesOfCalls(state);
  const sum = (name: Exclude<keyof Share, "group">): number =>
    shares.reduce((total, it) => total + it[name], 0);
  return {
    accepted: sum("accepted"),
    refused: sum("refused"),
    notSent: sum("notSent"),
    unknown: sum("unknown"),
    cost: sum("cost"),
    groups: [...new Set(shares.flatMap(({ group }) => group || []))],
    isUnpriced: shares.some(({ group, accepted }) => group === "" && accepted > 0),
  };
};

const stateOf = (state: State | undefined, totals: Totals): string => {
  if (!state) return "planned";
  const isTooLate = totals.notSent === 0 && totals.accepted + totals.refused > 0;
  if (state.cancel && state.ended && !isTooLate) return "cancelled";
  if (totals.unknown > 0) return "unknown";
  if (!state.ended) return "open";
  if (state.groups.some((it) => isUnscheduled(state, it))) return "unscheduled";
  return isAnyWaiting(state) ? "scheduled" : "done";
};

const sharesOfCalls = ({ chunks, shape }: State): readonly Share[] =>
  chunks.map((chunk, at) => {
    const rows = shape.rows[at] ?? 0;
    if (chunk.status === "done") return { ...none, ...chunk };
    return "signature" in chunk ? { ...none, unknown: rows } : { ...none, notSent: rows };
  });

const sharesOfGroups = (state: State): readonly Share[] => {
  const { shape, taken } = state;
  const inUse = state.groups.filter((it) => it.status !== "abandoned");
  const others = countRows(taken.flatMap(({ rows }) => rows));
  const covered = inUse.reduce((sum, it) => sum + rowsOf(state, it), others);
  return [
    ...inUse.map((it) => shareOfGroup(state, it)),
    // What others have sent is accepted, too.
    ...taken.map(({ id, ...it }) => ({ ...none, ...it, group: id })),
    { ...none, notSent: shape.rows.reduce((sum, it) => sum + it, 0) - covered },
  ];
};

/** Its counts without rows that were counted with a group of others. */
const countOnce = (state: State, group: Group): Counts => {
  const { accepted, refused } = group.counts;
  const twice = countAlsoTaken(state, group);
  const acceptedTwice = Math.min(twice, accepted);
  return { accepted: accepted - acceptedTwice, refused: refused - (twice - acceptedTwice) };
};

const shareOfGroup = (state: State, group: Group): Share => {
  const rows = rowsOf(state, group);
  const { id = "", cost } = group;
  const share = { ...none, group: id };
  switch (statusOfRows(state, group)) {
    case "sent":
      return { ...share, ...countOnce(state, group), cost };
    case "failed":
      return { ...share, refused: rows };
    case "unknown":
      return { ...share, unknown: rows };
    case "not-sent":
      return { ...share, notSent: rows };
  }
};
