/** The end of a run: the error, its exit code, and how to continue. */

import { MsgError, type Problem } from "../../errors.ts";
import { formatMessageCount, formatRefusedCount } from "../../message/counted.ts";
import { isUnscheduled } from "../protocol/groups.ts";
import { howToLook, unknownSend } from "../reconcile/unknown-outcome.ts";
import type { EngineResult } from "../run/engine.ts";
import { hourPassed } from "../run/hours.ts";
import type { RunFile } from "../store/run-file.ts";
import type { Summary } from "../store/summary.ts";

/** Undefined where every row was accepted. The exit code never contradicts the books. */
export const endingOf = (
  run: RunFile,
  worked: Pick<EngineResult, "ending" | "error" | "state">,
  summary: Summary,
  refused: readonly Problem[],
): MsgError | undefined => {
  const { ending, error, state } = worked;
  if (ending.type === "canary") return error;
  // A run that is being cancelled sends nothing more, however it continues.
  const again = state.cancel ? `msg run cancel ${run.run}` : `msg send-many --resume ${run.run}`;
  // Of a deletion that is unknown, too: what was to be deleted was not sent, and is not gone.
  const isLeft = ending.type === "stopped" || ending.type === "unknown";
  if (isLeft && summary.unknown === 0) return stoppedError(error, run, again, summary);
  return cutShortError(run, worked, again, summary) ?? partlyRefusedError(run, summary, refused);
};

const cutShortError = (
  run: RunFile,
  { ending, error, state }: Pick<EngineResult, "ending" | "error" | "state">,
  again: string,
  summary: Summary,
): MsgError | undefined => {
  const counts = describeCounts(summary);
  if (ending.type === "interrupted") {
    const isOver = summary.notSent + summary.unknown === 0;
    const todo = isOver ? "the run is over: nothing is left to do" : `go on with ${again}`;
    return endingError("interrupted", "Interrupted", `stopped; ${counts}`, todo, summary);
  }
  if (summary.unknown > 0 && error?.code === hourPassed)
    return lateUnknownError(run, error, summary);
  if (summary.unknown > 0 && error && hindering.has(error.code) && ending.type === "stopped")
    return hinderedUnknownError(run, error, again, summary);
  if (summary.unknown > 0) {
    const isAll = summary.accepted + summary.refused + summary.notSent === 0;
    const what = `${formatMessageCount(summary.unknown)} may or may not have been sent${isAll ? "" : `; ${counts}`}`;
    const todo = unknownTodo(run, ending, state.cancel ? undefined : again);
    return endingError("unknown", "OutcomeUnknown", what, todo, summary);
  }
  if (ending.type === "exhausted") {
    const why = error ? `: ${error.message}` : "";
    const what = `12 groups in a row could not be filled${why}; ${counts}`;
    return endingError(
      "refused",
      "LineTooBad",
      what,
      `go on with ${again} when it is better`,
      summary,
    );
  }
  if (ending.type === "cancelled") return tooLateError(summary);
  if (ending.type !== "done" || summary.notSent === 0) return undefined;
  if (state.groups.some((it) => isUnscheduled(state, it))) return unscheduledError(run, summary);
  const what = `someone else deleted a group of this run; ${counts}`;
  const todo = `msg run export ${run.run} --status not-sent gives the rows that were not sent`;
  return endingError("refused", "GroupGone", what, todo, summary);
};

/** While one of these stops a run, to resume it neither sends nor reconciles anything. */
const hindering: ReadonlySet<string> = new Set(["GroupTouched", "PlanDamaged"]);

const hinderedUnknownError = (
  { run }: RunFile,
  error: MsgError,
  again: string,
  summary: Summary,
): MsgError => {
  const goOn = error.todoWith({ again: `go on with ${again}` });
  const todo = error.code === "PlanDamaged" ? `${goOn}; ${onYourWord(run)}` : goOn;
  const what = `${formatMessageCount(summary.unknown)} may or may not have been sent`;
  return stoppedUnknownError(error, { what, where: error.where, todo });
};

/** Nothing more was scheduled; an earlier request may have been, and deleting its group decides it. */
const lateUnknownError = ({ run }: RunFile, error: MsgError, summary: Summary): MsgError =>
  stoppedUnknownError(error, {
    what: `${formatMessageCount(summary.unknown)} may or may not have been scheduled`,
    where: `run ${run}`,
    todo: `msg run reconcile ${run} looks what became of it; msg run cancel ${run} deletes what was not sent`,
  });

/** What stops something unknown leaves it so: msg does not say that it was not sent. */
export const stoppedUnknownError = (
  error: MsgError,
  { what, where, todo }: { what: string; where: string | undefined; todo: string | undefined },
): MsgError =>
  new MsgError(
    error.kind === "interrupted" ? "interrupted" : "unknown",
    `${what}: ${error.message}`,
    { code: error.code, where, todo, outcome: "unknown", cause: error },
  );

/** What is left where the service cannot be asked what became of it. */
export const onYourWord = (named: string): string =>
  `msg run reconcile ${named} takes your word for what became of it`;

/** Someone wants it not to go out: msg does not undo that unasked. */
export const unscheduledError = ({ run }: RunFile, summary: Summary): MsgError => {
  const what = `someone else took groups of this run off their schedule; ${describeCounts(summary)}`;
  const todo = `msg send-many --resume ${run} --again puts them on it again, msg run cancel ${run} deletes them`;
  return endingError("stopped", "Unscheduled", what, todo, summary);
};

/** Nothing was left to cancel: the operator must not take it for cancelled. */
export const tooLateError = (summary: Summary): MsgError | undefined => {
  if (summary.notSent > 0 || summary.accepted === 0) return undefined;
  const what = `it was sent before, and cannot be cancelled; ${describeCounts(summary)}`;
  const [groupId] = summary.groups;
  const todo = `msg message list${groupId === undefined ? "" : ` --group-id ${groupId} --all`} shows what became of it`;
  return endingError("refused", "TooLate", what, todo, summary);
};

const partlyRefusedError = (
  run: RunFile,
  summary: Summary,
  refused: readonly Problem[],
): MsgError | undefined => {
  if (summary.refused === 0) return undefined;
  const [groupId = "<id>", second] = summary.groups;
  const looks =
    second === undefined
      ? `msg message list --group-id ${groupId} --all shows every message with its code`
      : `msg run export ${run.run} --status refused shows every one with its code`;
  return new MsgError("partial", formatRefusedCount(summary.refused, summary.total), {
    code: "PartlyRefused",
    where: second === undefined ? `group ${groupId}` : `run ${run.run}`,
    todo: `${looks}; when that is mended, ${retry(run)}`,
    outcome: "partial",
    details: refused,
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
    where: `run ${summary.run}`,
    todo,
    outcome: outcomeOf(summary),
    retryable: false,
  });

const outcomeOf = ({ accepted, refused, notSent, unknown }: Summary) => {
  if (unknown > 0) return "unknown";
  if (accepted > 0 && refused + notSent === 0) return "done";
  return accepted > 0 ? "partial" : "not_sent";
};

/** "12 accepted, 3 not sent": the parts that are not nothing. */
const describeCounts = ({ accepted, refused, notSent, unknown }: Summary): string => {
  const parts = Object.entries({ accepted, refused, "not sent": notSent, unknown });
  const text = parts.flatMap(([word, count]) => (count > 0 ? [`${count} ${word}`] : [])).join(", ");
  return accepted + unknown === 0 ? `nothing was sent (${text})` : `of the messages: ${text}`;
};

/** Without a way to go on with it: it is being cancelled. */
const unknownTodo = (
  run: RunFile,
  ending: EngineResult["ending"],
  resume: string | undefined,
): string => {
  if (run.path === "G")
    return resume === undefined
      ? `nothing more of it is sent; msg run cancel ${run.run} asks again`
      : `${resume} is safe: a group is sent at most once`;
  const signature = ending.type === "unknown" ? ending.signature : undefined;
  const reconcile = `msg run reconcile ${run.run}`;
  return run.tagged && signature
    ? howToLook(unknownSend(`do not run it again: ${reconcile} looks for it`, true, signature))
    : `do not run it again before you have looked: msg message list; then ${reconcile}`;
};

const retry = ({ run }: RunFile): string =>
  `msg send-many --retry-refused ${run} sends the refused rows anew`;

/** Rows that were refused are no part of the run any more: only a new one sends them. */
const goOn = (run: RunFile, again: string, { notSent, refused }: Summary): string =>
  notSent === 0 && refused > 0 ? retry(run) : `go on with ${again}`;

/** The refusal itself, with what it means for the run. */
const stoppedError = (
  error: MsgError | undefined,
  run: RunFile,
  resume: string,
  summary: Summary,
): MsgError => {
  const kind = error?.kind ?? "refused";
  const isBegun = summary.accepted > 0;
  // No row is unknown: whatever became of that request, the run can go on.
  const isUnanswered = kind === "unknown";
  const reason = isUnanswered ? "a request got no clear answer" : error?.reason;
  const again = goOn(run, resume, summary);
  const words = { again, nothing: isBegun ? "no more was sent" : undefined };
  return new MsgError(
    isUnanswered ? "refused" : kind,
    `${reason?.replace(/\.$/, "") ?? "the run stopped"}; ${describeCounts(summary)}`,
    {
      code: error?.code,
      where: error?.where ?? `run ${summary.run}`,
      todo: lateTodo(run, error) ?? (isUnanswered ? again : (error?.todoWith(words) ?? again)),
      outcome: outcomeOf(summary),
      http: error?.http,
      api: error?.api,
      details: error?.details,
      retryable: !isBegun && error?.retryable,
      cause: error,
    },
  );
};

/** No run goes on after its hour. */
const lateTodo = ({ run }: RunFile, error: MsgError | undefined): string | undefined => {
  if (error?.code === "SchedulePast") return error.todo;
  if (error?.code !== hourPassed) return undefined;
  return `msg run export ${run} --status not-sent gives the rows that were not sent`;
};
