/** Rows into a plan: every row is read, checked and priced before the first request (sending.md 3). */
import { createHash } from "node:crypto";
import { type Problem, usage } from "../errors.ts";
import { type Counts, type Tally, tally } from "../message/price.ts";
import { type Bodies, type BodiesOptions, createBodies } from "./bodies.ts";
import type { Dedupe, Skipped } from "./messages.ts";
import { type MessageOptions, type RowStep, rowStep } from "./row-message.ts";
import type { Row, Rows } from "./rows.ts";
import type { PlannedChunk } from "./run-file.ts";
import { createSeen, type Seen } from "./seen.ts";

export interface PlanOptions extends MessageOptions {
  readonly bodies: BodiesOptions;
  readonly dedupe: Dedupe;
  /** Numbers, as digits, that get nothing. */
  readonly exclude: ReadonlySet<string>;
  /** What makes the same rows another run: account, path, options. */
  readonly identity: readonly unknown[];
  /** Told of every row that is not sent, and of every problem. */
  readonly onLeftOut: (row: Skipped | Problem) => void;
  /** Told how many rows were read, every now and then. */
  readonly onProgress: (rows: number) => void;
}

export interface Planned {
  readonly chunks: readonly PlannedChunk[];
  /** Rows of the source. */
  readonly total: number;
  readonly messages: number;
  readonly skipped: Readonly<Record<Skipped["reason"], number>>;
  /** Rows with problems. */
  readonly wrong: number;
  /** The first of them. */
  readonly problems: readonly Problem[];
  readonly counts: Counts;
  readonly digest: string;
}

/** Problems that are kept for the error; all are told to `onLeftOut`. */
const mostKept = 1_000;

interface Planning {
  readonly options: PlanOptions;
  readonly bodies: Bodies;
  readonly seen: Seen;
  readonly counts: Tally;
  readonly skipped: Record<Skipped["reason"], number>;
  readonly problems: Problem[];
  messages: number;
  wrong: number;
}

/** Reads all rows and writes their bodies. Throws what the source throws; problems are collected. */
export const makePlan = async (rows: Rows, options: PlanOptions): Promise<Planned> => {
  const hash = createHash("sha256").update(JSON.stringify(options.identity));
  const bodies = createBodies(options.bodies, (json) => void hash.update(json));
  const planning: Planning = {
    options,
    bodies,
    seen: createSeen(options.dedupe),
    counts: new Map(),
    skipped: { duplicate: 0, excluded: 0 },
    problems: [],
    messages: 0,
    wrong: 0,
  };
  try {
    const total = await readAll(rows, planning);
    const { counts, messages, skipped, wrong, problems } = planning;
    const chunks = bodies.end();
    const digest = hash.digest("hex");
    return { chunks, total, messages, skipped, wrong, problems, counts, digest };
  } finally {
    bodies.close();
  }
};

const readAll = async (rows: Rows, planning: Planning): Promise<number> => {
  const { options } = planning;
  const made: { step?: RowStep } = {};
  let total = 0;
  for await (const batch of rows.batches()) {
    made.step ??= rowStep(rows.found.columns, options);
    for (const row of batch) takeRow(planning, made.step, row);
    total += batch.length;
    options.onProgress(total);
  }
  if (total > 0) return total;
  throw usage(`there are no rows in ${options.name}`, { code: "NoRows", todo: "nothing was sent" });
};

const takeRow = (planning: Planning, step: RowStep, row: Row): void => {
  const { messages, problems } = step(row);
  if (problems.length > 0) planning.wrong += 1;
  for (const problem of problems) {
    if (planning.problems.length < mostKept) planning.problems.push(problem);
    planning.options.onLeftOut(problem);
  }
  for (const message of messages) {
    const reason = reasonOf(planning, message);
    if (reason === undefined) {
      planning.bodies.add(row.number, message);
      tally(planning.counts, message);
      planning.messages += 1;
    } else {
      planning.skipped[reason] += 1;
      const { number, line } = row;
      planning.options.onLeftOut({ row: number, line, to: String(message.to), reason });
    }
  }
};

const reasonOf = (
  { options, seen }: Planning,
  message: Parameters<Seen>[0],
): Skipped["reason"] | undefined => {
  if (options.exclude.has(String(message.to))) return "excluded";
  return seen(message) ? "duplicate" : undefined;
};
