/** The flags of a run: where rows come from, what stops it, how it is sent. */

import * as v from "valibot";
import { readDuration } from "../../config/settings.ts";
import { date, duration, file, flag, kebab, key, number, text } from "../../contract/fields.ts";
import { dayMs, unitMs } from "../../contract/time.ts";
import { exclusive, invalidValue, usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { adFlag, messageFlags } from "../messages/message-flags.ts";
import { readingFlags, type SourceFlags, sourceFlags } from "../plan/source-flags.ts";

const guardFlags = {
  ad: adFlag,
  exclude: file("file of numbers to leave out: one per line, or a CSV with a column 'to'"),
  estimate: flag("check, count and price, send nothing; exit as the run would (7: above a limit)"),
} as const;

const howFlags = {
  at: date("when to send, up to 6 months ahead"),
  staged: flag("fill and verify all groups before sending any (default)"),
  direct: flag(
    "one call per chunk, without groups: loses their protection from paused processes and foreign answers (msg help reliability)",
  ),
  groupSize: number("rows per group, at most 1,000,000; default: 100,000"),
  chunk: number("rows per request; default and maximum: 10,000"),
  concurrency: number("requests at once; default: 2"),
  rate: number("maximum rows per second"),
  settle: duration("how long to clear up an unclear request: 30s; default: 9m"),
  wait: flag(
    "wait for delivery results; --no-wait stops if another machine is sending the same rows",
  ),
  within: duration("how long to wait: 30s, 5m; default: 60s"),
  again: flag(
    "send even if the same rows were sent within 24 hours, or someone else cancelled their schedule",
  ),
  once: key("key of this send: sent only once, on any machine, however often you run it"),
  onceWithin: duration("how far back to look for the key, 25h to 183d; default: 7d"),
  part: text(
    "send one part of the recipients, as the third of 8 workers on one source: 3/8 (msg help many-machines)",
  ),
  canary: v.pipe(
    number("send this many first, wait for delivery, and ask before the rest: msg help canary"),
    v.integer("takes a whole number"),
    v.minValue(1),
  ),
  canaryTo: file("send the first texts to the numbers of this file first, instead of --canary"),
  canaryWithin: duration("how long to wait for the canary; default: 10m"),
  canaryMaxFailed: text(
    "continue without asking if at most this many of the canary fail: 5%, or 2",
  ),
  planOut: file(
    "check and price, write the plan to a .msgplan file, and send nothing: msg help plans",
  ),
  plan: file("send the plan in this file exactly as planned, or nothing"),
  resume: text("resume a run: its id, or last"),
  retryRefused: text("resend the rows of a run that were refused: its id, or last"),
  retryFailed: text("resend the rows of a run that did not arrive: its id, or last"),
  results: file("write the outcome of each row to a file, as JSONL"),
  tag: flag("send without the correlation id; msg cannot find later what was sent", {
    isOnByDefault: true,
  }),
} as const;

export const runFlags = { ...sourceFlags, ...guardFlags, ...howFlags, ...messageFlags } as const;

/** The flags that decide which run the rows belong to. */
export const identityFlags = {
  ...sourceFlags,
  ad: guardFlags.ad,
  exclude: guardFlags.exclude,
  at: howFlags.at,
  once: howFlags.once,
  onceWithin: howFlags.onceWithin,
  ...messageFlags,
} as const;

type OwnFlags = typeof guardFlags & typeof howFlags;
export type RunFlags = SourceFlags & {
  readonly [K in keyof OwnFlags]?: v.InferOutput<OwnFlags[K]> | undefined;
};

/** Flags that a run or a plan does not keep: how fast it is sent, its limits, and how it is reported. */
const resumedFlags: readonly string[] = [
  "maxCost",
  "maxRecipients",
  "rate",
  "settle",
  "concurrency",
  "wait",
  "within",
  "again",
  "results",
  "canaryWithin",
  "canaryMaxFailed",
];

/** Flags that a retry does not take: its rows are sent again as they were. */
const notOfRetry: ReadonlySet<string> = new Set([
  ...Object.keys(readingFlags),
  "resume",
  "plan",
  "part",
  "var",
  "from",
  "text",
  "type",
  "country",
  "subject",
  "image",
  "kakao",
  "field",
  "autoType",
]);

/** The flags that a run whose folder is here does not keep. */
export const resumedOf = (flags: RunFlags): RunFlags =>
  Object.fromEntries(
    Object.entries(flags).filter(([name]) => name === "resume" || resumedFlags.includes(name)),
  );

/** Throws MsgError (usage) for a flag that would have no effect. */
export const assertNoOtherFlags = (file: string | undefined, flags: RunFlags): void => {
  if (flags.planOut !== undefined) assertNothingIsSent(flags);
  const kind = kindOf(flags);
  if (kind === undefined) return;
  const { own, allows, todo } = kind;
  if (file !== undefined) {
    const what =
      own === "--plan"
        ? t`${own} takes its rows from the plan, but '${file}' is also given`
        : t`${own} takes its rows from the run, but '${file}' is also given`;
    throw usageError(what, { todo: t`leave one of them out` });
  }
  const other = Object.entries(flags).find(
    ([name, value]) => value !== undefined && `--${kebab(name)}` !== own && !allows(name),
  );
  if (other === undefined) return;
  throw exclusive(`--${kebab(other[0])}`, own, todo);
};

interface Kind {
  /** The flag that says where the rows come from. */
  readonly own: string;
  readonly allows: (name: string) => boolean;
  readonly todo: string;
}

/** Undefined for rows of a source. */
const kindOf = ({ resume, plan, retryRefused, retryFailed }: RunFlags): Kind | undefined => {
  if (resume !== undefined)
    return {
      own: "--resume",
      allows: (name) => resumedFlags.includes(name),
      todo: t`a run keeps the flags it was made with`,
    };
  if (plan !== undefined)
    return {
      own: "--plan",
      allows: (name) => name === "estimate" || resumedFlags.includes(name),
      todo: t`a plan keeps the flags it was made with`,
    };
  const named = retryRefused ?? retryFailed;
  if (named === undefined) return undefined;
  const retry = retryRefused === undefined ? "failed" : "refused";
  return {
    own: `--retry-${retry}`,
    allows: (name) => !notOfRetry.has(name),
    todo: t`a run keeps the flags it was made with; to send the rows with other flags: msg run export ${named} --status ${retry} -o csv`,
  };
};

const assertNothingIsSent = (flags: RunFlags): void => {
  const sending = ["plan", "once", "estimate", "results", "wait", "within"] as const;
  const other = sending.find((name) => flags[name] !== undefined);
  if (other !== undefined)
    throw exclusive(
      `--${kebab(other)}`,
      "--plan-out",
      other === "once" ? t`a plan is sent only once` : t`--plan-out sends nothing`,
    );
};

/** `--once-within`, or a week; less than the groups of a day and an hour would leave some out. */
export const onceWithinOf = ({ onceWithin }: Pick<RunFlags, "onceWithin">): number => {
  const ms = onceWithin === undefined ? 7 * dayMs : readDuration(onceWithin, "--once-within");
  if (ms >= 25 * unitMs.h && ms <= 183 * dayMs) return ms;
  throw invalidValue(t`--once-within takes 25h to 183d, got '${onceWithin ?? ""}'`);
};

/** With --dedupe off or to+text one number may get several messages: the service is asked to allow it. */
export const allowsDuplicates = ({ allowDuplicates, dedupe = "to" }: RunFlags): boolean =>
  allowDuplicates ?? dedupe !== "to";

const { allowDuplicates, maxCost, ...rowFlags } = messageFlags;

/** Flags that complete the rows, as they were typed: to send the rows again they are needed again. */
export const namesOfRowFlags = (flags: RunFlags): string[] => {
  const given: Readonly<Record<string, unknown>> = flags;
  return ["map", "ad", ...Object.keys(rowFlags), "fixLeadingZero"]
    .filter((name) => given[name] !== undefined)
    .map((name) => `--${given[name] === false ? "no-" : ""}${kebab(name)}`);
};

/** Nine minutes: as long as the service's memory of a signature can be relied on. */
const defaultReconcileMs = 9 * 60_000;

/** `--settle`, or the default for a run. */
export const reconcileMsOf = (typed: string | undefined, defaultMs = defaultReconcileMs): number =>
  typed === undefined ? defaultMs : readDuration(typed, "--settle");

/** Rows of a request and of a group, and requests at once. Throws MsgError (usage). */
export const sizesOf = (flags: RunFlags) => {
  const chunk = bounded(flags.chunk, "chunk", [1, maxInRequest]);
  const groupRows = bounded(flags.groupSize, "group-size", [1, maxGroupRows]) ?? defaultGroupRows;
  return {
    // A request never adds more rows than its group may have.
    chunk: Math.min(chunk ?? maxInRequest, groupRows),
    groupRows,
    concurrency: bounded(flags.concurrency, "concurrency", [1, 16]) ?? 2,
  };
};

/** Throws MsgError (usage) for sizes and a rate that cannot be used. */
export const assertSizes = (flags: RunFlags): void => {
  const { rate, direct, groupSize } = flags;
  if (rate !== undefined && !(rate > 0)) throw invalidValue(t`--rate takes a number above 0`);
  sizesOf(flags);
  if (direct && groupSize !== undefined)
    throw exclusive(
      "--direct",
      "--group-size",
      t`--direct makes no groups; --chunk gives the rows of one request`,
    );
};

const defaultGroupRows = 100_000;
const maxGroupRows = 1_000_000;
const maxInRequest = 10_000;

/** Throws MsgError (usage) for anything but a whole number within bounds. */
const bounded = (
  value: number | undefined,
  name: string,
  [min, max]: readonly [number, number],
): number | undefined => {
  if (value === undefined || (Number.isInteger(value) && value >= min && value <= max))
    return value;
  throw invalidValue(t`--${name} takes a whole number from ${min} to ${max}, got '${value}'`);
};
