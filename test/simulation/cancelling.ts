/** An operator who cancels what a process left of a run: what was cancelled does not go out any more. */
import * as v from "valibot";
import { diceFor } from "./dice.ts";
import { errorOf } from "./judge.ts";
import type { Ended } from "./machine.ts";
import type { LoopState, Stage } from "./operator.ts";
import { isOver, wordOfPerson } from "./person.ts";

const cancel: readonly string[] = ["run", "cancel", "last", "-y", "--json"];

const is = ({ words }: LoopState, verb: string): boolean => words[0] === "run" && words[1] === verb;

/** Undefined where this operator goes on with the run, or there is none. */
export const wordsToCancel = (
  stage: Stage,
  state: LoopState,
  ended: Ended,
): readonly string[] | undefined => {
  const { scenario } = stage;
  const { code, hint } = errorOf(ended);
  if (!scenario.cancels || ended.code === 0 || code === "NoRun") return undefined;
  const isBegun = is(state, "cancel") || is(state, "reconcile");
  const isMeant = diceFor(scenario.seed, "cancel", state.launches).chance(0.5);
  if (!isBegun && !isMeant) return undefined;
  const word = isOver(stage) ? wordOfPerson(stage, state.name, ended) : undefined;
  if (word) return word;
  const [, named] = /msg (run reconcile \w[\w-]*)/.exec(hint) ?? [];
  return is(state, "cancel") && named !== undefined ? [...named.split(" "), "--json"] : cancel;
};

/** It is over, too, where all was sent before. */
export const isCancelled = ({ scenario }: Stage, state: LoopState, ended: Ended): boolean =>
  scenario.cancels &&
  is(state, "cancel") &&
  (ended.code === 0 || errorOf(ended).code === "TooLate");

const counted = v.object({ accepted: v.number(), unknown: v.number(), total: v.number() });
const dayMs = 24 * 60 * 60_000;

/** No copy that comes later sends what was cancelled. Another run of the same operator may have sent it before. */
export const watchCancelled = async (stage: Stage, { out }: Ended): Promise<void> => {
  const { accepted, unknown } = v.parse(counted, JSON.parse(out));
  const reached = (): number => stage.sent().filter((it) => it > 0).length;
  const before = reached();
  await stage.world.schedule.sleep(2 * dayMs);
  const isTrue = unknown === 0 && accepted <= before && reached() === before;
  if (!isTrue) stage.complain(`cancelled, ${accepted} accepted of ${before}, then ${reached()}`);
};
