/** A source and flags → a planned run on disk; nothing is sent. */

import { dayMs, unitMs } from "../../contract/time.ts";
import type { JsonLines } from "../../durable/new-file.ts";
import { exclusive, MsgError, usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { type Prices, priceOf } from "../../message/price.ts";
import type { Ports } from "../../ports.ts";
import { plannedCanary } from "../canary/plan-canary.ts";
import { customField } from "../claims/group-fields.ts";
import { listWithFields } from "../claims/message-fields.ts";
import { type Quota, readAccount, readPricesIfAllowed, readQuota } from "../guards/account.ts";
import { ownerOf } from "../guards/own-run.ts";
import { type Part, partName, readPart, shareFor } from "../parts/part.ts";
import { hasRowProblems } from "../report/results.ts";
import { serviceTime } from "../run/hours.ts";
import { standardInput } from "../sources/rows.ts";
import {
  allowsDuplicates,
  onceWithinOf,
  type RunFlags,
  reconcileMsOf,
  sizesOf,
} from "../start/run-flags.ts";
import {
  isClaimOfRows,
  keyedClaim,
  ownClaim,
  type RunFile,
  runDigest,
  runFileVersion,
} from "../store/run-file.ts";
import {
  createRunFolder,
  newRunId,
  plannedAt,
  runIdPattern,
  storeOf,
  writeRun,
} from "../store/run-folder.ts";
import { removeRun } from "../store/run-removal.ts";
import type { Planned, Totals } from "./make-plan.ts";
import { type ReadSource, readSource, type Source } from "./read-source.ts";
import { readSkippedRows, wrongRowsError } from "./skipped-rows.ts";

export interface PlannedRun extends Omit<ReadSource, "planned"> {
  readonly planned: Pick<Planned, "total" | "wrong" | "skipped" | "counts">;
  readonly run: RunFile;
  /** What the account can pay; undefined if it may not be read. */
  readonly money: number | undefined;
  /** What may still be sent that day; undefined if it may not be read. */
  readonly quota: Quota | undefined;
}

/** Reads, checks, prices and writes the run. Throws MsgError; then no folder is left. */
export const planRun = async (
  ctx: Ports,
  source: Source,
  flags: RunFlags,
  results: JsonLines | undefined,
): Promise<PlannedRun> => {
  const store = storeOf(ctx);
  if (flags.staged && flags.direct)
    throw exclusive(
      "--staged",
      "--direct",
      t`nothing was sent; --staged fills all groups before sending any, --direct sends at once`,
    );
  if (flags.at !== undefined) checkAt(flags);
  // A retry takes the rows of a run, which knows its part.
  const part = source.retried ? undefined : readPart(ctx, flags);
  // Behind what is asked below days may have passed, if the machine slept: others may have sent the rows since.
  const now = ctx.clock.now();
  const run = createRunFolder(store, newRunId(now, ctx.environment.random));
  try {
    const ofPart = { ...source, part };
    const { all, input, ...read } = await readSource(ctx, run, ofPart, flags);
    rejectWrong(read.planned, all);
    const known = { run, started: now.toISOString(), input };
    const made = await runFileOf(ctx, { ...read.planned, ...known }, ofPart, all);
    writeRun(store, made.run);
    return { ...made, ...read };
  } catch (error) {
    if (results && hasRowProblems(error)) {
      // The operator gets all wrong rows, although the run is removed.
      for (const row of readSkippedRows(store, run)) results.add(row);
      results.end();
    }
    removeRun(store, run);
    throw error;
  }
};

const checkAt = ({ direct, wait }: RunFlags): void => {
  if (direct)
    throw exclusive(
      "--direct",
      "--at",
      t`nothing was sent; only groups can be scheduled, and --direct makes none: omit it`,
    );
  if (wait)
    throw exclusive(
      "--wait",
      "--at",
      t`nothing was sent; omit --wait, and wait after the scheduled time with --resume last --wait`,
    );
};

/** Throws MsgError (usage) if rows are wrong, or none is left. */
export const rejectWrong = (planned: Planned, flags: RunFlags): void => {
  const areAllWrong = planned.wrong === planned.listed;
  if (planned.wrong > 0 && (areAllWrong || flags.onInvalid !== "skip"))
    throw wrongRowsError({ ...planned, total: planned.listed }, flags);
  if (planned.whole.messages === 0)
    throw usageError(t`there are no rows to send`, {
      code: "NoRows",
      todo: t`nothing was sent; to skip fewer rows, use --dedupe off or another --exclude`,
      details: planned.problems,
    });
};

const runFileOf = async (
  ctx: Ports,
  planned: Planned & Pick<RunFile, "run" | "started" | "input">,
  source: Source,
  flags: RunFlags,
): Promise<Omit<PlannedRun, keyof ReadSource>> => {
  const { run, started, input, whole, digest: content } = planned;
  const { part, retried } = source;
  const { account, money } = await readAccount(ctx);
  const maxCost = flags.maxCost ?? ctx.settings.maxCost.value ?? null;
  const countries = [...whole.counts.keys(), ...whole.fallback.keys()];
  const prices = await readPricesIfAllowed(ctx, countries, maxCost !== null);
  const quota = await readQuota(ctx, flags.at);
  const owner = ownerOf(ctx, account);
  const name = partName(part);
  const made: RunFile = {
    version: runFileVersion,
    run,
    ...owner,
    ...howOf(flags, part),
    started,
    source: source.name === "-" ? standardInput : source.name,
    ...(retried && { retryOf: retried.run, ...(!flags.again && { retriedRuns: retried.known }) }),
    digest: runDigest(owner, content, name),
    content,
    ...claimOf(run, content, flags),
    call: "send-many",
    total: planned.total,
    skipped: Object.values(planned.skipped).reduce((sum, it) => sum + it, planned.ownWrong),
    ...sumOf(planned, prices),
    ...(part && { part: { ...part, ...sumOf(whole, prices) } }),
    maxCost,
    ...(planned.canary && { canary: plannedCanary(flags, planned.canary) }),
    ...(flags.maxRecipients !== undefined && { maxRecipients: flags.maxRecipients }),
    ...(input && { input }),
    ...(await source.findPredecessor?.(content, name)),
    chunks: [...planned.chunks],
  };
  return { money, quota, run: made };
};

const sumOf = (
  { messages, counts, fallback }: Totals,
  prices: Prices | undefined,
): Pick<RunFile, "messages" | "price" | "fallbackPrice"> => ({
  messages,
  price: prices === undefined ? null : (priceOf(counts, prices) ?? null),
  ...(fallback.size > 0 && prices && { fallbackPrice: priceOf(fallback, prices) ?? null }),
});

/**
 * What the groups of a run say of their rows; nothing if there are no groups, or messages may not carry it.
 * Groups belong to one account, so messages and their scheduled time are enough to find what other machines send.
 */
const claimOf = (
  run: string,
  content: string,
  { direct, tag, again, once }: RunFlags,
): Pick<RunFile, "claim"> => {
  if (direct || tag === false) return {};
  if (once !== undefined) return { claim: keyedClaim(once, content) };
  return { claim: again ? ownClaim(run, content) : content };
};

const howOf = (flags: RunFlags, part: Part | undefined) => {
  const { groupRows, chunk, concurrency } = sizesOf(flags);
  const path: RunFile["path"] = flags.direct ? "direct" : "G";
  return {
    path,
    ...(flags.agent && { agent: flags.agent }),
    width: Math.max(1, Math.floor(groupRows / chunk)),
    concurrency: Math.floor(shareFor(concurrency, part)),
    tagged: flags.tag !== false,
    strict: flags.strict === true,
    allowDuplicates: allowsDuplicates(flags),
    ...(flags.ad && { isAdvertising: true }),
    ...(flags.rate !== undefined && { rate: shareFor(flags.rate, part) }),
    // 0 is not kept: a resumed run is reconciled.
    ...(flags.settle && { settleMs: reconcileMsOf(flags.settle) || undefined }),
    ...(flags.at !== undefined && { scheduledDate: flags.at }),
    ...(flags.once !== undefined && { once: flags.once, onceWithinMs: onceWithinOf(flags) }),
  };
};

/** `last` is the newest run of a week. */
const lastMs = 7 * dayMs;

/** The rows of a run, and its `--once` key with how far back that counts. */
interface Wanted {
  readonly content: string;
  readonly part: string | undefined;
  readonly once: string | undefined;
  readonly withinMs: number;
}

/**
 * The run that `--resume` names, found by its groups at the service if this machine has no folder of it. Returns
 * what makes a new run of the same rows its successor. Throws MsgError: missing if the service has no group of it,
 * usage if that was made of other rows.
 */
export const findRunAtService = async (
  ctx: Ports,
  named: string,
  { content, part, once, withinMs }: Wanted,
): Promise<Pick<RunFile, "claim" | "takesOver" | "onceWithinMs">> => {
  if (named !== "last" && !runIdPattern.test(named)) throw noRunError(named);
  const now = (await serviceTime(ctx)).getTime();
  const since = named === "last" ? now - lastMs : plannedAt(named) - unitMs.h;
  const groups = (await listWithFields(ctx, since)).map((it) => ({
    run: customField(it, "msg.run") ?? "",
    claim: customField(it, "msg.in"),
    worker: customField(it, "msg.worker"),
  }));
  const isSame = (it: (typeof groups)[number]): boolean =>
    isClaimOfRows(it, content, once) && it.worker === part;
  const its = groups.filter((it) => (named === "last" ? isSame(it) : it.run === named));
  const [newest] = its.sort((one, other) => (one.run < other.run ? 1 : -1));
  if (!newest) throw noRunError(named);
  if (!isSame(newest)) throw otherRowsError(newest.run);
  const { run, claim } = newest;
  const sinceMs = Math.max(0, now - plannedAt(run)) + unitMs.h;
  return { takesOver: run, claim, onceWithinMs: Math.max(withinMs, sinceMs) };
};

const noRunError = (named: string): MsgError =>
  new MsgError(
    "missing",
    named === "last"
      ? t`the service has no group of these rows`
      : t`the service has no group of run ${named}`,
    {
      code: "NoRun",
      todo: t`nothing was sent; a run with --once is found by its key; to send the rows as a new run, omit --resume`,
    },
  );

export const otherRowsError = (run: string): MsgError =>
  usageError(t`run ${run} has other rows or another scheduled time`, {
    code: "OtherContent",
    where: t`run ${run}`,
    todo: t`nothing was sent; use the source and the flags of that run, including --once and --part`,
  });
