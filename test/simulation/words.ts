/** What an operator types: first, and behind what a process said. */
import { errorOf } from "./judge.ts";
import type { Ended } from "./machine.ts";
import type { LoopState, Stage } from "./operator.ts";
import { isOver, wordOfPerson } from "./person.ts";
import { wordsOfPlan } from "./plan.ts";
import { hourOf, type Scenario } from "./scenario.ts";
import { cutLike } from "./ways.ts";

const looking: readonly string[] = ["run", "reconcile", "last", "--json"];
export const goingOn: readonly string[] = ["send-many", "--resume", "last", "--json"];

export const firstWords = (stage: Stage, at: number): readonly string[] =>
  stage.scenario.planned.includes(stage.scenario.machines[at] ?? "")
    ? wordsOfPlan
    : listWords(stage, at);

export const listWords = (
  { scenario, numbers, world, retried }: Stage,
  at: number,
): readonly string[] => {
  const { way, plot, machines } = scenario;
  if (way.isRetry) return [...way.command, retried.run, ...(plot?.flags ?? [])];
  const to = way.isRun ? [] : numbers.flatMap((it) => ["--to", it]);
  const hour = new Date(world.beganMs + hourOf(scenario, at)).toISOString();
  const flags = plot?.flags ?? [];
  const part = way.hasParts ? ["--part", `${at + 1}/${machines.length}`] : [];
  const cut = scenario.cutOf(machines[at] ?? "");
  const command = cut ? cutLike(way.command, cut) : way.command;
  return [...command, ...to, ...flags, ...part, ...(way.isLater ? ["--at", hour] : [])];
};

export const cannotRebuild = "CannotRebuild";
const damages: ReadonlySet<string> = new Set(["RunNotReadable", "JournalDamaged"]);

/** Reconciling sends nothing; resending a group is not all that there is to send. */
export const isSending = ([first]: readonly string[]): boolean =>
  first !== "run" && first !== "group";

const doneByOthers: ReadonlySet<string> = new Set([
  ...["GroupTouched", "GroupGone", "Unscheduled"],
]);

/** A copy of an add with a token fills a group once more: that, too, is for a person, who cancels the run. */
const isCopied = ({ tokenMs }: Scenario, code: string): boolean =>
  tokenMs !== undefined && code === "GroupTouched";

const tooLate: ReadonlySet<string> = new Set(["HourPassed", "SchedulePast"]);

/** Undefined where the loop is over. */
export const nextWords = (
  stage: Stage,
  state: LoopState,
  ended: Ended,
  isSame: boolean,
): readonly string[] | undefined => {
  const { words, at, backup } = state;
  const { way, plot } = stage.scenario;
  // Behind a day it would be another sending.
  const first = plot?.restores && backup ? goingOn : firstWords(stage, at);
  if (way.isAgain) return nextOfAgain(stage, ended, first);
  if (way.isRetry) return nextOfRetry(ended, first, state);
  if (ended.code === 0 && way.acts && way.isLater) {
    // Who waits for an hour looks now and then whether it still does.
    state.visits += 1;
    return state.visits > 3 ? undefined : looking;
  }
  if (ended.code === 0 && stage.scenario.shortHour) {
    const retry = retryIn(ended.err);
    state.visits += 1;
    return retry ?? (state.visits > 3 ? undefined : looking);
  }
  if (ended.code === 0) return isSending(words) ? undefined : first;
  const { code, hint } = errorOf(ended);
  const [, named] = /msg (run reconcile \w[\w-]*)/.exec(hint) ?? [];
  if (code === cannotRebuild) return first;
  if (code === "PlanSent") return goingOn;
  // Where journal and run.json were damaged nothing vouches for its content any more: that is for a person, too.
  if (code === "OtherContent" && way.diskFates.includes("damaged")) return undefined;
  if (!way.isRun && named !== undefined && damages.has(code))
    return [...named.split(" "), "--json"];
  if (first === goingOn && code === "NoRun") return undefined;
  if (!way.isRun) {
    const mayRepeat = way.runAgain?.includes(ended.code ?? 11) ?? true;
    return mayRepeat ? first : undefined;
  }
  const other = resumedAt(ended) ?? (isSame ? undefined : retryOf(ended, state));
  if (other) return other;
  if (code === "Retried") return undefined;
  if (code === "SentBefore")
    return named === undefined ? undefined : [...named.split(" "), "--json"];
  if (tooLate.has(code)) return undefined;
  // Another machine with the same run has deleted it, to send its rows itself.
  if (stage.scenario.planned.length > 0 && code === "GroupGone") return undefined;
  // What a person did to a group is for a person to judge.
  if ((way.acts && doneByOthers.has(code)) || isCopied(stage.scenario, code)) return undefined;
  const word = isOver(stage) ? wordOfPerson(stage, state.name, ended) : undefined;
  if (word) return word;
  // Chance has its end: then who is told what to do does it.
  if (named !== undefined && (isSame || isOver(stage))) return [...named.split(" "), "--json"];
  const [, unsettled] = /msg send-many --resume (\d[\w-]*)/.exec(hint) ?? [];
  if (unsettled !== undefined && isOver(stage))
    return ["send-many", "--resume", unsettled, "--json"];
  if (code === "NoRun" || ended.code === null || isSame) return first;
  return goingOn;
};

/** Another run has the rows: it is resumed, as the hint says. */
const resumedAt = (ended: Ended): readonly string[] | undefined => {
  const { code, hint } = errorOf(ended);
  const [, run] = /--resume (\d{8}-\d{9}-[0-9a-f]{6})/.exec(hint) ?? [];
  return code === "SentBefore" && run ? ["send-many", "--resume", run, "--json"] : undefined;
};

/** A group failed as a whole: its rows are retried, as the hint says, or it is resent. */
const retryOf = (ended: Ended, { launches }: LoopState): readonly string[] | undefined => {
  const { hint } = errorOf(ended);
  const retry = retryIn(hint);
  const [, group] = /msg group get (\w+) shows why/.exec(hint) ?? [];
  if (group !== undefined && launches % 2 === 0) return ["group", "resend", group, "-y", "--json"];
  return retry;
};

const retryIn = (text: string): readonly string[] | undefined => {
  const [, run] = /--retry-refused (\d[\w-]*)/.exec(text) ?? [];
  return run === undefined ? undefined : ["send-many", "--retry-refused", run, "--json"];
};

/** It is found by the run whose rows it sends. Another run that has them is gone on with. */
const nextOfRetry = (
  ended: Ended,
  first: readonly string[],
  state: LoopState,
): readonly string[] | undefined => {
  const { code, hint } = errorOf(ended);
  if (ended.code === 0 || code === "Retried") return undefined;
  const other = resumedAt(ended) ?? retryOf(ended, state);
  if (other || code === "SentBefore") return other;
  const [, named] = /msg (run reconcile \w[\w-]*)/.exec(hint) ?? [];
  return named !== undefined && damages.has(code) ? [...named.split(" "), "--json"] : first;
};

/** By its rows the run is found without its folder, too. Where there is none nothing was sent: it is begun once more. */
const nextOfAgain = (
  { sent, scenario }: Stage,
  ended: Ended,
  first: readonly string[],
): readonly string[] | undefined => {
  if (ended.code === 0) return undefined;
  const { code, hint } = errorOf(ended);
  if (code === "NoRun" && sent().every((it) => it === 0)) return first;
  if (isCopied(scenario, code)) return undefined;
  const other = resumedAt(ended);
  if (other) return other;
  const [, named] = /msg (run reconcile \w[\w-]*)/.exec(hint) ?? [];
  if (named !== undefined && damages.has(code)) return [...named.split(" "), "--json"];
  return [...first.filter((it) => it !== "--again"), "--resume", "last"];
};
