/** Watches a run: a screen that is redrawn, or one record for each change; both make one request at a time. */
import { type Lost, poll } from "../../client/poll.ts";
import { t, translated } from "../../locale/locale.ts";
import { formatFigure, formatWon } from "../../message/price.ts";
import { statusTodo } from "../../message/status.ts";
import { tableText } from "../../output/text/cell.ts";
import { sanitize } from "../../output/text/safe.ts";
import { styles } from "../../output/text/style.ts";
import { aligned, displayWidth, truncateToWidth } from "../../output/text/width.ts";
import type { View } from "../../output/view.ts";
import type { Ports } from "../../ports.ts";
import { drawBar, formatSeconds, formatShare } from "../report/progress.ts";
import type { RunReading, Snapshot } from "./run-reader.ts";

interface Watching {
  readonly run: string;
  readonly read: (signal: AbortSignal) => Promise<RunReading>;
  /** Undefined: until all is final. */
  readonly withinMs: number | undefined;
}

export interface Watched {
  readonly last: RunReading | undefined;
  /** `over`: nothing changes any longer, or the time is over. The person pressed `q`, or Ctrl-C. */
  readonly end: "over" | "quit" | "interrupted";
}

/** How often the size of the window is read. */
const redrawMs = 200;

/** Reads until all is final, nothing will change, or the time is over. */
async function* pollRun(
  { clock }: Ports,
  { read, withinMs = Number.POSITIVE_INFINITY }: Watching,
  signal: AbortSignal,
): AsyncGenerator<RunReading | Lost> {
  for await (const look of poll({ clock, signal }, withinMs, () => read(signal))) {
    yield look;
    if ("standing" in look && look.standing !== "active") return;
  }
}

/** One snapshot for each change, for programs; `onEnd` gets what was seen last. */
export async function* streamChanges(
  ctx: Ports,
  watching: Watching,
  onEnd: (watched: Watched) => void,
): AsyncGenerator<Snapshot> {
  const seen: { text?: string; problem?: string; last?: RunReading } = {};
  for await (const look of pollRun(ctx, watching, ctx.signal)) {
    if ("lost" in look) {
      const { reason } = look.lost;
      if (reason !== seen.problem && !ctx.signal.aborted) await ctx.note(reason);
      seen.problem = reason;
      continue;
    }
    seen.last = look;
    // The speed alone is no change: it differs each time.
    const text = JSON.stringify({ ...look.snapshot, rate: null, secondsLeft: null });
    if (text !== seen.text) yield look.snapshot;
    seen.text = text;
  }
  onEnd({ last: seen.last, end: ctx.signal.aborted ? "interrupted" : "over" });
}

/** Watches on the screen, and restores it however watching ends. */
export const watchOnScreen = async (ctx: Ports, watching: Watching): Promise<Watched> => {
  const { out } = ctx.io;
  const stop = new AbortController();
  const signal = AbortSignal.any([ctx.signal, stop.signal]);
  const shown: ScreenState = {
    last: undefined,
    problem: undefined,
    isFailures: false,
    view: ctx.view,
  };
  const pressed: { end?: Watched["end"] } = {};
  const release = ctx.io.keys((key) => {
    // The same keys while Hangul is typed.
    if (key === "f" || key === "ㄹ") shown.isFailures = !shown.isFailures;
    if (key !== "q" && key !== "ㅂ" && key !== "\u0003") return;
    pressed.end ??= key === "\u0003" ? "interrupted" : "quit";
    stop.abort();
  });
  const reading = followRun(ctx, watching, shown, signal).finally(() => stop.abort());
  // What it throws is thrown below, once the screen is restored.
  reading.catch(() => undefined);
  const screen = out.screen();
  try {
    while (!signal.aborted) {
      const window = { columns: out.columns || 80, rows: out.rows || 24, colour: out.colour };
      // Waits for a slow terminal: frames do not queue.
      await screen.draw(frameOf(watching.run, shown, window));
      await ctx.clock.wait(redrawMs, signal).catch(() => undefined);
    }
    await reading;
  } finally {
    stop.abort();
    release?.();
    await screen.close();
  }
  const end = pressed.end ?? (ctx.signal.aborted ? "interrupted" : "over");
  return { last: shown.last, end };
};

const followRun = async (
  ctx: Ports,
  watching: Watching,
  shown: ScreenState,
  signal: AbortSignal,
): Promise<void> => {
  for await (const look of pollRun(ctx, watching, signal)) {
    shown.problem = "lost" in look ? look.lost.reason : undefined;
    if (!("lost" in look)) shown.last = look;
  }
};

interface Window {
  readonly columns: number;
  readonly rows: number;
  readonly colour: boolean;
}

interface ScreenState {
  /** Undefined until the first answer. */
  last: RunReading | undefined;
  /** Why the last read of the service failed. */
  problem: string | undefined;
  /** Shows only the list of failures. */
  isFailures: boolean;
  readonly view: Pick<View, "timeZone">;
}

/** Lines that fit into the window. */
export const frameOf = (
  run: string,
  shown: ScreenState,
  { columns, rows, colour }: Window,
): string[] => {
  const { dim, red } = styles(colour);
  // The last column stays free: after a full line terminals disagree on where the next one begins.
  const width = Math.max(1, columns - 1);
  const clip = (text: string): string => truncateToWidth(sanitize(text), width);
  const { last, problem } = shown;
  const snapshot = last?.snapshot;
  const state = translated(snapshot?.state ?? "reading");
  const keys = shown.isFailures ? t`q quit  f overview` : t`q quit  f failures`;
  const head = spread(t`run ${run} ${state}`, keys, width).map(clip);
  const trouble = problem === undefined ? [] : [red(clip(t`cannot read: ${problem}`))];
  const body = snapshot === undefined ? [] : bodyOf(snapshot, shown, width).map(clip);
  const lines = [...head, ...trouble, "", ...body];
  if (lines.length <= rows) return lines;
  const left = Math.max(0, rows - 1);
  return [...lines.slice(0, left), dim(clip(t`… ${lines.length - left} more lines`))];
};

/** Both on one line if they fit, else one below the other. */
const spread = (left: string, right: string, width: number): string[] => {
  const gap = width - displayWidth(left) - displayWidth(right);
  return gap < 2 ? [left, right] : [left + " ".repeat(gap) + right];
};

const bodyOf = (snapshot: Snapshot, shown: ScreenState, width: number): string[] =>
  shown.isFailures
    ? failureLines(snapshot)
    : [...figureLines(snapshot, width), ...codeLines(snapshot), ...lastLines(snapshot, shown.view)];

const figureLines = (snapshot: Snapshot, width: number): string[] => {
  const { total, filled, accepted, delivered, failed, pending, refused } = snapshot;
  const { unknown, notSent, skipped, rate, secondsLeft, cost } = snapshot;
  const isFilling = accepted === 0 && filled > 0;
  const rows: readonly Measured[] = isFilling
    ? [[t`filled`, filled, total]]
    : [
        [t`sent`, accepted, total],
        [t`delivered`, delivered, accepted],
        [t`failed`, failed, accepted],
        [t`on the way`, pending, accepted],
      ];
  const others: readonly (readonly [name: string, count: number])[] = [
    [t`refused`, refused],
    [t`unknown`, unknown],
    [t`not sent`, notSent],
    [t`skipped`, skipped],
  ];
  return [
    ...rows.map((row) => measure(row, width)),
    ...others.flatMap(([name, count]) => (count === 0 ? [] : [label(name, formatFigure(count))])),
    label(t`rate`, rate === null ? "–" : t`${formatFigure(rate)} rows a second`),
    label(t`time left`, secondsLeft === null ? "–" : formatSeconds(secondsLeft)),
    label(t`cost`, cost === null ? t`unknown` : formatWon(cost)),
    "",
  ];
};

type Measured = readonly [name: string, part: number, whole: number];

const label = (name: string, text: string): string => `${aligned(name, 11)}${text}`;

/** Widths at which a bar says something, and more would not. */
const bar = { min: 10, max: 60 } as const;

/** `delivered  545 of 593  ██████░░░░  91 %`; without the bar if there is no room for it. */
const measure = ([name, part, whole]: Measured, width: number): string => {
  const share = whole === 0 ? 0 : Math.min(1, part / whole);
  const text = label(name, t`${formatFigure(part)} of ${formatFigure(whole)}`);
  const figures = aligned(text, Math.max(34, displayWidth(text) + 1));
  const percent = formatShare(share).padStart(6);
  const room = Math.min(bar.max, width - displayWidth(figures) - percent.length - 1);
  if (room < bar.min) return `${figures.trimEnd()}${percent}`;
  return `${figures}${drawBar(share, room)} ${percent}`;
};

const countOf = (count: number): string => formatFigure(count).padStart(7);

/** At most this many codes on the first screen. */
const maxCodes = 6;

const codeLines = ({ failures }: Snapshot): string[] =>
  failures.length === 0
    ? []
    : [
        t`failed with`,
        ...failures
          .slice(0, maxCodes)
          .map(({ code, meaning, count }) => `${countOf(count)}  ${code} ${meaning}`),
        ...(failures.length > maxCodes
          ? [`         ${t`${failures.length - maxCodes} more codes: f`}`]
          : []),
        "",
      ];

/** At most this many failures on the first screen. */
const maxLast = 8;

const lastLines = ({ lastFailures }: Snapshot, view: ScreenState["view"]): string[] => {
  if (lastFailures.length === 0) return [];
  const shown = tableText(view);
  return [
    t`last failures`,
    ...lastFailures
      .slice(0, maxLast)
      .map(
        ({ date, to, code, meaning }) => `  ${shown(date).slice(11)}  ${to}  ${code} ${meaning}`,
      ),
  ];
};

const failureLines = ({ failures }: Snapshot): string[] =>
  failures.length === 0
    ? [t`no failures`]
    : failures.flatMap(({ code, meaning, count }) => [
        `${countOf(count)}  ${code} ${meaning}`,
        `${" ".repeat(9)}${statusTodo(code)}`,
      ]);
