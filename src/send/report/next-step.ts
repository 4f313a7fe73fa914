/** What an operator can do with a run as it stands: one line, for standard error. */
import { rebuilding } from "../store/damage.ts";
import { howToSend, isOfSend, type RunFile } from "../store/run-file.ts";
import type { Summary } from "../store/summary.ts";

/** Undefined where nothing is left to do. */
export const nextStep = (run: RunFile, summary: Summary): string | undefined => {
  const { state, refused } = summary;
  const id = run.run;
  if (state === "damaged") return `damaged: it is not known what of it was sent; ${rebuilding(id)}`;
  if (run.once !== undefined && isOfSend(run)) return nextOfKeyed(run.once, state);
  const steps: Readonly<Record<string, string>> = {
    planned: `nothing was sent: ${howToSend(run)} sends it`,
    running:
      "another msg works on it now; what is under way counts as unknown until it is answered",
    open: `not over: msg send-many --resume ${id} goes on, msg run cancel ${id} ends it`,
    unknown: `in doubt: msg run reconcile ${id} looks what became of it`,
    scheduled: `goes out at ${run.scheduledDate}: msg run cancel ${id} stops it until then, msg run reconcile ${id} looks whether it still waits`,
    unscheduled: `someone else took groups of it off their schedule, and may send them still: msg send-many --resume ${id} --again puts them on it again, msg run cancel ${id} deletes them`,
    cancelled: `cancelled: msg run export ${id} --status not-sent gives the rows that were not sent`,
  };
  if (state in steps) return steps[state];
  if (refused > 0)
    return `${refused} refused: msg run export ${id} --status refused tells why, msg send-many --retry-refused ${id} sends them anew`;
  return undefined;
};

/** Only the command that has the message sends it: it looks first what became of it. */
const nextOfKeyed = (key: string, state: string): string | undefined => {
  const same = `the same msg send --once ${key}`;
  const steps: Readonly<Record<string, string>> = {
    planned: `nothing was sent: ${same} sends it`,
    running: "another msg works on it now",
    open: `not sent: ${same} sends it, msg run cancel ${key} ends it`,
    unknown: `in doubt: ${same} settles it and sends it once, msg run reconcile ${key} only looks what became of it`,
    cancelled: "cancelled: it was not sent, and its key sends nothing any more",
  };
  return steps[state];
};
