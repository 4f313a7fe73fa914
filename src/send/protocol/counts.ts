/** What a run knows of the counts of its groups. */
import type { Counts } from "./entries.ts";
import type { Group, State } from "./state.ts";

/** The rows of the group that are known to be in it, but for one chunk. */
export const countsOf = (state: State, { chunks }: Group, without?: number): Counts => {
  const sum = { accepted: 0, refused: 0 };
  for (const at of chunks) {
    const chunk = state.chunks[at];
    if (at === without || chunk?.status !== "done") continue;
    sum.accepted += chunk.accepted;
    sum.refused += chunk.refused;
  }
  return sum;
};
