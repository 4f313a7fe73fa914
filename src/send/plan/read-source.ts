/** The source of a run, read to its end: its rows as a plan on the disk, and as they were for `run export`. */

import { createHash } from "node:crypto";
import type { Template } from "../../contract/kakao.ts";
import { closeQuietly, writeAll } from "../../durable/atomic-write.ts";
import { withFileError } from "../../durable/files.ts";
import { bareVariables } from "../../message/kakao-template.ts";
import type { Ports } from "../../ports.ts";
import { readCanary } from "../canary/canary-rows.ts";
import { readTemplateFlag } from "../guards/template.ts";
import { readExcluded } from "../messages/seen.ts";
import type { Part } from "../parts/part-flags.ts";
import { callName } from "../run/answer-matches.ts";
import { messageDefaults } from "../single/message.ts";
import { withPicture } from "../single/picture.ts";
import { mergeBody, peekBody } from "../sources/call-body.ts";
import { displayName, type Found, readRows } from "../sources/rows.ts";
import { allowsDuplicates, namesOfRowFlags, type RunFlags, sizesOf } from "../start/run-flags.ts";
import type { RunFile } from "../store/run-file.ts";
import { fileOf, type RunStore } from "../store/run-folder.ts";
import type { BodiesOptions } from "./bodies.ts";
import { makePlan, type Planned } from "./make-plan.ts";
import { createSampler, type Samples } from "./samples.ts";
import { watchRows } from "./skipped-rows.ts";

export interface ReadSource {
  readonly planned: Planned;
  /** What its messages are rendered by. */
  readonly template: Template | undefined;
  /** The column that was taken as the recipient by its name. */
  readonly recipient: string | undefined;
  /** Format and encoding of the source. */
  readonly found: Found;
  /** For a person at a terminal. */
  readonly samples: Samples | undefined;
}

/** Where rows come from: a file or `-`; or the rows that another run was refused, with the flags it had. */
export interface Source {
  readonly name: string;
  /** Which of its recipients are sent to; all when left out. */
  readonly part?: Part | undefined;
  readonly retried?: {
    readonly run: string;
    readonly rows: AsyncIterable<RetriedRow>;
    readonly flags: readonly string[];
  };
  /** Finds the run that one of these messages resumes. Throws MsgError where that has other messages. */
  readonly findPredecessor?: (
    content: string,
    part: string | undefined,
  ) => Promise<Partial<RunFile>>;
}

/** Reads the source, and keeps it for `run export`. */
export const readSource = async (
  ctx: Ports,
  store: RunStore,
  run: string,
  source: Source,
  typed: RunFlags,
) => {
  const kept = createInput(store, run);
  try {
    const read = await planRows(ctx, store, run, { ...source, kept }, typed);
    return { ...read, input: inputOf(source, read, kept.end()) };
  } finally {
    kept.close();
  }
};

type Reading = ReadSource & { readonly all: RunFlags };

/** How the kept source is read again; of a retry its rows, which are those of the run before. */
const inputOf = ({ retried }: Source, { all, found }: Reading, sha256: string) =>
  retried
    ? { format: "jsonl" as const, header: true, sha256, flags: retried.flags }
    : {
        format: found.format ?? ("csv" as const),
        ...(found.encoding && { encoding: found.encoding }),
        ...(all.sheet !== undefined && { sheet: all.sheet }),
        ...{ header: all.csvHeader !== false, sha256, flags: namesOfRowFlags(all) },
      };

const planRows = async (
  ctx: Ports,
  store: RunStore,
  run: string,
  source: Source & { readonly kept: KeptInput },
  typed: RunFlags,
): Promise<Reading> => {
  const exclude = await excludedBy(ctx, typed);
  const template = await readTemplateFlag(ctx, typed);
  const { flags, rows } = await openRows(ctx, source, typed);
  const canary = await readCanary(ctx, typed);
  const { dedupe = "to", csvHeader: header, fixLeadingZero, strict, map, allowEmpty } = flags;
  const name = displayName(source.name);
  const sampler = ctx.io.err.isTTY || ctx.consent.dryRun ? createSampler() : undefined;
  const watch = watchRows(ctx, store, run, flags, name);
  const planned = await makePlan(rows, {
    ...{ name, header, fixLeadingZero, strict, dedupe, exclude, map, allowEmpty, template },
    isAdvertising: flags.ad,
    areFilled: source.retried !== undefined,
    defaults: messageDefaults(ctx, flags, template),
    variables: flags.var && bareVariables(flags.var),
    identity: identityOf({ scheduledDate: flags.at, retryOf: source.retried?.run }),
    bodies: { ...bodiesOf(store, run, flags), cutAt: canary?.rows, keep: canary?.team?.length },
    canary,
    part: source.part && { ...source.part, skipsWrong: flags.onInvalid === "skip" },
    onMessage: sampler?.add,
    ...watch.callbacks,
  }).finally(watch.end);
  const { recipient } = await watch.report();
  return { all: flags, planned, recipient, template, found: rows.found, samples: sampler?.found };
};

/** The rows, and the flags with what a whole body of the call says beside its messages. */
const openRows = async (
  ctx: Ports,
  { name: file, retried, kept }: Source & { readonly kept: KeptInput },
  typed: RunFlags,
) => {
  // Before the source is opened: a picture may be refused.
  const pictured = await withPicture(ctx, typed);
  const { body, bytes } = await peekBody(
    retried ? keepingInput(retried.rows, kept) : keeping(ctx.io.read(file), kept),
  );
  const flags = mergeBody(pictured, body);
  const { encoding, csvHeader: header, sheet } = flags;
  const name = displayName(file);
  const format = retried ? "jsonl" : flags.format;
  return { flags, rows: readRows(bytes, { name, format, encoding, header, sheet }) };
};

const bodiesOf = (store: RunStore, run: string, flags: RunFlags): BodiesOptions => ({
  files: store.files,
  path: fileOf(store, run, "plan.jsonl"),
  rows: sizesOf(flags).chunk,
  tag: flags.tag === false ? undefined : run,
  members: (firstRow) => (flags.direct ? callMembers(flags, callName(run, firstRow)) : {}),
});

const excludedBy = async (
  ctx: Ports,
  { exclude, fixLeadingZero }: RunFlags,
): Promise<ReadonlySet<string>> =>
  exclude === undefined ? new Set() : readExcluded(ctx.io.read(exclude), exclude, fixLeadingZero);

/**
 * What makes the same rows another run: another hour, or that they are a retry. By another path or with
 * another option of the call the same messages reach the same people.
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

interface KeptInput {
  readonly add: (bytes: Uint8Array) => void;
  /** Everything is on the disk when it returns; the digest of it. */
  readonly end: () => string;
  readonly close: () => void;
}

const maxBuffered = 64 * 1024;

/** Makes the file with the first bytes. Throws MsgError (usage). */
const createInput = (store: RunStore, run: string): KeptInput => {
  const { files } = store;
  const path = fileOf(store, run, "input");
  const hash = createHash("sha256");
  const open: { descriptor?: number } = {};
  const waiting: { pieces: Uint8Array[]; size: number } = { pieces: [], size: 0 };
  const flush = (): number =>
    withFileError(path, "write", () => {
      open.descriptor ??= files.create(path, 0o600);
      const bytes = Buffer.concat(waiting.pieces);
      hash.update(bytes);
      writeAll(files, open.descriptor, bytes);
      Object.assign(waiting, { pieces: [], size: 0 });
      return open.descriptor;
    });
  return {
    add: (bytes) => {
      waiting.pieces.push(bytes);
      waiting.size += bytes.length;
      if (waiting.size >= maxBuffered) flush();
    },
    end: () => {
      const descriptor = flush();
      withFileError(path, "write", () => files.syncData(descriptor));
      return hash.digest("hex");
    },
    close: () => {
      if (open.descriptor !== undefined) closeQuietly(files, open.descriptor);
    },
  };
};

/** The pieces of a source, each kept as it passes. */
async function* keeping(
  source: AsyncIterable<Uint8Array>,
  kept: KeptInput,
): AsyncGenerator<Uint8Array> {
  for await (const piece of source) {
    kept.add(piece);
    yield piece;
  }
}

/** A row that is sent anew: its message, and what the input of its run said of it. */
export interface RetriedRow {
  readonly message: object;
  readonly input: object;
}

/** The messages as JSONL; what is kept are the rows that they come from. */
async function* keepingInput(
  rows: AsyncIterable<RetriedRow>,
  kept: KeptInput,
): AsyncGenerator<Uint8Array> {
  for await (const { message, input } of rows) {
    kept.add(lineOf(input));
    yield lineOf(message);
  }
}

const lineOf = (value: object): Uint8Array => Buffer.from(`${JSON.stringify(value)}\n`);
