/** How far a run is, on standard error: a line that is rewritten on a terminal, else one every few seconds. */

import type { Ports } from "../../ports.ts";
import type { State } from "../protocol/state.ts";
import type { RunFile } from "../store/run-file.ts";

const everyMs = { terminal: 200, pipe: 5_000 };

/** Nothing for what is short, and nothing with -q. */
const createLine = (ctx: Ports) => {
  const { err } = ctx.io;
  const every = err.isTTY ? everyMs.terminal : everyMs.pipe;
  const last = { ticks: ctx.clock.ticks(), written: Promise.resolve(), shown: false };
  const write = (text: string): void => {
    last.written = err.write(text);
  };
  return {
    /** `textOf` is asked only where it is time for a line. */
    show: (textOf: () => string): void => {
      const now = ctx.clock.ticks();
      if (ctx.view.quiet || now - last.ticks < every) return;
      last.ticks = now;
      last.shown = true;
      // A line that is wrapped cannot be rewritten.
      const text = err.isTTY ? textOf().slice(0, (err.columns ?? 80) - 1) : textOf();
      write(err.isTTY ? `\r${text}\x1b[K` : `${text}\n`);
    },
    /** Takes the line away, where it is one that is rewritten. */
    clear: (): Promise<void> => {
      if (last.shown && err.isTTY) write("\r\x1b[K");
      last.shown = false;
      return last.written;
    },
  };
};

/** The line goes when the run ends: its summary says what became of it. */
export const showProgress = (ctx: Ports, run: RunFile) => {
  const started = ctx.clock.ticks();
  const line = createLine(ctx);
  const before: { rows?: number } = {};
  return {
    show: (state: State): void => {
      // Of a run that goes on: what an earlier process did says nothing of the speed of this one.
      before.rows ??= rowsDone(state);
      const from = before.rows;
      line.show(() => describeProgress(run, state, from, ctx.clock.ticks() - started));
    },
    end: line.clear,
  };
};

/** A command that looks at a run, or ends it, sends nothing: what takes time is what is unknown. */
export const showReconciling = (ctx: Ports) => {
  const line = createLine(ctx);
  return {
    show: (state: State): void => {
      if (unknownRows(state) > 0) line.show(() => describeCheck(unknownRows(state)));
    },
    end: line.clear,
  };
};

/** How many rows of a source were read, while they are checked; and notes between. */
export const showReading = (ctx: Ports) => {
  const line = createLine(ctx);
  return {
    show: (rows: number): void => line.show(() => `${rows} rows read and checked`),
    note: (text: string): void => {
      void line.clear();
      void ctx.note(text);
    },
    end: (): void => void line.clear(),
  };
};

/** Rows that were filled into groups, or sent. */
export const rowsDone = ({ chunks, shape }: State): number =>
  shape.rows.reduce((sum, rows, at) => sum + (chunks[at]?.status === "done" ? rows : 0), 0);

/** Rows of calls without an answer; of groups when it is not known whether they were sent. */
const unknownRows = ({ chunks, groups, shape }: State): number => {
  const isUnknown = (at: number): boolean =>
    groups.length === 0
      ? chunks[at]?.status === "unknown"
      : groups.some((it) => it.status === "sending" && it.hasUnknownSend && it.chunks.includes(at));
  return shape.rows.reduce((sum, rows, at) => sum + (isUnknown(at) ? rows : 0), 0);
};

const describeCheck = (rows: number): string =>
  `no clear answer for ${rows} row${rows === 1 ? "" : "s"}: asking the service what became of them`;

/** `from`: rows that were done when this process began. */
const describeProgress = (run: RunFile, state: State, from: number, elapsedMs: number): string => {
  const rows = rowsDone(state);
  const verb = run.path === "G" ? "filled" : "sent";
  const percent = Math.floor((rows / run.messages) * 100);
  const unknown = unknownRows(state);
  return [
    `${rows} of ${run.messages} rows ${verb}`,
    `${percent} %`,
    ...describeSpeed(run.messages - rows, rows - from, elapsedMs),
    ...describeGroups(state),
    ...(unknown > 0 ? [describeCheck(unknown)] : []),
  ].join(", ");
};

/** Nothing where nothing was done yet: how long it takes is not known then. */
const describeSpeed = (left: number, done: number, elapsedMs: number): readonly string[] => {
  if (left === 0 || done <= 0) return [];
  const rate = done / Math.max(elapsedMs / 1_000, 0.001);
  return [`${Math.round(rate)} rows/s`, `${Math.ceil(left / rate)} s left`];
};

/** Filled groups are sent one by one at the end. */
const describeGroups = ({ groups }: State): readonly string[] => {
  const sent = groups.filter((it) => it.status === "sent").length;
  const living = groups.filter((it) => it.status !== "abandoned").length;
  return sent > 0 ? [`${sent} of ${living} groups sent`] : [];
};
