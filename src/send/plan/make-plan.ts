/** Makes a plan of rows: every row is read, checked and priced before the first request. */
import type { MessageInput } from "../../contract/message-records.ts";
import type { Problem } from "../../errors.ts";
import { type Counts, type Tally, tally, tallyFallback } from "../../message/price.ts";
import { type CanaryRows, canaryChunks, teamMessages } from "../canary/plan-canary.ts";
import type { FastRow, FastRows, Representative } from "../messages/fast-rows.ts";
import { type MessageOptions, rowSteps } from "../messages/row-message.ts";
import { createSkipRules, type Dedupe, type SkipReason } from "../messages/skip-rules.ts";
import { type Part, partOf } from "../parts/part.ts";
import { noRowsError, type Row, type Rows } from "../sources/rows.ts";
import type { PlannedChunk } from "../store/run-file.ts";
import { Bodies, type BodiesOptions } from "./bodies.ts";
import { findLost, type SkippedRow } from "./skipped-rows.ts";

export interface PlanOptions extends MessageOptions {
  readonly bodies: BodiesOptions;
  readonly dedupe?: Dedupe | undefined;
  /** What is sent first: this many messages of the list, or the first texts to the team's own numbers. */
  readonly canary?: CanaryRows | undefined;
  /** Numbers, as digits, that get nothing. */
  readonly exclude?: ReadonlySet<string> | undefined;
  /** What makes the same rows another run. */
  readonly identity: readonly unknown[];
  /** The part of the recipients that this run sends to; wrong rows count to one of the parts if they are skipped. */
  readonly part?: (Part & { readonly skipsWrong: boolean }) | undefined;
  /** Called with every row that is not sent, and with every problem. */
  readonly onSkipped: (row: SkippedRow) => void;
  /** Called with every message that is to be sent, if samples are shown. */
  readonly onMessage?: ((row: number, message: MessageInput) => void) | undefined;
  /** Called with each row that has a character that phones may not show. */
  readonly onLost?: ((row: number, character: string) => void) | undefined;
  /** Called from time to time with the number of rows that were read. */
  readonly onProgress: (rows: number) => void;
}

/** About this many problems are kept for the error. */
const maxKept = 1_000;

type Planning = ReturnType<typeof beginPlan>;

const beginPlan = (options: PlanOptions, bodies: Bodies) => {
  const problems: Problem[] = [];
  const whole = new Amounts();
  return {
    options,
    bodies,
    rules: createSkipRules(options.dedupe, options.exclude),
    /** What all workers send, and what this run does: all of it unless others send parts. */
    whole,
    own: options.part ? new Amounts() : whole,
    isOwn: ownBy(options.part),
    skipped: { duplicate: 0, excluded: 0 },
    /** The first problems; `onSkipped` gets them all. */
    problems,
    /** Rows with problems. */
    wrong: 0,
    /** Those that count to this run; all of them unless others send parts. */
    ownWrong: 0,
  };
};

export interface Planned
  extends Totals,
    Readonly<Pick<Planning, "skipped" | "wrong" | "ownWrong" | "problems">> {
  readonly chunks: readonly PlannedChunk[];
  /** Rows of the source. */
  readonly listed: number;
  /** The same, and a row for each of the team's own numbers. */
  readonly total: number;
  /** The totals of all parts. */
  readonly whole: Totals;
  readonly digest: string;
  readonly canary: ReturnType<typeof canaryChunks> | undefined;
}

/** Reads all rows and writes their bodies. Throws what the source throws; problems are collected. */
export const makePlan = async (rows: Rows, options: PlanOptions): Promise<Planned> => {
  const bodies = new Bodies(options.bodies, options.identity);
  const planning = beginPlan(options, bodies);
  try {
    const { own, whole, skipped, problems } = planning;
    let steps: ReturnType<typeof stepsOf> | undefined;
    let listed = 0;
    for await (const batch of rows.batches()) {
      steps ??= stepsOf(planning, rows.found.columns);
      for (const row of batch) addRow(planning, steps, row);
      listed += batch.length;
      options.onProgress(listed);
    }
    if (listed === 0) throw noRowsError(options.name);
    const digest = bodies.seal();
    const from = bodies.count;
    const total = listed + addTeam(planning, listed);
    const chunks = bodies.end();
    const canary = options.canary && canaryChunks(options.canary, chunks, from);
    const { wrong, ownWrong } = planning;
    const read = { listed, total, skipped, wrong, ownWrong, problems };
    return { chunks, digest, canary, ...read, ...own.totals(), whole: whole.totals() };
  } finally {
    bodies.close();
  }
};

/** Messages to the team's own numbers follow the list, and are not hashed. */
const addTeam = (planning: Planning, listed: number): number => {
  const { bodies, own, whole, options } = planning;
  const team = teamMessages(options.canary, bodies.kept);
  for (const [at, message] of team.entries()) {
    bodies.add(listed + at + 1, message);
    whole.add(message);
    if (own !== whole) own.add(message);
  }
  return team.length;
};

/** How rows become messages, and the fast path if this plan can take it. */
const stepsOf = ({ options, rules }: Planning, columns: Rows["found"]["columns"]) => {
  const { step, fast } = rowSteps(columns, options);
  // Samples are made of whole messages.
  const isFast = options.onMessage === undefined && rules.isMobileSeen !== undefined;
  return { step, fast: isFast ? fast() : undefined };
};

const addRow = (planning: Planning, { step, fast }: ReturnType<typeof stepsOf>, row: Row): void => {
  const found = row.cells && fast?.read(row.cells);
  if (fast && found) {
    addFast(planning, fast, row, found);
    return;
  }
  const { messages, problems } = step(row);
  if (problems.length > 0) addWrong(planning, row, problems);
  for (const message of messages) addMessage(planning, row, message);
};

const addWrong = (planning: Planning, { number }: Row, problems: readonly Problem[]): void => {
  const { onSkipped, part } = planning.options;
  // A row without a valid number counts to one of the workers in turn.
  const isOwn = part === undefined || number % part.of === part.index - 1;
  planning.wrong += 1;
  if (isOwn) planning.ownWrong += 1;
  // All of a row or none: what is wrong with every row is found in what is kept.
  if (planning.problems.length < maxKept) planning.problems.push(...problems);
  for (const problem of problems) if (isOwn || !part.skipsWrong) onSkipped(problem);
};

const addMessage = (planning: Planning, row: Row, message: MessageInput): void => {
  const { rules, bodies, own, whole, options } = planning;
  const to = String(message.to);
  const reason = rules.skipReason(message);
  const isOwn = planning.isOwn(message.country, to);
  if (reason !== undefined) {
    if (isOwn) skip(planning, row, to, reason);
    return;
  }
  whole.add(message);
  if (!isOwn) {
    bodies.hash(message);
    return;
  }
  bodies.add(row.number, message);
  if (own !== whole) own.add(message);
  options.onMessage?.(row.number, message);
  const lost = findLost(message);
  if (lost !== undefined) options.onLost?.(row.number, lost);
};

const addFast = (planning: Planning, fast: FastRows, row: Row, found: FastRow): void => {
  const { rules, bodies, own, whole } = planning;
  const isOwn = planning.isOwn(undefined, found.to);
  if (rules.isMobileSeen?.(found.mobile)) {
    if (isOwn) skip(planning, row, found.to, "duplicate");
    return;
  }
  whole.addLike(found.representative);
  if (isOwn) {
    bodies.addOpen(row.number, fast.write(found));
    if (own !== whole) own.addLike(found.representative);
  } else bodies.hashOpen(fast.write(found));
};

const ownBy =
  (part: PlanOptions["part"]) =>
  (country: string | undefined, to: string): boolean =>
    part === undefined || partOf(part.of, country || "82", to) === part.index;

const skip = (planning: Planning, { number, line }: Row, to: string, reason: SkipReason): void => {
  planning.skipped[reason] += 1;
  planning.options.onSkipped({ row: number, line, to, reason });
};

export interface Totals {
  readonly messages: number;
  readonly counts: Counts;
  /** Sent in place of messages that Kakao cannot deliver. */
  readonly fallback: Counts;
}

class Amounts {
  readonly #counts: Tally = new Map();
  readonly #fallback: Tally = new Map();
  /** Messages that took the fast path, by their class. */
  readonly #byClass = new Map<Representative, number>();
  #messages = 0;

  add(message: MessageInput): void {
    tally(this.#counts, message);
    tallyFallback(this.#fallback, message);
    this.#messages += 1;
  }

  /** A message of the class of this representative. */
  addLike(representative: Representative): void {
    this.#byClass.set(representative, (this.#byClass.get(representative) ?? 0) + 1);
    this.#messages += 1;
  }

  totals(): Totals {
    for (const [{ message }, times] of this.#byClass) {
      tally(this.#counts, message, times);
      tallyFallback(this.#fallback, message, times);
    }
    this.#byClass.clear();
    return { counts: this.#counts, fallback: this.#fallback, messages: this.#messages };
  }
}
