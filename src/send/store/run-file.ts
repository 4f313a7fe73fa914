/** `run.json`: everything of a run that is fixed before its first request. */

import { hash } from "node:crypto";
import { dirname, join } from "node:path";
import * as v from "valibot";
import type { Files } from "../../durable/files.ts";
import { type MsgError, usageError } from "../../errors.ts";
import { isRecord, readJson } from "../../json/read-json.ts";
import { t } from "../../locale/locale.ts";
import { count } from "../protocol/entries.ts";
import type { RunShape } from "../protocol/state.ts";
import { damagedRunError, firstRecord } from "./journal.ts";

/** One request body of plan.jsonl. */
const chunk = v.object({
  offset: count,
  length: count,
  rows: count,
  /** Number of its first row in the source. */
  first: count,
  sha256: v.string(),
});
export type PlannedChunk = v.InferOutput<typeof chunk>;

export const approval = v.object({
  digest: v.string(),
  /** The public key of the approver, and when. */
  key: v.string(),
  date: v.string(),
  signature: v.string(),
});
export type Approval = v.InferOutput<typeof approval>;

const canary = v.object({
  from: count,
  to: count,
  /** They go to the operator's own numbers, after the rows of the list, and are no part of it. */
  isTeam: v.boolean(),
  withinMs: count,
  /** How many may fail, as typed: `5%` or `2`; if left out, msg asks a person. */
  maxFailed: v.optional(v.string()),
});
export type Canary = v.InferOutput<typeof canary>;

const part = v.object({
  /** From 1. */
  index: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  of: v.pipe(v.number(), v.safeInteger(), v.minValue(2)),
  /** Messages and cost of the whole source, which ceilings are compared with. */
  messages: count,
  price: v.nullable(v.number()),
  fallbackPrice: v.optional(v.nullable(v.number())),
});

/** A run whose rows a retry sends again. */
const retriedRun = v.object({
  run: v.string(),
  status: v.picklist(["refused", "failed"]),
  /** What others know the rows by, if they were refused: its own groups hold those that failed. */
  claim: v.optional(v.string()),
  /** The groups that its other rows went out in. */
  sent: v.optional(v.pipe(v.array(v.string()), v.readonly()), []),
  /** The groups that failed as a whole: a person may resend them. */
  failed: v.pipe(v.array(v.string()), v.readonly()),
});
export type RetriedRun = v.InferOutput<typeof retriedRun>;

/** Raised when the meaning of a member changes. */
export const runFileVersion = 2;

/** The schema of run.json; a plan that is kept in a file holds the same. */
export const runFile = v.object({
  version: v.literal(runFileVersion),
  run: v.string(),
  started: v.string(),
  profile: v.string(),
  account: v.nullable(v.string()),
  /** The last four characters of the key. */
  key: v.nullable(v.string()),
  /** Where it is sent to; null for the sandbox in this process. */
  baseUrl: v.nullable(v.pipe(v.string(), v.url())),
  source: v.string(),
  /** Account, hour and messages: the same when the same is sent again, on whatever path. */
  digest: v.string(),
  /** The same without the account: if that could not be read, no one knows whose rows they are. */
  content: v.optional(v.string()),
  /** What others that send the same rows know them by; none if they are no one else's. */
  claim: v.optional(v.string()),
  path: v.picklist(["S", "G", "direct"]),
  /** Which call sends a chunk of the paths S and direct. */
  call: v.picklist(["send", "send-many"]),
  width: count,
  concurrency: count,
  tagged: v.boolean(),
  /** The program that the operator names as the caller. */
  agent: v.optional(
    v.object({
      appId: v.optional(v.string()),
      osPlatform: v.optional(v.string()),
      sdkVersion: v.optional(v.string()),
    }),
  ),
  strict: v.boolean(),
  allowDuplicates: v.boolean(),
  /** When its groups go out; at once when left out. A run in a folder has one only on path G. */
  scheduledDate: v.optional(v.string()),
  /** Advertising is not sent at night. */
  isAdvertising: v.optional(v.boolean()),
  /** The key of `--once`: what is sent once under it, whatever the rows are. */
  once: v.optional(v.string()),
  /** The run that it continues, whose folder this machine does not have. */
  takesOver: v.optional(v.string()),
  /** How far back that key, or that run, is looked for. */
  onceWithinMs: v.optional(count),
  /** The run whose refused or failed rows these are. */
  retryOf: v.optional(v.string()),
  /** The same for others, followed by the runs that it itself was a retry of; none with `--again`. */
  retriedRuns: v.optional(v.pipe(v.array(retriedRun), v.readonly())),
  /** The plan that was kept in a file, whose bodies these are: its digest, and the file as it was named. */
  plan: v.optional(v.object({ digest: v.string(), file: v.string() })),
  approval: v.optional(approval),
  /** The chunks that go out first, and when the rest may follow. */
  canary: v.optional(canary),
  /** Which part of its source it sends, as one of several workers; the whole when left out. */
  part: v.optional(part),
  /** Rows of the source. */
  total: count,
  skipped: count,
  messages: count,
  /** Won; null if a unit price is not known. */
  price: v.nullable(v.number()),
  maxCost: v.nullable(v.number()),
  /** The ceiling that it was made with. */
  maxRecipients: v.optional(v.number()),
  /** Won for what may go out in place of these, if all of it does; null if a unit price is not known. */
  fallbackPrice: v.optional(v.nullable(v.number())),
  /** `--rate` and `--settle`, for when it is resumed. */
  rate: v.optional(v.number()),
  settleMs: v.optional(v.number()),
  /** How its source, which is kept for `run export`, is read again; none for `msg send`. */
  input: v.optional(
    v.object({
      format: v.string(),
      encoding: v.optional(v.string()),
      header: v.boolean(),
      sheet: v.optional(v.string()),
      sha256: v.string(),
      /** Flags that gave what no column does. */
      flags: v.pipe(v.array(v.string()), v.readonly()),
    }),
  ),
  chunks: v.array(chunk),
});
export type RunFile = v.InferOutput<typeof runFile>;

/** A run, as far as its bodies are concerned. */
export type PlannedBodies = Pick<RunFile, "run"> & { readonly chunks: readonly PlannedChunk[] };

/** The file of a run. Throws MsgError: unknown for one that is damaged or another run's, usage for a newer one. */
export const readRunFile = (path: string, run: string, files: Files): RunFile => {
  const found = readJson(files.read(path));
  const damaged = (what = t`run.json is damaged`): MsgError =>
    damagedRunError(run, what, { where: path, code: "RunNotReadable" });
  if (v.is(newer, found))
    throw usageError(t`'${path}' was written by a newer msg`, {
      code: "NewerRun",
      reason: t`it was written by a newer msg`,
      where: path,
      todo: t`use that version for this run`,
    });
  const read = v.safeParse(runFile, found);
  if (!read.success || read.output.run !== run) throw damaged();
  const first = firstRecord(files, join(dirname(path), "journal.log"));
  if (first?.t !== "RUN" && !isSumRight(found)) throw damaged();
  if (first?.t === "RUN" && !matchesCopy(read.output, first.file))
    throw damaged(t`run.json is damaged: it differs from the first record of its journal`);
  return read.output;
};

/** If the beginning of the journal is lost, too, nothing else shows that a bit of it has changed. */
export const withSum = (run: RunFile): RunFile & { readonly sum: string } => ({
  ...run,
  sum: digestOf([run]),
});

const isSumRight = (found: unknown): boolean => {
  if (!isRecord(found)) return false;
  const { sum, ...run } = found;
  return sum === digestOf([run]);
};

const newer = v.object({ version: v.pipe(v.number(), v.minValue(runFileVersion + 1)) });

const digestOf = (parts: readonly unknown[]): string => hash("sha256", JSON.stringify(parts));

/** The digest of a run: a run of the same rows for the same account has the same; another part of them has not. */
export const runDigest = (
  { account, key }: Pick<RunFile, "account" | "key">,
  content: string | undefined,
  part?: string,
): string => digestOf([account ?? key, content, ...(part === undefined ? [] : [part])]);

/** The claim of a run whose rows are sent once more, even if others sent them: no other run has it. */
export const ownClaim = (run: string, content: string): string => digestOf([content, run]);

/** The claim of a run with a key: the same rows under another key, or under none, are another sending. */
export const keyedClaim = (key: string, content: string): string => digestOf([content, { key }]);

/** Whether a run with this claim sends these rows: under the key, or without one, `--again` included. */
export const isClaimOfRows = (
  { run, claim }: { readonly run: string; readonly claim?: string | undefined },
  content: string,
  once?: string,
): boolean =>
  once === undefined
    ? claim === content || claim === ownClaim(run, content)
    : claim === keyedClaim(once, content);

/** What groups carry of a key. The list of groups is the account's own: the account is no part of this. */
export const keyDigest = (key: string): string => digestOf(["once", key]);

/** Made by `msg send --once`: the only message of such a run is sent by that command alone. */
export const isSingleSend = ({ once, call }: Pick<RunFile, "once" | "call">): boolean =>
  once !== undefined && call === "send";

type Named = Pick<RunFile, "run" | "call" | "once">;

/** The name of a run on a command line. */
export const nameOf = ({ run, call, once }: Named): string =>
  (isSingleSend({ once, call }) && once) || run;

/** The command that reconciles a run in doubt and sends what is left of it. */
export const resumeCommand = ({ run, call, once }: Named): string =>
  isSingleSend({ once, call })
    ? t`the same msg send --once ${once ?? ""}`
    : `msg send-many --resume ${run}`;

/** The command that sends a run that stopped before its first request. */
export const sendCommand = ({ run, plan }: Pick<RunFile, "run" | "plan">): string =>
  `msg send-many ${plan === undefined ? `--resume ${run}` : `--plan ${plan.file}`}`;

/** What the journal keeps of it, guarded by a sum: plan.jsonl has the chunks, which are one digest here. */
export const journalCopy = ({ chunks, ...file }: RunFile) => ({
  ...file,
  chunks: digestOf(
    chunks.map(({ offset, length, rows, sha256 }) => [offset, length, rows, sha256]),
  ),
});

const matchesCopy = (run: RunFile, copy: unknown): boolean => {
  if (!isRecord(copy) || copy.chunks !== journalCopy(run).chunks) return false;
  const read = v.safeParse(runFile, { ...copy, chunks: run.chunks });
  return read.success && JSON.stringify(read.output) === JSON.stringify(run);
};

/** A run file made of what the journal kept and of chunks; undefined if it is not this run's. */
export const joinRunFile = (
  run: string,
  file: unknown,
  chunks: readonly PlannedChunk[],
): RunFile | undefined => {
  if (!isRecord(file)) return undefined;
  const read = v.safeParse(runFile, { ...file, chunks });
  if (!read.success || read.output.run !== run) return undefined;
  const rows = chunks.reduce((sum, it) => sum + it.rows, 0);
  return rows === read.output.messages ? read.output : undefined;
};

/** Rows of the chunks that go out first. */
export const canaryRows = ({ chunks }: RunFile, { from, to }: Canary): number =>
  chunks.slice(from, to).reduce((sum, { rows }) => sum + rows, 0);

/** The shape that the protocol works with; the options matter only to a process that works on the run. */
export const shapeOf = (
  run: RunFile,
  options: Pick<RunShape, "signed" | "goal"> = { signed: true, goal: "finish" },
): RunShape => ({
  path: run.path,
  rows: run.chunks.map((it) => it.rows),
  width: run.width,
  concurrency: run.concurrency,
  tagged: run.tagged,
  scheduled: run.scheduledDate !== undefined,
  claim: run.claim === undefined ? undefined : { run: run.run },
  canary: run.canary && { from: run.canary.from, to: run.canary.to },
  byDay: run.isAdvertising === true && run.scheduledDate === undefined,
  ...options,
});
