/** What an operator can do with a run now: one line, for standard error. */
import { shownTime, t } from "../../locale/locale.ts";
import { formatFigure } from "../../message/price.ts";
import { rebuildHint } from "../store/journal.ts";
import { isSingleSend, type RunFile, sendCommand } from "../store/run-file.ts";
import type { Summary } from "../store/summary.ts";

type Totals = Summary & { readonly failed?: number | null };

/** Undefined if nothing is left to do; `now` is the service's time. */
export const nextStep = (run: RunFile, totals: Totals, now: Date): string | undefined => {
  const { state, refused, notSent, failed = 0 } = totals;
  const id = run.run;
  if (state === "damaged") return t`damaged: msg cannot tell what was sent; ${rebuildHint(id)}`;
  if (run.once !== undefined && isSingleSend(run)) return nextOfKeyed(run.once, state);
  const steps: Readonly<Record<string, string>> = {
    planned: t`nothing was sent: ${sendCommand(run)} sends it`,
    running: t`another msg is working on it; requests under way count as unknown until they are answered`,
    open: t`unfinished; resume: msg send-many --resume ${id}; cancel: msg run cancel ${id}`,
    unknown: t`outcome unknown: msg run reconcile ${id} checks what became of it`,
    scheduled: t`scheduled for ${shownTime(run.scheduledDate ?? "–")}: msg run cancel ${id} stops it before then, msg run reconcile ${id} checks whether it is still scheduled`,
    unscheduled: t`someone else took groups of it off the schedule, and may still send them: msg send-many --resume ${id} --again schedules them again, msg run cancel ${id} deletes them`,
    cancelled: t`cancelled: msg run export ${id} --status not-sent lists the rows that were not sent`,
  };
  const isLate = run.scheduledDate !== undefined && Date.parse(run.scheduledDate) <= now.getTime();
  if (isLate && unsent.has(state))
    return t`its scheduled time has passed: msg run cancel ${id} deletes what was not sent, msg run export ${id} --status not-sent lists those rows`;
  if (isLate && state === "scheduled")
    return t`its scheduled time has passed: msg run reconcile ${id} checks what became of it`;
  if (state in steps) return steps[state];
  const rest = [
    refused > 0 &&
      t`${formatFigure(refused)} refused: msg run export ${id} --status refused says why, msg send-many --retry-refused ${id} resends them`,
    // Someone else deleted their group, or it failed at its hour.
    notSent > 0 &&
      t`${formatFigure(notSent)} not sent: msg run export ${id} --status not-sent lists them`,
    failed &&
      t`${formatFigure(failed)} did not arrive: msg run export ${id} --status failed says why, msg send-many --retry-failed ${id} resends them`,
  ];
  return rest.filter(Boolean).join("; ") || undefined;
};

const unsent: ReadonlySet<string> = new Set(["planned", "open", "unscheduled"]);

/** Only the command that has the message sends it, after it has checked the outcome. */
const nextOfKeyed = (key: string, state: string): string | undefined => {
  const same = `msg send --once ${key}`;
  const steps: Readonly<Record<string, string>> = {
    planned: t`nothing was sent: the same ${same} sends it`,
    running: t`another msg is working on it`,
    open: t`not sent: the same ${same} sends it, msg run cancel ${key} cancels it`,
    unknown: t`outcome unknown: the same ${same} checks it and sends it once, msg run reconcile ${key} only checks`,
    cancelled: t`cancelled: it was not sent, and its key can send nothing more`,
  };
  return steps[state];
};
