/**
 * The sending protocol as a pure state machine: `decide` says what the run needs now, `conclude`
 * what follows from the outcome, `apply` how a fact changes the state. Resuming is the same code:
 * the journal's entries are applied to a fresh state.
 */

import { type Action, type Clock, isConcurrent, type Outcome, type Step } from "./actions.ts";
import { afterListing, afterRival } from "./claims.ts";
import { concludeGroup } from "./conclude-groups.ts";
import { type Facts, stop } from "./entries.ts";
import { decideGroups } from "./groups.ts";
import { concludePost, decidePosts } from "./posts.ts";
import type { State } from "./state.ts";

export const decide = (state: State, clock: Clock): Step =>
  state.shape.path === "G" ? decideGroups(state, clock) : decidePosts(state, clock);

export const conclude = (state: State, action: Action, outcome: Outcome): Facts => {
  if (outcome.type === "noBody") return withoutBody(action);
  switch (action.type) {
    case "probe":
      // If the service asks to slow down, or the connection is bad, no one knows yet: probe again.
      return outcome.type === "limited" || outcome.type === "unreadable"
        ? []
        : [{ t: "replayWindow", holds: outcome.type === "yes" }];
    case "clear":
      return [outcome.type === "yes" ? { t: "cleared" } : stop("guard")];
    case "post":
    case "findEvidence":
      return concludePost(state, action, outcome);
    case "listRivals":
      return afterListing(state, outcome);
    case "waitForRival":
      return [outcome.type === "yes" ? { t: "rivals", rivals: undefined } : stop("guard")];
    case "readRival":
    case "deleteRival":
      return afterRival(state, action.id, outcome);
    default:
      return concludeGroup(state, action, outcome);
  }
};

/** Nothing can be sent or looked for; what got no answer before stays in doubt. */
const withoutBody = (action: Action): Facts => {
  const unsent: Facts = isConcurrent(action)
    ? [{ t: "RESOLVED", chunk: action.chunk, how: "absent" }]
    : [];
  return [...unsent, stop("unable")];
};
