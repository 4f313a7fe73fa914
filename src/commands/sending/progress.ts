/** How far a run is, on standard error: a line that is rewritten on a terminal, else one every few seconds. */
import type { State } from "../../bulk/protocol/state.ts";
import type { RunFile } from "../../bulk/run-file.ts";
import type { Context } from "../../context.ts";

export interface Progress {
  readonly show: (state: State) => void;
  readonly end: () => Promise<void>;
}

const everyMs = { terminal: 200, pipe: 5_000 };

/** Nothing for what is short, and nothing with -q. */
const createLine = (ctx: Context) => {
  const { err, view } = ctx;
  const every = err.isTTY ? everyMs.terminal : everyMs.pipe;
  const last = { ticks: ctx.ticks(), written: Promise.resolve(), shown: false };
  const write = (text: string): void => {
    last.written = err.write(text);
  };
  return {
    /** `textOf` is asked only where it is time for a line. */
    show: (textOf: () => string): void => {
      const now = ctx.ticks();
      if (view.quiet || now - last.ticks < every) return;
      last.ticks = now;
      last.shown = true;
      write(err.isTTY ? `\r${textOf()}\x1b[K` : `${textOf()}\n`);
    },
    /** Takes the line away, where it is one that is rewritten. */
    clear: (): void => {
      if (last.shown && err.isTTY) write("\r\x1b[K");
      last.shown = false;
    },
    end: (): Promise<void> => last.written,
  };
};

/** The line goes when the run ends: what became of it is told by its summary. */
export const showProgress = (ctx: Context, run: RunFile): Progress => {
  const started = ctx.ticks();
  const line = createLine(ctx);
  return {
    show: (state) => line.show(() => lineOf(run, rowsDone(state), ctx.ticks() - started)),
    end: () => {
      line.clear();
      return line.end();
    },
  };
};

/** Who only looks, or ends a run, fills and sends nothing. */
export const noProgress: Progress = { show: () => undefined, end: async () => undefined };

/** How many rows of a source were read, while they are checked; and notes between. */
export const showReading = (ctx: Context) => {
  const line = createLine(ctx);
  return {
    show: (rows: number): void => line.show(() => `${rows} rows read and checked`),
    note: (text: string): void => {
      line.clear();
      void ctx.note(text);
    },
    end: (): void => line.clear(),
  };
};

const rowsDone = ({ chunks, shape }: State): number =>
  chunks.reduce((sum, chunk, at) => sum + (chunk.at === "done" ? (shape.rows[at] ?? 0) : 0), 0);

const lineOf = (run: RunFile, rows: number, elapsedMs: number): string => {
  const rate = rows / Math.max(elapsedMs / 1_000, 0.001);
  const left = rate > 0 ? Math.ceil((run.messages - rows) / rate) : 0;
  const verb = run.path === "G" ? "filled" : "sent";
  const percent = Math.floor((rows / run.messages) * 100);
  return `${rows} of ${run.messages} rows ${verb}, ${percent} %, ${Math.round(rate)} rows/s, ${left} s left`;
};
