/** The progress of a run on standard error: on a terminal a line that is rewritten, else one for what has changed. */

import { t } from "../../locale/locale.ts";
import { formatFigure, formatRowCount } from "../../message/price.ts";
import { truncateToWidth } from "../../output/text/width.ts";
import type { Ports } from "../../ports.ts";
import type { State } from "../protocol/state.ts";
import type { RunFile } from "../store/run-file.ts";

const everyMs = { terminal: 200, pipe: 5_000 };
/** A line in a pipe that says what the one before said shows only that the process lives. */
const repeatMs = 60_000;

/** Shows nothing for work shorter than `every` milliseconds, and nothing with -q. */
export const createLine = (
  ctx: Ports,
  every = ctx.io.err.isTTY ? everyMs.terminal : everyMs.pipe,
) => {
  const { err } = ctx.io;
  const ticks = ctx.clock.ticks();
  const last = { ticks, said: ticks, text: "", written: Promise.resolve(), shown: false };
  return {
    /** Calls `textOf` only when it is time for a line. */
    show: (textOf: () => string): Promise<void> => {
      const now = ctx.clock.ticks();
      if (ctx.view.quiet || now - last.ticks < every) return last.written;
      last.ticks = now;
      // A line that is wrapped cannot be rewritten.
      const text = err.isTTY ? truncateToWidth(textOf(), (err.columns || 80) - 1) : textOf();
      if (!err.isTTY && text === last.text && now - last.said < repeatMs) return last.written;
      Object.assign(last, { said: now, text, shown: true });
      last.written = err.write(err.isTTY ? `\r${text}\x1b[K` : `${text}\n`);
      return last.written;
    },
    /** Removes the line if it is one that is rewritten. */
    clear: (): Promise<void> => {
      if (last.shown && err.isTTY) last.written = err.write("\r\x1b[K");
      last.shown = false;
      return last.written;
    },
  };
};

/** The line is removed when the run ends: its summary shows the result. */
export const showProgress = (ctx: Ports, run: RunFile) => {
  const started = ctx.clock.ticks();
  const line = createLine(ctx);
  let before: number | undefined;
  return {
    show: (state: State): void => {
      // What an earlier process did of a resumed run says nothing about the speed of this one.
      before ??= rowsDone(state);
      const from = before;
      const elapsedMs = ctx.clock.ticks() - started;
      void line.show(() => {
        const share = rowsDone(state) / run.messages;
        const bar = ctx.io.err.isTTY ? `${drawBar(share, barColumns)} ` : "";
        return bar + describeProgress(run, state, from, elapsedMs);
      });
    },
    /** Shows a person who watched how long it took. */
    end: async (): Promise<void> => {
      await line.clear();
      const seconds = (ctx.clock.ticks() - started) / 1_000;
      if (ctx.io.err.isTTY && run.call !== "send") await ctx.note(describeTime(seconds));
    },
  };
};

/** To tenths of a second if that is informative. */
const describeTime = (seconds: number): string =>
  seconds < 60 ? t`took ${seconds.toFixed(1)} s` : t`took ${formatSeconds(seconds)}`;

/** A command that checks or ends a run sends nothing: unknown outcomes are what takes time. */
export const showReconciling = (ctx: Ports) => {
  const line = createLine(ctx);
  return {
    show: (state: State): void => {
      if (unknownRows(state) > 0) void line.show(() => describeCheck(unknownRows(state)));
    },
    end: line.clear,
  };
};

/** Shows how many rows of a source were read while they are checked, and notes in between. */
export const showReading = (ctx: Ports) => {
  const line = createLine(ctx);
  return {
    show: (rows: number): void => void line.show(() => t`${formatRowCount(rows)} read and checked`),
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

/** Rows of calls without an answer, and of groups of which it is not known whether they were sent. */
const unknownRows = ({ chunks, groups, shape }: State): number => {
  const isUnknown = (at: number): boolean =>
    groups.length === 0
      ? chunks[at]?.status === "unknown"
      : groups.some((it) => it.status === "sending" && it.hasUnknownSend && it.chunks.includes(at));
  return shape.rows.reduce((sum, rows, at) => sum + (isUnknown(at) ? rows : 0), 0);
};

const describeCheck = (rows: number): string =>
  t`no clear answer for ${formatRowCount(rows)}: asking the service what became of it`;

const barColumns = 20;

/** `from`: rows that were done when this process began. */
const describeProgress = (run: RunFile, state: State, from: number, elapsedMs: number): string => {
  const rows = rowsDone(state);
  const [done, all] = [formatFigure(rows), formatFigure(run.messages)];
  const unknown = unknownRows(state);
  return [
    run.path === "G" ? t`${done} of ${all} rows filled` : t`${done} of ${all} rows sent`,
    formatShare(rows / run.messages),
    ...describeSpeed(run.messages - rows, rows - from, elapsedMs),
    ...describeGroups(state),
    ...(unknown > 0 ? [describeCheck(unknown)] : []),
  ].join(", ");
};

/** Nothing if nothing was done yet: then it is not known how long it takes. */
const describeSpeed = (left: number, done: number, elapsedMs: number): readonly string[] => {
  if (left === 0 || done <= 0) return [];
  const rate = done / Math.max(elapsedMs / 1_000, 0.001);
  return [
    t`${formatFigure(Math.round(rate))} rows/s`,
    t`${formatSeconds(Math.ceil(left / rate))} left`,
  ];
};

/** Filled groups are sent one by one at the end. */
const describeGroups = ({ groups }: State): readonly string[] => {
  const sent = groups.filter((it) => it.status === "sent").length;
  const living = groups.filter((it) => it.status !== "abandoned").length;
  return sent > 0 ? [t`${sent} of ${living} groups sent`] : [];
};

/** A bar of this many columns; any progress shows at least one block. */
export const drawBar = (share: number, columns: number): string => {
  const filled = share > 0 ? Math.min(columns, Math.max(1, Math.floor(share * columns))) : 0;
  return "█".repeat(filled) + "░".repeat(columns - filled);
};

/** `91 %`, rounded down: 100 % means that all of it is done. */
export const formatShare = (share: number): string => t`${Math.floor(share * 100)} %`;

/** `2 h 5 min`, `3 min 20 s`, `8 s`. */
export const formatSeconds = (seconds: number): string => {
  const parts = [seconds / 3600, (seconds / 60) % 60, seconds % 60];
  const [hours = 0, minutes = 0, rest = 0] = parts.map(Math.floor);
  if (hours > 0) return t`${hours} h ${minutes} min`;
  return minutes > 0 ? t`${minutes} min ${rest} s` : t`${rest} s`;
};
