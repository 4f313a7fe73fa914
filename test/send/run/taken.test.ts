/** What others have sent of a run is taken in at once, in however many groups they sent it. */
import { expect, test } from "vitest";
import { apply } from "../../../src/send/protocol/apply.ts";
import { afterListing } from "../../../src/send/protocol/claims.ts";
import { concludeGroup } from "../../../src/send/protocol/conclude-groups.ts";
import { type Entry, isEntry } from "../../../src/send/protocol/entries.ts";
import {
  initialState,
  isFree,
  restoreState,
  type State,
} from "../../../src/send/protocol/state.ts";

const count = 800;

const runOf = (rows: number): State =>
  initialState({
    path: "G",
    rows: Array.from({ length: rows }, () => 1),
    width: 1,
    concurrency: 2,
    signed: true,
    tagged: true,
    scheduled: false,
    goal: "finish",
    claim: { run: "own" },
  });

test("eight hundred groups of another run", () => {
  const state = runOf(count);
  const groups = state.chunks.map((_, at) => ({
    ...{ id: `G4V${at}`, run: "other", rows: [{ from: at, to: at + 1 }], status: "sent" as const },
    ...{ counts: { accepted: 1, refused: 0 }, cost: 8, isActive: false },
  }));
  const after = afterListing(state, { type: "list", groups }).reduce(apply, state);
  expect(after.taken).toHaveLength(count);
  expect(after.chunks.filter((_, at) => isFree(after, at))).toEqual([]);
}, 20_000);

const verified: readonly Entry[] = [
  { t: "GROUP_INTENT", gen: 0, from: 0, to: 1 },
  { t: "GROUP", gen: 0, id: "own group" },
  { t: "ADD_INTENT", gen: 0, chunk: 0, date: "2026-01-05T09:00:00Z", salt: "salt" },
  { t: "ADD_OK", gen: 0, chunk: 0, accepted: 1, refused: 0 },
  { t: "VERIFIED", gen: 0 },
];

test("a power cut between the records of a listing leaves no group to send whose rows another run has sent", () => {
  const before = verified.reduce<State>(apply, runOf(1));
  const other = {
    ...{ id: "other group", run: "other", rows: [{ from: 0, to: 1 }], status: "sent" as const },
    ...{ counts: { accepted: 1, refused: 0 }, cost: 8, isActive: false },
  };
  const listed = (state: State) => afterListing(state, { type: "list", groups: [other] });
  const records = listed(before).filter(isEntry);
  expect(records).toHaveLength(2);
  for (let kept = 0; kept <= records.length; kept += 1) {
    const resumed = restoreState(records.slice(0, kept).reduce<State>(apply, before));
    const [group] = listed(resumed).reduce(apply, resumed).groups;
    expect([kept, group?.status]).toEqual([kept, "abandoning"]);
  }
});

test("a power cut behind the look at a group of refused rows leaves no group that the service refuses to send", () => {
  const filled = { t: "ADD_OK", gen: 0, chunk: 0, accepted: 0, refused: 1 } as const;
  const before = [...verified.slice(0, 3), filled].reduce<State>(apply, runOf(1));
  const action = { type: "verify", groupIndex: 0, id: "own group", signed: undefined } as const;
  const counts = { accepted: 0, refused: 1 };
  const seen = { type: "group", status: "open", counts, cost: 0 } as const;
  const records = concludeGroup(before, action, seen).filter(isEntry);
  const statuses = [...Array(records.length + 1).keys()].map((kept) => {
    const [group] = restoreState(records.slice(0, kept).reduce<State>(apply, before)).groups;
    return group?.status;
  });
  expect(statuses).toEqual(["filling", "sent"]);
});

test("a power cut behind the look at a group that someone else sent in part does not count its rows again", () => {
  const sent = [...verified.slice(0, 4), { t: "TOUCHED", gen: 0 } as const];
  const before = sent.reduce<State>(apply, runOf(2));
  const action = { type: "readHeld", groupIndex: 0, id: "own group", rows: [] } as const;
  const of = { id: "own group", run: "own", scheduled: false, cost: 8, sent: undefined };
  const taken = { ...of, rows: [{ from: 0, to: 1 }], accepted: 1, refused: 0 };
  const records = concludeGroup(before, action, { type: "heldRows", taken, isCut: true }).filter(
    isEntry,
  );
  const states = [...Array(records.length + 1).keys()].map((kept) => {
    const resumed = restoreState(records.slice(0, kept).reduce<State>(apply, before));
    return [resumed.groups[0]?.status, resumed.taken.length];
  });
  expect(states).toEqual([
    ["touched", 0],
    ["abandoned", 1],
  ]);
});
