/** A source and flags made into a planned run on disk; nothing is sent (sending.md 3). */
import { createHash } from "node:crypto";
import { readExcluded } from "../../bulk/exclude.ts";
import type { Lines } from "../../bulk/lines.ts";
import { type LeftOut, makePlan, type Planned } from "../../bulk/plan.ts";
import { type Found, type Rows, readRows } from "../../bulk/rows.ts";
import type { RunFile } from "../../bulk/run-file.ts";
import {
  fileOf,
  makeRun,
  newRunId,
  type RunStore,
  removeRun,
  writeRun,
} from "../../bulk/run-folder.ts";
import { createSampler, type Samples } from "../../bulk/samples.ts";
import type { Context } from "../../context.ts";
import { MsgError, type Problem, usage } from "../../errors.ts";
import { priceOf } from "../../message/price.ts";
import { accountOf, keyOf, pricesFor } from "./account.ts";
import { atProblem, serviceTime } from "./hours.ts";
import { createLeftOut, type LeftOutFile, leftOutRows } from "./left-out.ts";
import { messageDefaults } from "./message.ts";
import { showReading } from "./progress.ts";
import { type Quota, quotaOf } from "./quota.ts";
import { isTold } from "./results.ts";
import { bounded, type RunFlags } from "./run-flags.ts";

export interface PlannedRun extends ReadSource {
  readonly run: RunFile;
  /** What the account can pay; undefined where it may not be read. */
  readonly money: number | undefined;
  /** What may still be sent that day; undefined where it may not be read. */
  readonly quota: Quota | undefined;
}

interface ReadSource {
  readonly planned: Planned;
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

const usualGroup = 100_000;
const mostGroup = 1_000_000;
const rowsOfCall = 10_000;

/** Reads, checks, prices and writes the run. Throws MsgError; then no folder is left. */
export const planRun = async (
  ctx: Context,
  store: RunStore,
  source: Source,
  flags: RunFlags,
  results: Lines | undefined,
): Promise<PlannedRun> => {
  if (flags.staged && flags.direct)
    throw usage("--staged and --direct exclude each other", { code: "InvalidUsage" });
  if (flags.at !== undefined) await checkAt(ctx, flags, flags.at);
  const run = newRunId(ctx.now(), ctx.random);
  makeRun(store, run);
  try {
    const read = await readSource(ctx, store, run, source, flags);
    refuseWrong(read.planned, flags);
    const made = await runFileOf(ctx, run, source, flags, read.planned);
    writeRun(store, made.run);
    return { ...made, ...read };
  } catch (error) {
    if (results && isTold(error)) keepLeftOut(store, run, results);
    removeRun(store, run);
    throw error;
  }
};

/** Of rows that are wrong the operator gets all, although the run is gone. */
const keepLeftOut = (store: RunStore, run: string, results: Lines): void => {
  for (const row of leftOutRows(store, run)) results.add(row);
  results.end();
};

const checkAt = async (ctx: Context, { direct, wait }: RunFlags, at: string): Promise<void> => {
  const other = direct ? "--direct" : "--wait";
  if (direct || wait) throw usage(`${other} and --at exclude each other`, { code: "InvalidUsage" });
  const wrong = atProblem(at, await serviceTime(ctx));
  if (wrong) throw wrong;
};

const wordsOf = ({ name }: Source): string => (name === "-" ? "standard input" : name);

const readSource = async (
  ctx: Context,
  store: RunStore,
  run: string,
  source: Source,
  flags: RunFlags,
): Promise<ReadSource> => {
  const { dedupe = "to", csvHeader: header, fixLeadingZero, strict } = flags;
  const name = wordsOf(source);
  const exclude = await excludedBy(ctx, flags);
  const rows = openRows(ctx, source, flags);
  const sampler = ctx.err.isTTY ? createSampler() : undefined;
  const reading = showReading(ctx);
  const leftOut = createLeftOut(store, run);
  const planned = await makePlan(rows, {
    isAdvertising: flags.ad,
    ...{ name, header, fixLeadingZero, strict, dedupe, exclude },
    defaults: messageDefaults(ctx, flags),
    variables: flags.var,
    map: flags.map,
    identity: identityOf(flags, source.retried),
    bodies: {
      files: store.files,
      path: fileOf(store, run, "plan.jsonl"),
      rows: bounded(flags.chunk, "chunk", [1, rowsOfCall]),
      tag: flags.tag === false ? undefined : run,
      members: (single) => (isGroups(flags, single) ? {} : callMembers(flags)),
    },
    onLeftOut: teller(flags, leftOut, reading.note),
    onMessage: sampler?.add,
    onProgress: (count) => {
      if (ctx.signal.aborted) throw stopped(name, count);
      reading.show(count);
    },
  }).finally(() => {
    reading.end();
    leftOut.end();
  });
  return { planned, found: rows.found, samples: sampler?.found };
};

/** A big source takes a while: whoever stops does not wait for its end. */
const stopped = (name: string, rows: number): MsgError =>
  new MsgError("interrupted", `stopped while reading ${name}, after ${rows} rows`, {
    todo: "nothing was sent, and nothing is kept of it; run it again",
  });

const openRows = (ctx: Context, source: Source, flags: RunFlags): Rows => {
  const { retried } = source;
  const { encoding, csvHeader: header } = flags;
  const format = retried ? "jsonl" : flags.format;
  const options = { name: wordsOf(source), format, encoding, header };
  return readRows(retried?.lines ?? ctx.read(source.name), options);
};

const excludedBy = async (ctx: Context, { exclude }: RunFlags): Promise<ReadonlySet<string>> =>
  exclude === undefined ? new Set() : readExcluded(ctx.read(exclude), exclude);

/** What makes the same rows another run. */
const identityOf = (flags: RunFlags, retried: Source["retried"]): readonly unknown[] => [
  pathFlags(flags),
  callMembers(flags),
  ...(flags.at === undefined ? [] : [{ at: flags.at }]),
  ...(retried ? [{ retryOf: retried.run }] : []),
];

/** Tells the first rows that are left out; wrong ones only where they do not stop the run. */
const teller = (flags: RunFlags, file: LeftOutFile, note: (line: string) => void) => {
  const told = { count: 0 };
  return (row: LeftOut): void => {
    file.add(row);
    if (!("reason" in row) && flags.onInvalid !== "skip") return;
    told.count += 1;
    if (told.count <= mostTold) note(leftOutText(row));
  };
};

/** Rows that are told one by one; results.jsonl and --json have them all. */
const mostTold = 10;

const leftOutText = (row: LeftOut): string =>
  "reason" in row
    ? `row ${row.row} is skipped: ${row.to} is ${row.reason === "duplicate" ? "a duplicate" : "excluded"}`
    : `row ${row.row ?? "?"} is skipped: ${row.text} (${row.code})`;

const pathFlags = ({ staged = false, direct = false }: RunFlags) => ({ staged, direct });

const isGroups = ({ at, staged, direct }: RunFlags, single: boolean): boolean =>
  at !== undefined || staged === true || (direct !== true && !single);

/** With --dedupe off or to+text one number may get several messages: the service is told so. */
const allowsDuplicates = ({ allowDuplicates, dedupe = "to" }: RunFlags): boolean =>
  allowDuplicates ?? dedupe !== "to";

const callMembers = (flags: RunFlags): Readonly<Record<string, unknown>> => ({
  ...(flags.strict !== undefined && { strict: flags.strict }),
  ...((allowsDuplicates(flags) || flags.allowDuplicates !== undefined) && {
    allowDuplicates: allowsDuplicates(flags),
  }),
  ...(flags.agent && { agent: flags.agent }),
});

const refuseWrong = (planned: Planned, flags: RunFlags): void => {
  const { wrong, total, problems, messages } = planned;
  if (wrong > 0 && flags.onInvalid !== "skip")
    throw usage(`${wrong} of ${total} rows cannot be sent`, {
      code: "InvalidRows",
      todo: "nothing was sent; mend the rows, or leave them out with --on-invalid skip",
      details: problems,
    });
  if (messages === 0) throw noneLeft(problems);
};

const noneLeft = (problems: readonly Problem[]): MsgError =>
  usage("there is no row left to send", { code: "NoRows", details: problems });

const digestOf = (parts: readonly unknown[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("hex");

const runFileOf = async (
  ctx: Context,
  run: string,
  source: Source,
  flags: RunFlags,
  planned: Planned,
): Promise<Omit<PlannedRun, keyof ReadSource>> => {
  const { account, money } = await accountOf(ctx);
  const maxCost = flags.maxCost ?? ctx.settings.maxCost.value ?? null;
  const prices = await pricesFor(ctx, planned.counts.keys(), maxCost !== null);
  const quota = ctx.consent.dryRun ? undefined : await quotaOf(ctx, flags.at);
  const whose = ownerOf(ctx, account);
  const made: RunFile = {
    ...{ version: 1, run, ...whose, ...howOf(flags, planned) },
    started: ctx.now().toISOString(),
    source: wordsOf(source),
    ...(source.retried && { retryOf: source.retried.run }),
    digest: digestOf([whose.account ?? whose.key, planned.digest]),
    content: planned.digest,
    call: "send-many",
    total: planned.total,
    skipped: planned.wrong + planned.skipped.duplicate + planned.skipped.excluded,
    messages: planned.messages,
    price: prices === undefined ? null : (priceOf(planned.counts, prices) ?? null),
    maxCost,
    ...(flags.maxRecipients !== undefined && { maxRecipients: flags.maxRecipients }),
    chunks: [...planned.chunks],
  };
  return { money, quota, run: made };
};

const ownerOf = (ctx: Context, account: string | undefined) => {
  const { profile, baseUrl } = ctx.settings;
  return {
    profile: profile.value,
    account: account ?? null,
    key: keyOf(ctx) ?? null,
    baseUrl: baseUrl.value ?? null,
  };
};

const howOf = (flags: RunFlags, { chunks }: Planned) => {
  const groupRows = bounded(flags.groupSize, "group-size", [1, mostGroup]) ?? usualGroup;
  const perChunk = Math.min(flags.chunk ?? rowsOfCall, rowsOfCall);
  const single = chunks.length === 1;
  const oneByOne = single && !flags.direct ? "S" : "direct";
  const path: RunFile["path"] = isGroups(flags, single) ? "G" : oneByOne;
  return {
    path,
    width: Math.max(1, Math.floor(groupRows / perChunk)),
    concurrency: bounded(flags.concurrency, "concurrency", [1, 16]) ?? 2,
    tagged: flags.tag !== false,
    strict: flags.strict === true,
    allowDuplicates: allowsDuplicates(flags),
    ...(flags.ad && { isAdvertising: true }),
    ...(flags.at !== undefined && { scheduledDate: flags.at }),
  };
};
