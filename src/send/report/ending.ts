/** The result of a run: its summary, the error that gives the exit code, and how to continue. */

import { MsgError, type Outcome, type Problem } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { formatFigure, formatMessageCount, formatRefusedCount } from "../../message/price.ts";
import { isFinished, isUnscheduled } from "../protocol/group-status.ts";
import { countSentTwice, type State } from "../protocol/state.ts";
import { howToVerify, unknownSend } from "../reconcile/resolve-request.ts";
import type { EngineResult } from "../run/engine.ts";
import { hourPassedCode } from "../run/hours.ts";
import { nameOf, type RunFile, resumeCommand } from "../store/run-file.ts";
import type { Summary } from "../store/summary.ts";

export interface RunResult extends EngineResult {
  readonly summary: Summary;
  /** Rows that the service refused, so far as they are known. */
  readonly problems: readonly Problem[];
}

/** The summary as a result, with the error that gives the exit code. */
export const resultOf = (run: RunFile, finished: RunResult) => ({
  record: finished.summary,
  columns: summaryColumns,
  ending: endingOf(run, finished),
});

export const summaryColumns = [
  "run",
  { name: "groups", value: (row: Summary) => row.groups.join(" ") },
  "total",
  "accepted",
  "refused",
  "skipped",
  "unknown",
  "cost",
  "elapsedMs",
  "notSent",
] as const;

/** Undefined if every row was accepted. The exit code never contradicts the counts. */
export const endingOf = (run: RunFile, finished: RunResult): MsgError | undefined => {
  const { ending, error, state, summary } = finished;
  if (ending.type === "canary") return error;
  // A run that is being cancelled sends nothing more, however it continues.
  const again = state.cancel ? `msg run cancel ${nameOf(run)}` : resumeCommand(run);
  // After an unknown deletion, too: the group to delete was not sent, and is still there.
  const isLeft = ending.type === "stopped" || ending.type === "unknown";
  if (isLeft && summary.unknown === 0) return stoppedError(error, run, again, summary);
  const early = cutShortError(run, finished, again) ?? sentTwiceError(state, summary);
  return early ?? (ending.type === "cancelled" ? undefined : partlyRefusedError(run, finished));
};

const cutShortError = (
  run: RunFile,
  { ending, error, state, summary }: RunResult,
  again: string,
): MsgError | undefined => {
  const counts = describeCounts(summary);
  if (ending.type === "interrupted") {
    // Rows that others have sent may lie in a group of this run, too: it is to be deleted.
    const isOver = summary.notSent + summary.unknown === 0 && state.groups.every(isFinished);
    const todo = isOver ? t`the run is over: nothing is left to do` : resumeWith(again);
    return endingError("interrupted", "Interrupted", t`interrupted: ${counts}`, todo, summary);
  }
  if (summary.unknown > 0 && error?.code === hourPassedCode)
    return lateUnknownError(run, error, summary);
  if (summary.unknown > 0 && error && blockingCodes.has(error.code) && ending.type === "stopped")
    return blockedUnknownError(run, error, again, summary);
  if (summary.unknown > 0) {
    const isAll = summary.accepted + summary.refused + summary.notSent === 0;
    const unclear = t`${formatMessageCount(summary.unknown)} may or may not have been sent`;
    const what = isAll ? unclear : t`${unclear}; ${counts}`;
    const todo = unknownTodo(run, ending, state.cancel ? undefined : again);
    return endingError("unknown", "OutcomeUnknown", what, todo, summary);
  }
  if (ending.type === "exhausted") {
    const what = error
      ? t`12 groups in a row could not be filled: ${error.message}`
      : t`12 groups in a row could not be filled`;
    const todo = t`when the network is better, resume: ${again}`;
    return endingError("refused", "LineTooBad", t`${what}; ${counts}`, todo, summary);
  }
  if (ending.type === "cancelled") return tooLateError(summary);
  if (ending.type !== "done" || summary.notSent === 0) return undefined;
  if (state.groups.some((it) => isUnscheduled(state, it))) return unscheduledError(run, summary);
  return groupDeletedError(run, summary);
};

/** A deleted group is not filled again: someone does not want it to go out. */
export const groupDeletedError = ({ run, scheduledDate }: RunFile, summary: Summary): MsgError => {
  const counts = describeCounts(summary);
  const what =
    scheduledDate === undefined
      ? t`someone else deleted a group of this run; ${counts}`
      : t`someone else deleted a group of this run, or took one with its rows off the schedule; ${counts}`;
  const todo = t`list the rows that were not sent: msg run export ${run} --status not-sent`;
  return endingError("refused", "GroupGone", what, todo, summary);
};

/** While one of these stops a run, resuming it neither sends nor reconciles anything. */
const blockingCodes: ReadonlySet<string> = new Set(["GroupTouched", "PlanDamaged"]);

const blockedUnknownError = (
  run: RunFile,
  error: MsgError,
  again: string,
  summary: Summary,
): MsgError => {
  const next = error.todoWith({ again: resumeWith(again) });
  const todo = error.code === "PlanDamaged" ? t`${next ?? ""}; ${howToDecide(nameOf(run))}` : next;
  const what = t`${formatMessageCount(summary.unknown)} may or may not have been sent`;
  return stoppedUnknownError(error, { what, where: error.where, todo });
};

/** Nothing more was scheduled; an earlier request may have been, until its group is deleted. */
const lateUnknownError = ({ run }: RunFile, error: MsgError, summary: Summary): MsgError =>
  stoppedUnknownError(error, {
    what: t`${formatMessageCount(summary.unknown)} may or may not have been scheduled`,
    where: t`run ${run}`,
    todo: t`msg run reconcile ${run} checks what became of it; msg run cancel ${run} deletes what was not sent`,
  });

/** A stop leaves unknown what is unknown: msg claims neither that it was not sent nor that nothing was changed. */
export const stoppedUnknownError = (
  error: MsgError,
  { what, where, todo }: { what: string; where: string | undefined; todo: string | undefined },
): MsgError =>
  new MsgError(
    error.kind === "interrupted" ? "interrupted" : "unknown",
    `${what}: ${error.reason}`,
    { code: error.code, where, todo, outcome: "unknown", cause: error },
  );

/** What is left to do if the service cannot be asked for its outcome. */
const howToDecide = (named: string): string =>
  t`msg run reconcile ${named} lets you say what became of it`;

/** Someone does not want it to go out: msg does not undo that unasked. */
export const unscheduledError = ({ run }: RunFile, summary: Summary): MsgError => {
  const what = t`someone else took groups of this run off the schedule; ${describeCounts(summary)}`;
  const todo = t`before their scheduled time msg send-many --resume ${run} --again schedules them again; msg run cancel ${run} deletes them`;
  return endingError("stopped", "Unscheduled", what, todo, summary);
};

/** msg sends no group whose rows others have sent: it deletes it. */
const sentTwiceError = (state: State, summary: Summary): MsgError | undefined => {
  const group = state.groups.find((it) => countSentTwice(state, it) > 0);
  if (!group) return undefined;
  const messages = formatMessageCount(countSentTwice(state, group));
  const what = t`someone else sent group ${group.id ?? ""}, whose rows are in another: ${messages} twice`;
  const todo = t`msg group get ${group.id ?? ""} shows it; while it is scheduled, msg group unschedule takes it off`;
  return endingError("refused", "SentTwice", what, todo, summary);
};

/** Nothing was left to cancel, which must not pass for cancelled. */
export const tooLateError = (summary: Summary): MsgError | undefined => {
  if (summary.notSent > 0 || summary.accepted === 0) return undefined;
  if (summary.state === "scheduled") return scheduledElsewhereError(summary);
  const what = t`it was already sent, and cannot be cancelled; ${describeCounts(summary)}`;
  const [groupId] = summary.groups;
  const list = groupId === undefined ? "" : ` --group-id ${groupId} --all`;
  const todo = t`see what became of it: msg message list${list}`;
  return endingError("refused", "TooLate", what, todo, summary);
};

/** Its own groups are cancelled by now: what is left on the schedule belongs to another run. */
const scheduledElsewhereError = (summary: Summary): MsgError => {
  const what = t`another run scheduled these rows, and this one cannot cancel them; ${describeCounts(summary)}`;
  const groups = summary.groups.map((id) => `msg group unschedule ${id}`).join("; ");
  const todo = t`before their scheduled time, this takes them off their schedule: ${groups}`;
  return endingError("refused", "ScheduledElsewhere", what, todo, summary);
};

const partlyRefusedError = (
  run: RunFile,
  { summary, problems: details }: RunResult,
): MsgError | undefined => {
  if (summary.refused === 0) return undefined;
  const [groupId = "<id>", second] = summary.groups;
  const looks =
    second === undefined
      ? t`see every message with its code: msg message list --group-id ${groupId} --all`
      : t`see every refused row with its code: msg run export ${run.run} --status refused`;
  return new MsgError("partial", formatRefusedCount(summary.refused, summary.total), {
    where: second === undefined ? t`group ${groupId}` : t`run ${run.run}`,
    todo: t`${looks}; fix the cause, then ${retry(run)}`,
    outcome: summary.accepted > 0 ? "partial" : "refused",
    details,
  });
};

const endingError = (
  kind: "interrupted" | "unknown" | "refused" | "stopped",
  code: string,
  what: string,
  todo: string,
  summary: Summary,
): MsgError =>
  new MsgError(kind, what, {
    code,
    where: t`run ${summary.run}`,
    todo,
    outcome: outcomeOf(summary),
    retryable: false,
  });

export const outcomeOf = ({ accepted, refused, notSent, unknown }: Summary): Outcome => {
  if (unknown > 0) return "unknown";
  if (accepted > 0 && refused + notSent === 0) return "done";
  return accepted > 0 ? "partial" : "not_sent";
};

/** "12 accepted, 3 not sent": the counts that are not 0. */
export const describeCounts = (summary: Summary): string => {
  const text = outcomeCounts(summary) ?? "–";
  return summary.accepted + summary.unknown === 0 ? t`nothing was sent (${text})` : text;
};

/** The same; undefined if all of them are 0. */
export const outcomeCounts = ({
  accepted,
  refused,
  notSent = 0,
  unknown,
}: Pick<Summary, "accepted" | "refused" | "unknown"> & Partial<Summary>): string | undefined => {
  const parts = [
    accepted > 0 && t`${formatFigure(accepted)} accepted`,
    refused > 0 && t`${formatFigure(refused)} refused`,
    notSent > 0 && t`${formatFigure(notSent)} not sent`,
    unknown > 0 && t`${formatFigure(unknown)} unknown`,
  ];
  return parts.filter(Boolean).join(", ") || undefined;
};

const resumeWith = (again: string): string => t`resume: ${again}`;

/** `resume` is undefined while the run is being cancelled. */
const unknownTodo = (
  run: RunFile,
  ending: EngineResult["ending"],
  resume: string | undefined,
): string => {
  if (run.path === "G") {
    const again =
      resume === undefined
        ? t`nothing more of it is sent; msg run cancel ${nameOf(run)} checks again`
        : t`${resume} is safe: a group is sent at most once`;
    return t`${again}; ${howToDecide(nameOf(run))}`;
  }
  const signature = ending.type === "unknown" ? ending.signature : undefined;
  const reconcile = `msg run reconcile ${nameOf(run)}`;
  return run.tagged && signature
    ? howToVerify(unknownSend(t`do not run it again; look for it: ${reconcile}`, true, signature))
    : t`do not run it again before you have checked: msg message list; then ${reconcile}`;
};

const retry = ({ run }: RunFile): string =>
  t`resend the refused rows: msg send-many --retry-refused ${run}`;

/** Refused rows are no longer part of the run: only a new one sends them. */
const howToContinue = (run: RunFile, again: string, { notSent, refused }: Summary): string =>
  notSent === 0 && refused > 0 ? retry(run) : resumeWith(again);

/** The refusal itself, with what it means for the run. */
const stoppedError = (
  error: MsgError | undefined,
  run: RunFile,
  resume: string,
  summary: Summary,
): MsgError => {
  const stop =
    error ?? new MsgError("refused", t`no answer of the service says what became of a request`);
  const isBegun = summary.accepted > 0;
  // No row is unknown: whatever the outcome of that request, the run can be resumed.
  const isUnanswered = stop.kind === "unknown";
  const reason = isUnanswered ? t`a request got no clear answer` : stop.reason.replace(/\.$/, "");
  const again = howToContinue(run, resume, summary);
  const words = { again, nothing: isBegun ? t`no more was sent` : undefined };
  const what = t`${reason}; ${describeCounts(summary)}`;
  return stop.reworded(isUnanswered ? "refused" : stop.kind, what, {
    where: stop.where ?? t`run ${summary.run}`,
    todo: lateTodo(run, stop) ?? (isUnanswered ? again : stop.todoWith(words)),
    outcome: outcomeOf(summary),
    details: stop.details,
    retryable: !isBegun && stop.retryable,
    cause: error,
  });
};

/** No run is resumed after its hour. */
const lateTodo = ({ run }: RunFile, { code, todo }: MsgError): string | undefined => {
  if (code === "SchedulePast") return todo;
  if (code !== hourPassedCode) return undefined;
  return t`list the rows that were not sent: msg run export ${run} --status not-sent`;
};
