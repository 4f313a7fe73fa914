/** How far a run is, on standard error: a line that is rewritten on a terminal, else one every few seconds. */
import type { State } from "../../bulk/protocol/state.ts";
import type { RunFile } from "../../bulk/run-file.ts";
import type { Context } from "../../context.ts";

export interface Progress {
  readonly show: (state: State) => void;
  readonly end: () => Promise<void>;
}

const everyMs = { terminal: 200, pipe: 5_000 };

/** Nothing for a short run, and nothing with -q. */
export const showProgress = (ctx: Context, run: RunFile): Progress => {
  const started = ctx.ticks();
  const every = ctx.err.isTTY ? everyMs.terminal : everyMs.pipe;
  const last = { ticks: started, written: Promise.resolve(), shown: false };
  return {
    show: (state) => {
      const now = ctx.ticks();
      if (ctx.view.quiet || now - last.ticks < every) return;
      last.ticks = now;
      last.shown = true;
      const text = lineOf(run, rowsDone(state), now - started);
      last.written = ctx.err.write(ctx.err.isTTY ? `\r${text}` : `${text}\n`);
    },
    end: async () => {
      await last.written;
      if (last.shown && ctx.err.isTTY) await ctx.err.write("\n");
    },
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
