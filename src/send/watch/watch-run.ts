/** Watching a run: a screen that is redrawn, or one record a change; both read with one request at a time. */
import { toMsgError } from "../../errors.ts";
import type { Ports } from "../../ports.ts";
import { frameOf, type Shown } from "./frame.ts";
import type { Reading, Snapshot } from "./reader.ts";

export interface Watching {
  /** The id of the run. */
  readonly run: string;
  readonly read: (signal: AbortSignal) => Promise<Reading>;
  /** Undefined: until all is settled. */
  readonly withinMs: number | undefined;
}

/** How watching ended, with what was seen last. */
export interface Watched {
  readonly last: Reading | undefined;
  /** `over`: nothing changes any more, or the time is over. The person left by `q`, or by Ctrl-C. */
  readonly end: "over" | "quit" | "interrupted";
}

/** Between two looks at the service; more where it cannot be asked. */
const pauseMs = { usual: 1000, afterProblem: 5000 } as const;

/** As often the window's size is looked at. */
const redrawMs = 200;

type Look = Reading | { readonly problem: string };

/** Looks until all is settled, nothing will change, or the time is over. */
async function* looks(
  ctx: Ports,
  { read, withinMs = Number.POSITIVE_INFINITY }: Watching,
  signal: AbortSignal,
): AsyncGenerator<Look> {
  const end = ctx.clock.ticks() + withinMs;
  for (;;) {
    const look = await read(signal).catch(problemOf);
    yield look;
    if ("standing" in look && look.standing !== "moving") return;
    const left = end - ctx.clock.ticks();
    if (left <= 0 || signal.aborted) return;
    const pause = "problem" in look ? pauseMs.afterProblem : pauseMs.usual;
    await ctx.clock.wait(Math.min(pause, left), signal).catch(() => undefined);
  }
}

/** A line that is gone comes back; whatever else is wrong stays wrong. */
const problemOf = (error: unknown): { readonly problem: string } => {
  const { kind, message, retryable } = toMsgError(error);
  if (kind === "unreachable" || kind === "interrupted" || retryable) return { problem: message };
  throw error;
};

/** One snapshot a change, for programs; `onEnd` is handed what was seen last. */
export async function* changesOf(
  ctx: Ports,
  watching: Watching,
  onEnd: (watched: Watched) => void,
): AsyncGenerator<Snapshot> {
  const seen: { text?: string; problem?: string; last?: Reading } = {};
  for await (const look of looks(ctx, watching, ctx.signal)) {
    if ("problem" in look) {
      if (look.problem !== seen.problem && !ctx.signal.aborted) await ctx.note(look.problem);
      seen.problem = look.problem;
      continue;
    }
    seen.last = look;
    // The speed alone is no change: it is another one at every look.
    const text = JSON.stringify({ ...look.snapshot, rate: null, secondsLeft: null });
    if (text !== seen.text) yield look.snapshot;
    seen.text = text;
  }
  onEnd({ last: seen.last, end: ctx.signal.aborted ? "interrupted" : "over" });
}

/** The screen; given back as it was however watching ends. */
export const watchOnScreen = async (ctx: Ports, watching: Watching): Promise<Watched> => {
  const { out } = ctx.io;
  const stop = new AbortController();
  const signal = AbortSignal.any([ctx.signal, stop.signal]);
  const shown: { -readonly [K in keyof Shown]: Shown[K] } & { isOver: boolean; last?: Reading } = {
    ...{ snapshot: undefined, problem: undefined, isFailures: false, view: ctx.view },
    isOver: false,
  };
  const pressed: { end?: Watched["end"] } = {};
  const release = ctx.io.keys((key) => {
    // The same keys while Hangul is typed.
    if (key === "f" || key === "ㄹ") shown.isFailures = !shown.isFailures;
    if (key !== "q" && key !== "ㅂ" && key !== "\u0003") return;
    pressed.end ??= key === "\u0003" ? "interrupted" : "quit";
    stop.abort();
  });
  const reading = followInto(ctx, watching, shown, signal).finally(() => {
    shown.isOver = true;
    stop.abort();
  });
  // What it throws is thrown below, when the screen is given back.
  reading.catch(() => undefined);
  const screen = out.screen();
  try {
    while (!shown.isOver && !signal.aborted) {
      const window = { columns: out.columns || 80, rows: out.rows || 24, colour: out.colour };
      // A terminal that takes its time is waited for: frames do not queue.
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

const followInto = async (
  ctx: Ports,
  watching: Watching,
  shown: { snapshot: Snapshot | undefined; problem: string | undefined; last?: Reading },
  signal: AbortSignal,
): Promise<void> => {
  for await (const look of looks(ctx, watching, signal)) {
    shown.problem = "problem" in look ? look.problem : undefined;
    if ("problem" in look) continue;
    shown.snapshot = look.snapshot;
    shown.last = look;
  }
};
