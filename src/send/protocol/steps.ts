/** How steps are built, the same for both paths. */
import type { Action, Ending, Entry, Note, Step } from "./entries.ts";
import type { State } from "./state.ts";

export const act = (action: Action, before: readonly (Entry | Note)[] = []): Step => ({
  do: "act",
  before,
  action,
  alone: true,
});

/** An action that may be under way beside others of its kind. */
export const among = (action: Action, before: readonly (Entry | Note)[]): Step => ({
  do: "act",
  before,
  action,
  alone: false,
});

export const end = (ending: Ending): Step => ({ do: "end", ending });
export const wait: Step = { do: "wait" };

export const flyingIn = (state: State): number =>
  state.chunks.reduce((count, chunk) => count + (chunk.at === "flying" ? 1 : 0), 0);

/** What is left over waits for requests that are under way; then it ends. */
export const endWhenLanded = (state: State, ending: Ending): Step =>
  flyingIn(state) > 0 ? wait : end(ending);
