/** Reads the source of a run to its end: its rows become a plan on the disk, and are kept for `run export`. */

import { createHash } from "node:crypto";
import type { Template } from "../../contract/kakao.ts";
import { createNewFile } from "../../durable/new-file.ts";
import { t } from "../../locale/locale.ts";
import { formatFigure } from "../../message/price.ts";
import type { Ports } from "../../ports.ts";
import { readCanary } from "../canary/plan-canary.ts";
import { readNumbers } from "../messages/number-list.ts";
import { withPicture } from "../messages/picture.ts";
import { readTemplateFlag } from "../messages/template.ts";
import type { Part } from "../parts/part.ts";
import { callName } from "../run/answer-matches.ts";
import { tap } from "../sources/open-source.ts";
import { displayName, type Found } from "../sources/rows.ts";
import { allowsDuplicates, namesOfRowFlags, type RunFlags, sizesOf } from "../start/run-flags.ts";
import type { RetriedRun, RunFile } from "../store/run-file.ts";
import { fileOf, type RunStore, storeOf } from "../store/run-folder.ts";
import type { BodiesOptions } from "./bodies.ts";
import { makePlan, type Planned } from "./make-plan.ts";
import { Samples } from "./samples.ts";
import { watchRows } from "./skipped-rows.ts";
import { messageOptions, openRows } from "./source-flags.ts";

export interface ReadSource {
  readonly planned: Planned;
  readonly template: Template | undefined;
  /** The column that was taken as the recipient by its name. */
  readonly recipient: string | undefined;
  readonly found: Found;
  /** For a person at a terminal. */
  readonly samples: Samples | undefined;
}

/** Where rows come from: a file or `-`; or the refused rows of another run, with the flags it had. */
export interface Source {
  readonly name: string;
  /** Which of its recipients are sent to; all when left out. */
  readonly part?: Part | undefined;
  readonly retried?: {
    readonly run: string;
    readonly known: readonly RetriedRun[];
    readonly rows: AsyncIterable<RetriedRow>;
    readonly flags: readonly string[];
  };
  /** Finds the run that one of these messages resumes. Throws MsgError if that has other messages. */
  readonly findPredecessor?: (
    content: string,
    part: string | undefined,
  ) => Promise<Partial<RunFile>>;
}

/**
 * Reads the source, and keeps it as it was read in the run's folder, so that `run export` can write each row with all
 * its columns; nothing that is sent depends on it. Throws MsgError (usage).
 */
export const readSource = async (ctx: Ports, run: string, source: Source, typed: RunFlags) => {
  const store = storeOf(ctx);
  const input = createNewFile(store.files, fileOf(store, run, "input"));
  const hash = createHash("sha256");
  const keep = (bytes: Uint8Array): void => {
    hash.update(bytes);
    input.add(bytes);
  };
  try {
    const read = await planRows(ctx, run, { ...source, keep }, typed);
    input.end();
    const { hiddenRows = 0 } = read.found;
    // Who filtered a sheet may mean its visible rows alone.
    if (hiddenRows > 0)
      await ctx.note(
        t`${displayName(source.name)} has hidden rows, by a filter or by hand, which are read like the others: ${formatFigure(hiddenRows)}`,
      );
    return { ...read, input: inputOf(source, read, hash.digest("hex")) };
  } finally {
    input.close();
  }
};

type Reading = ReadSource & { readonly all: RunFlags };

/** How the kept source is read again; for a retry its rows, which are those of the run before. */
const inputOf = ({ retried }: Source, { all, found }: Reading, sha256: string) =>
  retried
    ? { format: "jsonl" as const, header: true, sha256, flags: retried.flags }
    : {
        format: found.format ?? ("csv" as const),
        ...(found.encoding && { encoding: found.encoding }),
        ...(all.sheet !== undefined && { sheet: all.sheet }),
        header: all.csvHeader !== false,
        sha256,
        flags: namesOfRowFlags(all),
      };

/** The numbers of `--exclude`. Throws MsgError (usage). */
const readExcluded = async (
  ctx: Ports,
  { exclude: list, fixLeadingZero }: RunFlags,
): Promise<ReadonlySet<string> | undefined> => {
  if (list === undefined) return undefined;
  const numbers = await readNumbers(ctx.io.read(list), list, fixLeadingZero);
  // An export that failed leaves an empty file behind.
  if (numbers.size === 0)
    await ctx.note(t`--exclude: ${list} has no numbers, so no one is left out`);
  return numbers;
};

const planRows = async (
  ctx: Ports,
  run: string,
  { name: file, part, retried, keep }: Source & { readonly keep: Keep },
  typed: RunFlags,
): Promise<Reading> => {
  const exclude = await readExcluded(ctx, typed);
  const template = await readTemplateFlag(ctx, typed);
  // Before the source is opened: a picture may be refused.
  const pictured = await withPicture(ctx, typed);
  const name = displayName(file);
  const { flags, rows } = retried
    ? await openRows(keepingInput(retried.rows, keep), name, { ...pictured, format: "jsonl" })
    : await openRows(tap(ctx.io.read(file), keep), name, pictured);
  const canary = await readCanary(ctx, typed);
  const samples = ctx.io.err.isTTY || ctx.consent.dryRun ? new Samples() : undefined;
  const watch = watchRows(ctx, run, flags, name);
  const planned = await makePlan(rows, {
    ...messageOptions(ctx, name, flags, template),
    dedupe: flags.dedupe,
    exclude,
    isAdvertising: flags.ad,
    areFilled: retried !== undefined,
    identity: identityOf({ scheduledDate: flags.at, retryOf: retried?.run }),
    bodies: {
      ...bodiesOf(storeOf(ctx), run, flags),
      cutAt: canary?.rows,
      keep: canary?.team?.length,
    },
    canary,
    part: part && { ...part, skipsWrong: flags.onInvalid === "skip" },
    onMessage: samples?.add,
    ...watch.callbacks,
  }).finally(watch.end);
  const { recipient } = await watch.report();
  return { all: flags, planned, recipient, template, found: rows.found, samples };
};

const bodiesOf = (store: RunStore, run: string, flags: RunFlags): BodiesOptions => ({
  files: store.files,
  path: fileOf(store, run, "plan.jsonl"),
  rows: sizesOf(flags).chunk,
  run: flags.tag === false ? undefined : run,
  members: (firstRow) => (flags.direct ? callMembers(flags, callName(run, firstRow)) : {}),
});

/**
 * What makes the same rows another run: another scheduled time, or being a retry. Another path or option of the
 * call does not: the same messages would reach the same people.
 */
export const identityOf = ({
  scheduledDate: at,
  retryOf,
}: Pick<RunFile, "scheduledDate" | "retryOf">): readonly unknown[] => [
  ...(at === undefined ? [] : [{ at }]),
  ...(retryOf === undefined ? [] : [{ retryOf }]),
];

const callMembers = (flags: RunFlags, sdkVersion: string): Readonly<Record<string, unknown>> => ({
  ...(flags.strict !== undefined && { strict: flags.strict }),
  ...((allowsDuplicates(flags) || flags.allowDuplicates !== undefined) && {
    allowDuplicates: allowsDuplicates(flags),
  }),
  agent: { sdkVersion, ...flags.agent },
});

type Keep = (bytes: Uint8Array) => void;

/** A row that is sent again: its message, and its row in the input of its run. */
export interface RetriedRow {
  readonly message: object;
  readonly input: object;
}

/** The messages as JSONL; the rows that they come from are kept. */
async function* keepingInput(
  rows: AsyncIterable<RetriedRow>,
  keep: Keep,
): AsyncGenerator<Uint8Array> {
  for await (const { message, input } of rows) {
    keep(lineOf(input));
    yield lineOf(message);
  }
}

const lineOf = (value: object): Uint8Array => Buffer.from(`${JSON.stringify(value)}\n`);
