/** The end of a run: the error, its exit code, and how to continue. */

import { MsgError, type Problem } from "../../errors.ts";
import { formatMessageCount, formatRefusedCount } from "../../message/counted.ts";
import { isUnscheduled } from "../protocol/groups.ts";
import { decidableFrom } from "../run/clocks.ts";
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
  // A run that is being cancelled sends nothing any more, however it is gone on with.
  const again = state.cancel ? `msg run cancel ${run.run}` : `msg send-many --resume ${run.run}`;
  // Of a deletion that is in doubt too: what was to be deleted was not sent, and is not gone.
  const isLeft = ending.type === "stopped" || ending.type === "unknown";
  if (isLeft && summary.unknown === 0) return stopped(error, run, again, summary);
  return cutShort(run, worked, again, summary) ?? partly(run, summary, refused);
};

const cutShort = (
  run: RunFile,
  { ending, error, state }: Pick<EngineResult, "ending" | "error" | "state">,
  again: string,
  summary: Summary,
): MsgError | undefined => {
  const rows = books(summary);
  if (ending.type === "interrupted") {
    const isOver = summary.notSent + summary.unknown === 0;
    const todo = isOver ? "the run is over: nothing is left to do" : `go on with ${again}`;
    return told("interrupted", "Interrupted", `stopped; ${rows}`, todo, summary);
  }
  if (summary.unknown > 0 && error?.code === hourPassed) return lateInDoubt(run, error, summary);
  if (summary.unknown > 0 && error && hindering.has(error.code) && ending.type === "stopped")
    return hinderedInDoubt(run, error, again, summary);
  if (summary.unknown > 0) {
    const isAll = summary.accepted + summary.refused + summary.notSent === 0;
    const what = `${formatMessageCount(summary.unknown)} may or may not have been sent${isAll ? "" : `; ${rows}`}`;
    const todo = unknownTodo(run, ending, state.cancel ? undefined : again);
    return told("unknown", "OutcomeUnknown", what, todo, summary);
  }
  if (ending.type === "exhausted") {
    const why = error ? `: ${error.message}` : "";
    const what = `12 groups in a row could not be filled${why}; ${rows}`;
    return told("refused", "LineTooBad", what, `go on with ${again} when it is better`, summary);
  }
  if (ending.type === "cancelled") return tooLateError(summary);
  if (ending.type !== "done" || summary.notSent === 0) return undefined;
  if (state.groups.some((it) => isUnscheduled(state, it))) return unscheduledError(run, summary);
  const what = `somebody else deleted a group of this run; ${rows}`;
  const todo = `msg run export ${run.run} --status not-sent gives the rows that were not sent`;
  return told("refused", "GroupGone", what, todo, summary);
};

/** As long as these stand in its way, going on with a run neither sends nor settles anything. */
const hindering: ReadonlySet<string> = new Set(["GroupTouched", "PlanDamaged"]);

const hinderedInDoubt = (
  { run }: RunFile,
  error: MsgError,
  again: string,
  summary: Summary,
): MsgError => {
  const goOn = todoOfRun(error.todo, `go on with ${again}`);
  const todo = error.code === "PlanDamaged" ? `${goOn}; ${onYourWord(run)}` : goOn;
  const what = `${formatMessageCount(summary.unknown)} may or may not have been sent`;
  return stoppedUnknownError(error, { what, where: error.where, todo });
};

/** Nothing more was scheduled; an earlier request may have been, and deleting its group settles it. */
const lateInDoubt = ({ run }: RunFile, error: MsgError, summary: Summary): MsgError =>
  stoppedUnknownError(error, {
    what: `${formatMessageCount(summary.unknown)} may or may not have been scheduled`,
    where: `run ${run}`,
    todo: `msg run reconcile ${run} looks what became of it; msg run cancel ${run} deletes what was not sent`,
  });

/** What stops something that is in doubt leaves it so: nobody may be told that it was not sent. */
export const stoppedUnknownError = (
  error: MsgError,
  { what, where, todo }: { what: string; where: string | undefined; todo: string },
): MsgError =>
  new MsgError(
    error.kind === "interrupted" ? "interrupted" : "unknown",
    `${what}: ${error.message}`,
    { code: error.code, where, todo, outcome: "unknown", cause: error },
  );

/** What is left where nobody can look what became of it. */
export const onYourWord = (named: string): string =>
  `msg run reconcile ${named} takes your word for what became of it`;

/** Somebody wants it not to go out: that is not undone unasked. */
export const unscheduledError = ({ run }: RunFile, summary: Summary): MsgError => {
  const what = `somebody else took groups of this run off their schedule; ${books(summary)}`;
  const todo = `msg send-many --resume ${run} --again puts them on it again, msg run cancel ${run} deletes them`;
  return told("stopped", "Unscheduled", what, todo, summary);
};

/** Nothing was left to cancel: whoever asked for it must not take it for cancelled. */
export const tooLateError = (summary: Summary): MsgError | undefined => {
  if (summary.notSent > 0 || summary.accepted === 0) return undefined;
  const what = `it was sent before, and cannot be cancelled; ${books(summary)}`;
  const [groupId] = summary.groups;
  const todo = `msg message list${groupId === undefined ? "" : ` --group-id ${groupId} --all`} shows what became of it`;
  return told("refused", "TooLate", what, todo, summary);
};

const partly = (
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

const told = (
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
const books = ({ accepted, refused, notSent, unknown }: Summary): string => {
  const parts = [
    { count: accepted, word: "accepted" },
    { count: refused, word: "refused" },
    { count: notSent, word: "not sent" },
    { count: unknown, word: "unknown" },
  ].filter((it) => it.count > 0);
  const text = parts.map((it) => `${it.count} ${it.word}`).join(", ");
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
  if (!run.tagged || !signature)
    return `do not run it again before you have looked: msg message list; then msg run reconcile ${run.run}`;
  if (signature.key === undefined)
    return `do not run it again: msg run reconcile ${run.run} looks for it; with an access token nothing else proves that it was not sent`;
  return `do not run it again: msg run reconcile ${run.run} settles it, after ${decidableFrom(signature.date)} for certain`;
};

const retry = ({ run }: RunFile): string =>
  `msg send-many --retry-failed ${run} sends the refused rows anew`;

/** Rows that were refused are no part of the run any more: only a new one sends them. */
const goOn = (run: RunFile, again: string, { notSent, refused }: Summary): string =>
  notSent === 0 && refused > 0 ? retry(run) : `go on with ${again}`;

/** The refusal itself, with what it means for the run. */
const stopped = (
  error: MsgError | undefined,
  run: RunFile,
  again: string,
  summary: Summary,
): MsgError => {
  const kind = error?.kind ?? "refused";
  const isBegun = summary.accepted > 0;
  const words = (text: string): string =>
    isBegun ? text.replace(nothing, "no more was sent") : text;
  // No row is in doubt: whatever became of that request, nobody has to look before going on.
  const isUnheard = kind === "unknown";
  const message = isUnheard ? "a request got no clear answer" : error?.message;
  const why = words(message?.replace(/\.$/, "") ?? "the run stopped");
  const what = `${why}; ${books(summary)}`;
  const todo = isUnheard ? undefined : error?.todo;
  return new MsgError(isUnheard ? "refused" : kind, what, {
    code: error?.code,
    where: error?.where ?? `run ${summary.run}`,
    todo: words(lateTodo(run, error) ?? todoOfRun(todo, goOn(run, again, summary))),
    outcome: outcomeOf(summary),
    http: error?.http,
    api: error?.api,
    details: error?.details,
    retryable: !isBegun && error?.retryable,
    cause: error,
  });
};

/** No run is gone on with behind its hour. */
const lateTodo = ({ run }: RunFile, error: MsgError | undefined): string | undefined => {
  if (error?.code === "SchedulePast") return error.todo;
  if (error?.code !== hourPassed) return undefined;
  return `msg run export ${run} --status not-sent gives the rows that were not sent`;
};

/** True of the one request that ended a run, and not of those before it. */
const nothing = /nothing was (?:sent|done|changed)(?: by this command)?/;

const runAgain = /(?<!not )run (it|the command) again/;

/** Of a single request it is said that it may be run again: a run is gone on with in place of that. */
const todoOfRun = (todo: string | undefined, goOn: string): string => {
  if (todo === undefined) return goOn;
  return runAgain.test(todo) ? todo.replace(runAgain, goOn) : `${todo}; ${goOn}`;
};
