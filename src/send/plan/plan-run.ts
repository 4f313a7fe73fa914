/** A source and flags → a planned run on disk; nothing is sent. */

import type { Price } from "../../contract/account.ts";
import { type MsgError, type Problem, usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { priceOf } from "../../message/price.ts";
import type { Ports } from "../../ports.ts";
import { signingKeyTail } from "../../session/stored-credentials.ts";
import { canaryOf } from "../canary/canary-flags.ts";
import { type Quota, readAccount, readPricesIfAllowed, readQuota } from "../guards/account.ts";
import { type Part, partName, partOf, shareOf } from "../parts/part-flags.ts";
import { isReported } from "../report/results.ts";
import { atProblem, serviceTime } from "../run/hours.ts";
import { standardInput } from "../sources/rows.ts";
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
import type { Totals } from "./amounts.ts";
import type { Planned } from "./make-plan.ts";
import { type ReadSource, readSource, type Source } from "./read-source.ts";
import { readSkippedRows, wrongRowsError } from "./skipped-rows.ts";

export interface PlannedRun extends Omit<ReadSource, "planned"> {
  readonly planned: Omit<Planned, "ownWrong" | "whole">;
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
    throw usageError(t`--staged and --direct exclude each other`, {
      code: "InvalidUsage",
      todo: t`nothing was sent; --staged fills all groups before sending any, --direct sends at once`,
    });
  if (flags.at !== undefined) await checkAt(ctx, flags, flags.at);
  // The rows of a retry are those of a run, which knows its part.
  const part = source.retried ? undefined : partOf(ctx, flags);
  const run = newRunId(ctx.clock.now(), ctx.environment.random);
  makeRun(store, run);
  try {
    const { all, input, ...read } = await readSource(ctx, store, run, { ...source, part }, flags);
    rejectWrong(read.planned, all);
    const made = await runFileOf(ctx, { ...read.planned, run, input }, { ...source, part }, all);
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
    throw usageError(t`${other} and --at exclude each other`, {
      code: "InvalidUsage",
      todo: direct
        ? t`nothing was sent; only groups can be scheduled, and --direct makes none: omit it`
        : t`nothing was sent; omit --wait, and wait after the scheduled time with --resume last --wait`,
    });
  const wrong = atProblem(at, await serviceTime(ctx));
  if (wrong) throw wrong;
};

/** Throws MsgError (usage) where rows are wrong, or none is left. */
export const rejectWrong = (planned: Planned, flags: RunFlags): void => {
  const { wrong, problems, whole } = planned;
  if (wrong > 0 && flags.onInvalid !== "skip") throw wrongRowsError(planned, flags);
  if (whole.messages === 0) throw noneLeft(problems);
};

const noneLeft = (problems: readonly Problem[]): MsgError =>
  usageError(t`there are no rows to send`, {
    code: "NoRows",
    todo: t`nothing was sent; to skip fewer rows, use --dedupe off or another --exclude`,
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
  const countries = planned.whole.counts.keys();
  const prices = await readPricesIfAllowed(ctx, countries, maxCost !== null);
  const quota = await readQuota(ctx, flags.at);
  const whose = ownerOf(ctx, account);
  const made: RunFile = {
    ...{ version: runFileVersion, run, ...whose, ...howOf(flags, source.part) },
    started: ctx.clock.now().toISOString(),
    source: source.name === "-" ? standardInput : source.name,
    ...(source.retried && { retryOf: source.retried.run }),
    digest: digestOf([whose.account ?? whose.key, planned.digest, ...namesOf(source.part)]),
    content: planned.digest,
    ...(isClaimed(flags) && { claim: claimOf(run, planned.digest, source, flags) }),
    call: "send-many",
    total: planned.total,
    skipped: planned.ownWrong + planned.skipped.duplicate + planned.skipped.excluded,
    ...sumOf(planned, prices),
    ...(source.part && { part: { ...source.part, ...sumOf(planned.whole, prices) } }),
    maxCost,
    ...(planned.canary && { canary: canaryOf(flags, planned.canary) }),
    ...(flags.maxRecipients !== undefined && { maxRecipients: flags.maxRecipients }),
    ...(input && { input }),
    ...(await source.goesOnWith?.(planned.digest, partName(source.part))),
    chunks: [...planned.chunks],
  };
  return { money, quota, run: made };
};

const sumOf = (
  { messages, counts, fallback }: Totals,
  prices: Readonly<Record<string, Price>> | undefined,
): Pick<RunFile, "messages" | "price" | "fallbackPrice"> => ({
  messages,
  price: prices === undefined ? null : (priceOf(counts, prices) ?? null),
  ...(fallback.size > 0 && prices && { fallbackPrice: priceOf(fallback, prices) }),
});

/** Another part of the same rows is another run. */
const namesOf = (part: Part | undefined): readonly string[] => {
  const name = partName(part);
  return name === undefined ? [] : [name];
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

const howOf = (flags: RunFlags, part: Part | undefined) => {
  const { groupRows, chunk, concurrency } = sizesOf(flags);
  const path: RunFile["path"] = flags.direct ? "direct" : "G";
  return {
    path,
    ...(flags.agent && { agent: flags.agent }),
    ...(flags.direct && { namesCalls: true }),
    width: Math.max(1, Math.floor(groupRows / chunk)),
    concurrency: Math.floor(shareOf(concurrency, part)),
    tagged: flags.tag !== false,
    strict: flags.strict === true,
    allowDuplicates: allowsDuplicates(flags),
    ...(flags.ad && { isAdvertising: true }),
    ...(flags.rate !== undefined && { rate: shareOf(flags.rate, part) }),
    // Who resumes what was not to be settled wants to know what became of it.
    ...(flags.settle && { settleMs: reconcileMsOf(flags.settle) || undefined }),
    ...(flags.at !== undefined && { scheduledDate: flags.at }),
    ...(flags.once !== undefined && { once: flags.once, onceWithinMs: onceWithinOf(flags) }),
  };
};
