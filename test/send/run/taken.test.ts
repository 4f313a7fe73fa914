/** What others have sent of a run is taken in at once, in however many groups they sent it. */
import { expect, test } from "vitest";
import { apply } from "../../../src/send/protocol/apply.ts";
import { afterListing } from "../../../src/send/protocol/claims.ts";
import { initialState } from "../../../src/send/protocol/state.ts";

const count = 800;

test("eight hundred groups of another run", () => {
  const state = initialState({
    path: "G",
    rows: Array.from({ length: count }, () => 1),
    width: 1,
    concurrency: 2,
    signed: true,
    tagged: true,
    scheduled: false,
    goal: "finish",
    claim: { run: "own" },
  });
  const groups = state.chunks.map((_, at) => ({
    ...{ id: `G4V${at}`, run: "other", rows: [{ from: at, to: at + 1 }], status: "sent" as const },
    ...{ counts: { accepted: 1, refused: 0 }, cost: 8, isActive: false },
  }));
  const after = afterListing(state, { type: "list", groups }).reduce(apply, state);
  expect(after.taken).toHaveLength(count);
  expect(new Set(after.chunks.map(({ status }) => status))).toEqual(new Set(["taken"]));
}, 20_000);
