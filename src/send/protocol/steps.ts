/** How steps are built, the same for both paths. */
import type { Action, Ending, Step } from "./actions.ts";
import type { Entry, ProcessFact } from "./entries.ts";
import type { State } from "./state.ts";

export const act = (action: Action, before: readonly (Entry | ProcessFact)[] = []): Step => ({
  type: "act",
  before,
  action,
  alone: true,
});

/** An action that may be under way beside others of its kind. */
export const actConcurrently = (
  action: Action,
  before: readonly (Entry | ProcessFact)[],
): Step => ({
  type: "act",
  before,
  action,
  alone: false,
});

export const end = (ending: Ending): Step => ({ type: "end", ending });
export const wait: Step = { type: "wait" };

export const countInFlight = (state: State): number =>
  state.chunks.reduce((count, chunk) => count + (chunk.status === "inFlight" ? 1 : 0), 0);

/** What is left over waits for requests that are under way; then it ends. */
export const endWhenCompleted = (state: State, ending: Ending): Step =>
  countInFlight(state) > 0 ? wait : end(ending);
