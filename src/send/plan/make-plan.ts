/** Rows into a plan: every row is read, checked and priced before the first request. */
import { createHash } from "node:crypto";
import type { MessageInput } from "../../contract/message-records.ts";
import type { Problem } from "../../errors.ts";
import { type Counts, type Tally, tally, tallyFallback } from "../../message/price.ts";
import { type CanaryRows, canaryChunks, teamMessages } from "../canary/canary-rows.ts";
import type { FastRow, FastRows, Representative } from "../messages/fast-rows.ts";
import { findLost } from "../messages/lost.ts";
import { type MessageOptions, rowSteps } from "../messages/row-message.ts";
import { createSeenRecipients, type Dedupe, type SeenRecipients } from "../messages/seen.ts";
import { noRowsError, type Row, type Rows } from "../sources/rows.ts";
import type { PlannedChunk } from "../store/run-file.ts";
import { Bodies, type BodiesOptions } from "./bodies.ts";
import type { SkippedMessage, SkippedRow } from "./skipped-rows.ts";

export interface PlanOptions extends MessageOptions {
  readonly bodies: BodiesOptions;
  readonly dedupe: Dedupe;
  /** What goes out first: so many messages of the list, or the first texts to numbers of one's own. */
  readonly canary?: CanaryRows | undefined;
  /** Numbers, as digits, that get nothing. */
  readonly exclude: ReadonlySet<string>;
  /** What makes the same rows another run. */
  readonly identity: readonly unknown[];
  /** Called with every row that is not sent, and with every problem. */
  readonly onSkipped: (row: SkippedRow) => void;
  /** Called with every message that is to be sent, where samples are shown. */
  readonly onMessage?: ((row: number, message: MessageInput) => void) | undefined;
  /** Called with each row that has a character that phones may not show. */
  readonly onLost?: ((row: number, character: string) => void) | undefined;
  /** Called with the number of rows that were read, every now and then. */
  readonly onProgress: (rows: number) => void;
}

/** Problems that are kept for the error. */
const maxKept = 1_000;

interface Planning {
  readonly options: PlanOptions;
  readonly bodies: Bodies;
  readonly seen: SeenRecipients;
  readonly counts: Tally;
  readonly fallback: Tally;
  readonly skipped: Record<SkippedMessage["reason"], number>;
  /** The first problems; `onSkipped` gets them all. */
  readonly problems: Problem[];
  /** Messages that took the fast path, by their class. */
  readonly byClass: Map<Representative, number>;
  messages: number;
  /** Rows with problems. */
  wrong: number;
}

export interface Planned
  extends Readonly<Pick<Planning, "messages" | "skipped" | "wrong" | "problems">> {
  readonly chunks: readonly PlannedChunk[];
  /** Rows of the source. */
  readonly total: number;
  readonly counts: Counts;
  /** What goes out in place of messages that Kakao cannot deliver. */
  readonly fallback: Counts;
  readonly digest: string;
  /** The bodies that go out first. */
  readonly canary: { readonly from: number; readonly to: number } | undefined;
}

/** What is done with a row: the fast path where it can take it. */
interface Steps {
  readonly step: ReturnType<typeof rowSteps>["step"];
  readonly fast: FastRows | undefined;
}

/** Reads all rows and writes their bodies. Throws what the source throws; problems are collected. */
export const makePlan = async (rows: Rows, options: PlanOptions): Promise<Planned> => {
  const hash = createHash("sha256").update(JSON.stringify(options.identity));
  const bodies = new Bodies(options.bodies, (json) => void hash.update(json));
  const planning: Planning = {
    options,
    bodies,
    seen: createSeenRecipients(options.dedupe, options.exclude),
    counts: new Map(),
    fallback: new Map(),
    skipped: { duplicate: 0, excluded: 0 },
    problems: [],
    byClass: new Map(),
    messages: 0,
    wrong: 0,
  };
  try {
    const { counts, skipped, problems } = planning;
    let steps: Steps | undefined;
    let total = 0;
    for await (const batch of rows.batches()) {
      steps ??= stepsOf(planning, rows.found.columns);
      for (const row of batch) addRow(planning, steps, row);
      total += batch.length;
      options.onProgress(total);
    }
    if (total === 0) throw noRowsError(options.name);
    tallyClasses(planning);
    bodies.seal();
    const digest = hash.digest("hex");
    const from = bodies.count;
    total += addTeam(planning, total);
    const chunks = bodies.end();
    const canary = options.canary && canaryChunks(options.canary, chunks, from);
    const ended = { chunks, digest, canary };
    const { messages, wrong, fallback } = planning;
    return { ...ended, total, messages, skipped, wrong, problems, counts, fallback };
  } finally {
    bodies.close();
  }
};

const tallyClasses = ({ byClass, counts, fallback }: Planning): void => {
  for (const [{ message }, times] of byClass) {
    tally(counts, message, times);
    tallyFallback(fallback, message, times);
  }
};

/** What goes to numbers of one's own stands behind the list, and is no part of what is hashed. */
const addTeam = (planning: Planning, listed: number): number => {
  const { bodies, counts, fallback, options } = planning;
  const team = teamMessages(options.canary, bodies.kept);
  for (const [at, message] of team.entries()) {
    bodies.add(listed + at + 1, message);
    tally(counts, message);
    tallyFallback(fallback, message);
  }
  planning.messages += team.length;
  return team.length;
};

const stepsOf = ({ options, seen }: Planning, columns: Rows["found"]["columns"]): Steps => {
  const { step, fast } = rowSteps(columns, options);
  // Samples are made of whole messages.
  const isFast = options.onMessage === undefined && seen.mobile !== undefined;
  return { step, fast: isFast ? fast() : undefined };
};

const addRow = (planning: Planning, steps: Steps, row: Row): void => {
  const { fast } = steps;
  const found = row.cells && fast?.read(row.cells);
  if (fast && found) {
    addFast(planning, fast, row, found);
    return;
  }
  const { messages, problems } = steps.step(row);
  if (problems.length > 0) planning.wrong += 1;
  for (const problem of problems) {
    if (planning.problems.length < maxKept) planning.problems.push(problem);
    planning.options.onSkipped(problem);
  }
  for (const message of messages) {
    const reason = planning.seen.skipReason(message);
    if (reason === undefined) {
      planning.bodies.add(row.number, message);
      tally(planning.counts, message);
      tallyFallback(planning.fallback, message);
      planning.options.onMessage?.(row.number, message);
      const lost = findLost(message);
      if (lost !== undefined) planning.options.onLost?.(row.number, lost);
      planning.messages += 1;
    } else skip(planning, row, String(message.to), reason);
  }
};

const addFast = (planning: Planning, fast: FastRows, row: Row, found: FastRow): void => {
  const { seen, bodies, byClass } = planning;
  if (seen.mobile?.(found.mobile)) {
    skip(planning, row, found.to, "duplicate");
    return;
  }
  bodies.addOpen(row.number, fast.write(found));
  byClass.set(found.representative, (byClass.get(found.representative) ?? 0) + 1);
  planning.messages += 1;
};

const skip = (
  planning: Planning,
  { number, line }: Row,
  to: string,
  reason: SkippedMessage["reason"],
): void => {
  planning.skipped[reason] += 1;
  planning.options.onSkipped({ row: number, line, to, reason });
};
