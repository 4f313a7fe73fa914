/** The journal of a run that another process may take over. */

import { type Lease, leaseLost } from "../../durable/lease.ts";
import { MsgError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import type { Entry } from "../protocol/entries.ts";
import type { Journal } from "./journal.ts";
import type { RunFile } from "./run-file.ts";

/** Once another process has taken the run over, this one writes nothing any more. */
export const leasedJournal = (journal: Journal, lease: Lease) => {
  const state = { isLost: false };
  const append = (entries: readonly Entry[]): void => {
    try {
      lease.assertOwned();
    } catch (error) {
      state.isLost ||= error instanceof MsgError && error.code === leaseLost;
      throw error;
    }
    journal.append(entries);
  };
  const close = (): void => (lease.isOwned() ? journal.close() : undefined);
  return { ...journal, append, close, isLost: () => state.isLost };
};

/** What its rows have become only the other process knows. */
export const takenOverError = ({ run }: RunFile): MsgError =>
  new MsgError(
    "stopped",
    t`this msg lost the run: it was paused and another msg has taken over, or its folder was removed`,
    {
      code: leaseLost,
      where: t`run ${run}`,
      todo: t`nothing more was sent by this one; msg run show ${run} shows what became of it`,
      outcome: "unknown",
    },
  );
