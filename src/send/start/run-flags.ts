/** The flags of a run: where rows come from, what stops it, how it is sent. */
import * as v from "valibot";
import { readDuration } from "../../config/values.ts";
import { date, duration, file, flag, kebab, number, text } from "../../contract/fields.ts";
import { usageError } from "../../errors.ts";
import { type SourceFlags, sourceFlags } from "../plan/source.ts";
import { adFlag, messageFlags } from "../single/message.ts";

const guardFlags = {
  ad: adFlag,
  exclude: file("file of numbers that get nothing, one a line or a CSV with a column 'to'"),
  estimate: flag("check, count and price, send nothing, and end as the run would: 7 above a limit"),
} as const;

const howFlags = {
  at: date("when to send, up to 6 months ahead"),
  staged: flag("fill and verify groups before any is sent, which is the default"),
  direct: flag(
    "one call per chunk, without a group: gives up its protection from paused processes and foreign answers (msg help reliability)",
  ),
  groupSize: number("rows of one group, 100000 when left out, 1000000 at most"),
  chunk: number("rows of one request, 10000 when left out and at most"),
  concurrency: number("requests at once, 2 when left out"),
  rate: number("rows a second at most"),
  settle: duration("how long a request in doubt is settled: 30s; 9m when left out"),
  wait: flag(
    "wait until it is known what arrived; --no-wait stops where another machine is at work on the same rows",
  ),
  within: duration("how long to wait: 30s, 5m; 60s when left out"),
  again: flag(
    "send although the same rows were sent within 24 hours, or were taken off their schedule by somebody else",
  ),
  once: text(
    "a key of your own: what it names is sent once, whichever machine runs this how often",
  ),
  onceWithin: duration("how far back the key is looked for: 7d when left out, 25h to 183d"),
  canary: v.pipe(
    number(
      "send so many first, wait what becomes of them, and ask before the rest: msg help canary",
    ),
    v.integer("takes a whole number"),
    v.minValue(1),
  ),
  canaryTo: file("send the first texts to the numbers of this file first, in place of --canary"),
  canaryWithin: duration("how long to wait for the canary: 10m when left out"),
  canaryMaxFailed: text("go on without a question where no more of the canary fail: 5%, or 2"),
  planOut: file(
    "check and price, write the plan into a file that ends in .msgplan, and send nothing: msg help plans",
  ),
  plan: file("send the plan of a file, byte for byte as it was planned, or nothing"),
  resume: text("go on with a run: its id, or last"),
  retryRefused: text("send the rows anew that a run was refused: its id, or last"),
  retryFailed: text("send the rows anew that did not arrive: id of their run, or last"),
  results: file("write what became of each row to a file, as JSONL"),
  tag: flag("send without the correlation id; msg cannot find afterwards what was sent", {
    isOnByDefault: true,
  }),
} as const;

export const runFlags = { ...sourceFlags, ...guardFlags, ...howFlags, ...messageFlags } as const;

type OwnFlags = typeof guardFlags & typeof howFlags;
export type RunFlags = SourceFlags & {
  readonly [K in keyof OwnFlags]?: v.InferOutput<OwnFlags[K]> | undefined;
};

/** How a run is sent, and how it is reported: what a run that is resumed, or a plan, does not keep. */
const resumedFlags: readonly string[] = [
  ...["maxCost", "maxRecipients", "rate", "settle", "concurrency"],
  ...["wait", "within", "again", "results", "canaryWithin", "canaryMaxFailed"],
];
/** The rows of a run are sent anew as they were: what is about a source, or in a row, has no meaning. */
const sourceOnly: ReadonlySet<string> = new Set([
  ...["resume", "plan", "format", "encoding", "map", "csvHeader", "fixLeadingZero", "var", "sheet"],
  ...["from", "text", "type", "country", "subject", "image", "kakao", "field", "autoType"],
]);

/** Of a run whose folder is here: what it was made with it keeps. */
export const resumedOf = (flags: RunFlags): RunFlags =>
  Object.fromEntries(
    Object.entries(flags).filter(([name]) => name === "resume" || resumedFlags.includes(name)),
  );

/** A flag that would be passed over is a mistake. Throws MsgError (usage). */
export const assertNoOtherFlags = (file: string | undefined, flags: RunFlags): void => {
  if (flags.planOut !== undefined) assertNothingIsSent(flags);
  const kind = kindOf(flags);
  if (kind === undefined) return;
  const { own, from, allows, todo } = kind;
  if (file !== undefined && own !== "--resume")
    throw usageError(`${own} takes its rows from the ${from}, and '${file}' was named too`, {
      code: "InvalidUsage",
      todo: "leave one of them out",
    });
  const other = Object.entries(flags).find(
    ([name, value]) => value !== undefined && `--${kebab(name)}` !== own && !allows(name),
  );
  if (other === undefined) return;
  throw usageError(`--${kebab(other[0])} and ${own} exclude each other`, {
    code: "InvalidUsage",
    todo,
  });
};

interface Kind {
  /** The flag that says where the rows come from. */
  readonly own: string;
  readonly from: "run" | "plan";
  readonly allows: (name: string) => boolean;
  readonly todo: string;
}

/** Undefined for rows of a source. */
const kindOf = ({ resume, plan, retryRefused, retryFailed }: RunFlags): Kind | undefined => {
  const named = retryRefused ?? retryFailed;
  if (resume !== undefined)
    return {
      ...{ own: "--resume", from: "run", todo: "a run keeps what it was made with" },
      allows: (name) => resumedFlags.includes(name),
    };
  if (plan !== undefined)
    return {
      ...{ own: "--plan", from: "plan", todo: "a plan keeps what it was made with" },
      allows: (name) => name === "estimate" || resumedFlags.includes(name),
    };
  if (named === undefined) return undefined;
  const retry = retryRefused === undefined ? "failed" : "refused";
  return {
    ...{ own: `--retry-${retry}`, from: "run", allows: (name) => !sourceOnly.has(name) },
    todo: `a run keeps what it was made with; msg run export ${named} --status ${retry} -o csv gives the rows, to be sent with other flags`,
  };
};

const assertNothingIsSent = (flags: RunFlags): void => {
  const sending = ["plan", "once", "estimate", "results", "wait", "within"] as const;
  const other = sending.find((name) => flags[name] !== undefined);
  if (other !== undefined)
    throw usageError(`--${kebab(other)} and --plan-out exclude each other`, {
      code: "InvalidUsage",
      todo: other === "once" ? "a plan is sent once" : "--plan-out sends nothing",
    });
};

const hourMs = 3_600_000;

/** `--once-within`, or a week; less than the groups of a day and an hour would leave some out. */
export const onceWithinOf = ({ onceWithin }: Pick<RunFlags, "onceWithin">): number => {
  const ms = onceWithin === undefined ? 168 * hourMs : readDuration(onceWithin, "--once-within");
  if (ms >= 25 * hourMs && ms <= 183 * 24 * hourMs) return ms;
  throw usageError(`--once-within takes 25h to 183d, got '${onceWithin}'`, {
    code: "InvalidValue",
  });
};

/** With --dedupe off or to+text one number may get several messages: the service is asked to allow it. */
export const allowsDuplicates = ({ allowDuplicates, dedupe = "to" }: RunFlags): boolean =>
  allowDuplicates ?? dedupe !== "to";

/** Flags that say of rows what their columns do not: who sends the rows once more needs them again. */
const rowFlags: readonly (keyof RunFlags)[] = [
  ...(["map", "ad", "from", "text", "type", "country", "subject", "image", "kakao"] as const),
  ...(["template", "channel", "fallbackText", "var", "allowEmpty", "field", "strict"] as const),
  ...(["autoType", "agent", "fixLeadingZero"] as const),
];

/** Those that were given, as they are typed. */
export const namesOfRowFlags = (flags: RunFlags): string[] =>
  rowFlags
    .filter((name) => flags[name] !== undefined)
    .map((name) => `--${flags[name] === false ? "no-" : ""}${kebab(name)}`);

/** Nine minutes: as long as the service's memory of a signature can be relied on. */
const defaultReconcileMs = 9 * 60_000;

/** `--settle`, or what is usual for a run. */
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

const defaultGroupRows = 100_000;
const maxGroupRows = 1_000_000;
const maxInRequest = 10_000;

/** A whole number within bounds. Throws MsgError (usage). */
const bounded = (
  value: number | undefined,
  name: string,
  [least, most]: readonly [number, number],
): number | undefined => {
  if (value === undefined || (Number.isInteger(value) && value >= least && value <= most))
    return value;
  throw usageError(`--${name} takes a whole number from ${least} to ${most}, got '${value}'`, {
    code: "InvalidValue",
  });
};
