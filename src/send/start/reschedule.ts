/** What the operator's word puts back on its schedule: groups that someone else took off. */

import { backdatedMs, toSeconds } from "../../client/service-clock.ts";
import { isUnscheduled } from "../protocol/groups.ts";
import type { RunFile } from "../store/run-file.ts";
import type { RunStore } from "../store/run-folder.ts";
import { readJournalState } from "../store/run-state.ts";
import type { WorkOptions } from "./work.ts";

/** The intents for a run that was begun; nothing where no group of it was taken off. */
export const rescheduleGroups = (
  store: RunStore,
  run: RunFile,
  now: Date,
): Pick<WorkOptions, "first" | "since"> => {
  const { state, records } = readJournalState(store, run);
  const first = state.groups
    .filter((it) => isUnscheduled(state, it))
    .map(
      ({ groupIndex }) =>
        ({
          t: "SEND_INTENT",
          gen: groupIndex,
          date: toSeconds(new Date(now.getTime() - backdatedMs)),
        }) as const,
    );
  return first.length === 0 ? {} : { first, since: records };
};
