/** What the files of a run say of it: its state, and its summary, whose counts add up to the rows of the source. */

import { t } from "../../locale/locale.ts";
import type { Counts } from "../protocol/entries.ts";
import { isUnscheduled, isWaiting, statusOfRows } from "../protocol/groups.ts";
import { countRows } from "../protocol/rows.ts";
import { countRemaining, type Group, restoreState, type State } from "../protocol/state.ts";
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
export const shownSummary = (store: RunStore, run: RunFile): Summary => {
  try {
    return summarize(run, readState(store, run));
  } catch (error) {
    if (isDamage(error)) return damagedSummary(run);
    throw error;
  }
};

/** `elapsedMs`: of a run that is being worked on; else its journal says it. */
export const summarize = (
  run: RunFile,
  state: State | undefined,
  elapsedMs = state?.elapsedMs ?? 0,
) => {
  const books = state ? countsIn(state) : { ...empty(), notSent: run.messages };
  const word = stateOf(state, books);
  // Charged at its hour: until then what it will cost is shown.
  if (word === "scheduled" && books.cost === 0) books.cost = run.price ?? 0;
  const isPartly = word === "unscheduled" && books.cost === 0;
  const isUnpriced = books.isUnpriced || (word === "scheduled" && run.price === null);
  return {
    run: run.run,
    // Which of several workers on the same source it is; absent for a run of the whole.
    ...(run.part && { part: `${run.part.index}/${run.part.of}` }),
    state: word,
    path: run.path,
    groups: [...books.groups],
    total: run.messages + run.skipped,
    accepted: books.accepted,
    refused: books.refused,
    skipped: run.skipped,
    notSent: books.notSent,
    unknown: books.unknown,
    // Null if the service does not say it: the answer to a single message has no price.
    cost: isCostKnown(run, books, isPartly || isUnpriced)
      ? Math.round(books.cost * 10_000) / 10_000
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
  const { accepted, refused, notSent, unknown } = countsIn(state);
  return notSent >= 0 && accepted + refused + notSent + unknown === run.messages;
};

/** The price of a part that waits for its hour is not known: a run keeps that of the whole. */
const isCostKnown = (
  { call, path }: RunFile,
  { accepted, cost }: Totals,
  isPartly: boolean,
): boolean => ((call === "send-many" || path === "G") && !isPartly) || accepted === 0 || cost > 0;

const empty = () => ({
  accepted: 0,
  refused: 0,
  notSent: 0,
  unknown: 0,
  cost: 0,
  groups: new Set<string>(),
  isUnpriced: false,
});

type Totals = ReturnType<typeof empty>;

/** `group` is empty if no one knows it, or what it cost: an operator said that its rows were accepted. */
const addDone = (
  books: Totals,
  { accepted, refused }: Counts,
  { group, cost }: { readonly group: string; readonly cost: number },
): void => {
  books.accepted += accepted;
  books.refused += refused;
  books.cost += cost;
  if (group !== "") books.groups.add(group);
  else if (accepted > 0) books.isUnpriced = true;
};

const stateOf = (state: State | undefined, books: Totals): string => {
  if (!state) return "planned";
  const isTooLate = books.notSent === 0 && books.accepted + books.refused > 0;
  if (state.cancel && state.ended && !isTooLate) return "cancelled";
  if (books.unknown > 0) return "unknown";
  if (!state.ended) return "open";
  if (state.groups.some((it) => isUnscheduled(state, it))) return "unscheduled";
  const isLater = state.taken.some((it) => it.scheduled);
  return isLater || state.groups.some((it) => isWaiting(state, it)) ? "scheduled" : "done";
};

const countsIn = (state: State): Totals =>
  state.shape.path === "G" ? booksOfGroups(state) : booksOfPosts(state);

const booksOfPosts = (state: State): Totals => {
  const books = empty();
  for (const [at, chunk] of state.chunks.entries()) {
    const rows = state.shape.rows[at] ?? 0;
    if (chunk.status === "done") addDone(books, chunk, chunk);
    else if ("signature" in chunk) books.unknown += rows;
    else books.notSent += rows;
  }
  return books;
};

const booksOfGroups = (state: State): Totals => {
  const books = empty();
  const living = state.groups.filter((it) => it.status !== "abandoned");
  for (const group of living) addGroup(state, books, group);
  // What others have sent is accepted, too.
  for (const taken of state.taken) addDone(books, taken, { group: taken.id, cost: taken.cost });
  const others = countRows(state.taken.flatMap(({ rows }) => rows));
  const covered = living.reduce((sum, it) => sum + rowsOf(state, it), others);
  books.notSent += state.shape.rows.reduce((sum, it) => sum + it, 0) - covered;
  return books;
};

const rowsOf = (state: State, { chunks }: Group): number =>
  chunks.reduce((sum, at) => sum + countRemaining(state, at), 0);

const addGroup = (state: State, books: Totals, group: Group): void => {
  const rows = rowsOf(state, group);
  const { id = "", counts, cost } = group;
  if (id !== "") books.groups.add(id);
  const became = statusOfRows(state, group);
  if (became === "sent") addDone(books, counts, { group: id, cost });
  else if (became === "failed") books.refused += rows;
  else if (became === "unknown") books.unknown += rows;
  else books.notSent += rows;
};
