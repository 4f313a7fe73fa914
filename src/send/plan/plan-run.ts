/** A source and flags → a planned run on disk; nothing is sent. */
import type { Template } from "../../contract/kakao-templates.ts";
import { type MsgError, type Problem, usageError } from "../../errors.ts";
import { bareVariables } from "../../message/kakao-template.ts";
import { priceOf } from "../../message/price.ts";
import type { Ports } from "../../ports.ts";
import { signingKeyTail } from "../../session/stored-credentials.ts";
import { type Quota, readAccount, readPricesIfAllowed, readQuota } from "../guards/account.ts";
import { readTemplateFlag } from "../guards/template.ts";
import { isReported } from "../report/results.ts";
import { callName } from "../run/answer-matches.ts";
import { atProblem, serviceTime } from "../run/hours.ts";
import { messageDefaults } from "../single/message.ts";
import { withPicture } from "../single/picture.ts";
import { mergeBody, peekBody } from "../sources/call-body.ts";
import { readExcluded } from "../sources/exclude.ts";
import { displayName, type Found, readRows } from "../sources/rows.ts";
import { onceWithinOf, type RunFlags, reconcileMsOf, sizesOf } from "../start/run-flags.ts";
import { removeRun } from "../start/run-removal.ts";
import type { JsonLines } from "../store/json-lines.ts";
import { digestOf, keyedClaim, ownClaim, type RunFile, runFileVersion } from "../store/run-file.ts";
import { fileOf, makeRun, newRunId, type RunStore, writeRun } from "../store/run-folder.ts";
import type { BodiesOptions } from "./bodies.ts";
import { makePlan, type Planned } from "./make-plan.ts";
import { createSampler, type Samples } from "./samples.ts";
import { readSkippedRows, wrongRowsError } from "./skipped-rows.ts";
import { watchRows } from "./watch-rows.ts";

export interface PlannedRun extends ReadSource {
  readonly run: RunFile;
  /** What the account can pay; undefined where it may not be read. */
  readonly money: number | undefined;
  /** What may still be sent that day; undefined where it may not be read. */
  readonly quota: Quota | undefined;
}

interface ReadSource {
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

/** Where rows come from: a file or `-`; or the rows that another run was refused. */
export interface Source {
  readonly name: string;
  readonly retried?: { readonly run: string; readonly lines: AsyncIterable<Uint8Array> };
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
    const { all, ...read } = await readSource(ctx, store, run, source, flags);
    rejectWrong(read.planned, all);
    const made = await runFileOf(ctx, run, source, all, read.planned);
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

const readSource = async (
  ctx: Ports,
  store: RunStore,
  run: string,
  source: Source,
  typed: RunFlags,
): Promise<ReadSource & { readonly all: RunFlags }> => {
  const exclude = await excludedBy(ctx, typed);
  const template = await readTemplateFlag(ctx, typed);
  const { flags, rows } = await openRows(ctx, source, typed);
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
    identity: identityOf(flags, source.retried),
    bodies: bodiesOf(store, run, flags),
    onMessage: sampler?.add,
    ...watch.callbacks,
  }).finally(watch.end);
  const { recipient } = await watch.report();
  return { all: flags, planned, recipient, template, found: rows.found, samples: sampler?.found };
};

/** The rows, and the flags with what a whole body of the call says beside its messages. */
const openRows = async (ctx: Ports, source: Source, typed: RunFlags) => {
  // Before the source is opened: a picture may be refused.
  const pictured = await withPicture(ctx, typed);
  const { body, bytes } = await peekBody(source.retried?.lines ?? ctx.io.read(source.name));
  const flags = mergeBody(pictured, body);
  const { encoding, csvHeader: header, sheet } = flags;
  const name = displayName(source.name);
  const format = source.retried ? "jsonl" : flags.format;
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
const identityOf = ({ at }: RunFlags, retried: Source["retried"]): readonly unknown[] => [
  ...(at === undefined ? [] : [{ at }]),
  ...(retried ? [{ retryOf: retried.run }] : []),
];

/** With --dedupe off or to+text one number may get several messages: the service is asked to allow it. */
const allowsDuplicates = ({ allowDuplicates, dedupe = "to" }: RunFlags): boolean =>
  allowDuplicates ?? dedupe !== "to";

const callMembers = (flags: RunFlags, sdkVersion: string): Readonly<Record<string, unknown>> => ({
  ...(flags.strict !== undefined && { strict: flags.strict }),
  ...((allowsDuplicates(flags) || flags.allowDuplicates !== undefined) && {
    allowDuplicates: allowsDuplicates(flags),
  }),
  agent: { sdkVersion, ...flags.agent },
});

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
  run: string,
  source: Source,
  flags: RunFlags,
  planned: Planned,
): Promise<Omit<PlannedRun, keyof ReadSource>> => {
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
    ...(flags.maxRecipients !== undefined && { maxRecipients: flags.maxRecipients }),
    chunks: [...planned.chunks],
  };
  return { money, quota, run: made };
};

const ownerOf = (ctx: Ports, account: string | undefined) => {
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
