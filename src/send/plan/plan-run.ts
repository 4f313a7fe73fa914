/** A source and flags → a planned run on disk; nothing is sent. */
import { type MsgError, type Problem, usageError } from "../../errors.ts";
import { priceOf } from "../../message/price.ts";
import type { Ports } from "../../ports.ts";
import { signingKeyTail } from "../../session/stored-credentials.ts";
import { canaryOf } from "../canary/canary-flags.ts";
import { type Quota, readAccount, readPricesIfAllowed, readQuota } from "../guards/account.ts";
import { isReported } from "../report/results.ts";
import { atProblem, serviceTime } from "../run/hours.ts";
import { displayName } from "../sources/rows.ts";
import {
  allowsDuplicates,
  onceWithinOf,
  type RunFlags,
  reconcileMsOf,
  sizesOf,
} from "../start/run-flags.ts";
import { removeRun } from "../start/run-removal.ts";
import type { JsonLines } from "../store/json-lines.ts";
import { digestOf, keyedClaim, ownClaim, type RunFile, runFileVersion } from "../store/run-file.ts";
import { makeRun, newRunId, type RunStore, writeRun } from "../store/run-folder.ts";
import type { Planned } from "./make-plan.ts";
import { type ReadSource, readSource, type Source } from "./read-source.ts";
import { readSkippedRows, wrongRowsError } from "./skipped-rows.ts";

export interface PlannedRun extends ReadSource {
  readonly run: RunFile;
  /** What the account can pay; undefined where it may not be read. */
  readonly money: number | undefined;
  /** What may still be sent that day; undefined where it may not be read. */
  readonly quota: Quota | undefined;
}

/** Reads, checks, prices and writes the run. Throws MsgError; then no folder is left. */
export const planRun = async (
  ctx: Ports,
  store: RunStore,
  source: Source,
  flags: RunFlags,
  results: JsonLines | undefined,
): Promise<PlannedRun> => {
  if (flags.staged && flags.direct)
    throw usageError("--staged and --direct exclude each other", {
      code: "InvalidUsage",
      todo: "nothing was sent; a run fills groups before any is sent, --direct sends as it goes",
    });
  if (flags.at !== undefined) await checkAt(ctx, flags, flags.at);
  const run = newRunId(ctx.clock.now(), ctx.environment.random);
  makeRun(store, run);
  try {
    const { all, input, ...read } = await readSource(ctx, store, run, source, flags);
    rejectWrong(read.planned, all);
    const made = await runFileOf(ctx, { ...read.planned, run, input }, source, all);
    writeRun(store, made.run);
    return { ...made, ...read };
  } catch (error) {
    if (results && isReported(error)) keepSkipped(store, run, results);
    removeRun(store, run);
    throw error;
  }
};

/** Of rows that are wrong the operator gets all, although the run is gone. */
const keepSkipped = (store: RunStore, run: string, results: JsonLines): void => {
  for (const row of readSkippedRows(store, run)) results.add(row);
  results.end();
};

const checkAt = async (ctx: Ports, { direct, wait }: RunFlags, at: string): Promise<void> => {
  const other = direct ? "--direct" : "--wait";
  if (direct || wait)
    throw usageError(`${other} and --at exclude each other`, {
      code: "InvalidUsage",
      todo: direct
        ? "nothing was sent; only groups wait for an hour, and --direct makes none: leave it out"
        : "nothing was sent; leave --wait out: --resume last --wait waits when its hour has come",
    });
  const wrong = atProblem(at, await serviceTime(ctx));
  if (wrong) throw wrong;
};

const rejectWrong = (planned: Planned, flags: RunFlags): void => {
  const { wrong, problems, messages } = planned;
  if (wrong > 0 && flags.onInvalid !== "skip") throw wrongRowsError(planned, flags);
  if (messages === 0) throw noneLeft(problems);
};

const noneLeft = (problems: readonly Problem[]): MsgError =>
  usageError("there is no row left to send", {
    code: "NoRows",
    todo: "nothing was sent; --dedupe off and another --exclude leave out fewer",
    details: problems,
  });

const runFileOf = async (
  ctx: Ports,
  planned: Planned & Pick<RunFile, "run" | "input">,
  source: Source,
  flags: RunFlags,
): Promise<Omit<PlannedRun, keyof ReadSource>> => {
  const { run, input } = planned;
  const { account, money } = await readAccount(ctx);
  const maxCost = flags.maxCost ?? ctx.settings.maxCost.value ?? null;
  const prices = await readPricesIfAllowed(ctx, planned.counts.keys(), maxCost !== null);
  const quota = await readQuota(ctx, flags.at);
  const whose = ownerOf(ctx, account);
  const made: RunFile = {
    ...{ version: runFileVersion, run, ...whose, ...howOf(flags) },
    started: ctx.clock.now().toISOString(),
    source: displayName(source.name),
    ...(source.retried && { retryOf: source.retried.run }),
    digest: digestOf([whose.account ?? whose.key, planned.digest]),
    content: planned.digest,
    ...(isClaimed(flags) && { claim: claimOf(run, planned.digest, source, flags) }),
    call: "send-many",
    total: planned.total,
    skipped: planned.wrong + planned.skipped.duplicate + planned.skipped.excluded,
    messages: planned.messages,
    price: prices === undefined ? null : (priceOf(planned.counts, prices) ?? null),
    ...(planned.fallback.size > 0 &&
      prices && { fallbackPrice: priceOf(planned.fallback, prices) }),
    maxCost,
    ...(planned.canary && { canary: canaryOf(flags, planned.canary) }),
    ...(flags.maxRecipients !== undefined && { maxRecipients: flags.maxRecipients }),
    ...(input && { input }),
    ...(await source.goesOnWith?.(planned.digest)),
    chunks: [...planned.chunks],
  };
  return { money, quota, run: made };
};

export const ownerOf = (ctx: Ports, account: string | undefined) => {
  const { profile, baseUrl } = ctx.settings;
  return {
    profile: profile.value,
    account: account ?? null,
    key: signingKeyTail(ctx) ?? null,
    baseUrl: baseUrl.value ?? null,
  };
};

/** Groups alone carry what they hold, and only where messages may carry it. */
const isClaimed = ({ direct, tag }: RunFlags): boolean => !direct && tag !== false;

/** The list of groups is the account's own: the messages and their hour tell what others send of it. */
const claimOf = (
  run: string,
  content: string,
  source: Source,
  { again, once }: RunFlags,
): string => {
  if (once !== undefined) return keyedClaim(once, content);
  return again || source.retried ? ownClaim(run, content) : content;
};

const howOf = (flags: RunFlags) => {
  const { groupRows, chunk, concurrency } = sizesOf(flags);
  const path: RunFile["path"] = flags.direct ? "direct" : "G";
  return {
    path,
    ...(flags.agent && { agent: flags.agent }),
    ...(flags.direct && { namesCalls: true }),
    width: Math.max(1, Math.floor(groupRows / chunk)),
    concurrency,
    tagged: flags.tag !== false,
    strict: flags.strict === true,
    allowDuplicates: allowsDuplicates(flags),
    ...(flags.ad && { isAdvertising: true }),
    ...(flags.rate !== undefined && { rate: flags.rate }),
    // Who resumes what was not to be settled wants to know what became of it.
    ...(flags.settle && { settleMs: reconcileMsOf(flags.settle) || undefined }),
    ...(flags.at !== undefined && { scheduledDate: flags.at }),
    ...(flags.once !== undefined && { once: flags.once, onceWithinMs: onceWithinOf(flags) }),
  };
};
