/** The rows of a source while they are read: what is kept of them, and said. */

import { MsgError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { formatRowCount } from "../../message/price.ts";
import type { Ports } from "../../ports.ts";
import { createLostReporter } from "../messages/lost.ts";
import { showReading } from "../report/progress.ts";
import type { RunFlags } from "../start/run-flags.ts";
import type { RunStore } from "../store/run-folder.ts";
import { createRowReporter, createSkippedRows, type SkippedRow } from "./skipped-rows.ts";

export const watchRows = (
  ctx: Ports,
  store: RunStore,
  run: string,
  flags: RunFlags,
  name: string,
) => {
  const reading = showReading(ctx);
  const skipped = createSkippedRows(store, run);
  const reporter = createRowReporter(reading.note);
  const lost = createLostReporter(ctx, flags.text);
  const taken: { recipient?: string } = {};
  return {
    callbacks: {
      onSkipped: (row: SkippedRow): void => {
        skipped.add(row);
        if (isSkipped(row, flags)) reporter.report(row);
      },
      onProgress: (count: number): void => {
        if (ctx.signal.aborted) throw stopped(name, count);
        reading.show(count);
      },
      onLost: lost.add,
      onRecipient: (recipient: string): void => void Object.assign(taken, { recipient }),
    },
    end: (): void => {
      reporter.end();
      reading.end();
      skipped.end();
    },
    report: async () => {
      await lost.report();
      const { recipient } = taken;
      if (recipient !== undefined && !ctx.io.err.isTTY)
        await ctx.note(t`using column "${recipient}" as the recipient ("to")`);
      return { recipient };
    },
  };
};

/** Wrong rows that stop the run are in its error. */
const isSkipped = (row: SkippedRow, { onInvalid }: RunFlags): boolean =>
  "reason" in row || onInvalid === "skip";

/** A big source takes a while, and may be stopped before its end. */
const stopped = (name: string, rows: number): MsgError =>
  new MsgError("interrupted", t`stopped while reading ${name}, after ${formatRowCount(rows)}`, {
    todo: t`nothing was sent or kept; run it again`,
  });
