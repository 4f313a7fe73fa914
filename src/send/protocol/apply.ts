/** How each fact changes the state of a run: the same for a running and a replayed journal. */
import type { AbandonReason, Counts, Fact, HeldChunk, ListedGroup } from "./entries.ts";
import type { Chunk, Group, State } from "./state.ts";

type FactOf<T extends Fact["t"]> = Extract<Fact, { readonly t: T }>;

export const apply = (state: State, fact: Fact): State => {
  const after = afterFact(state, fact);
  const isSpent = state.shape.byDay && spending.has(fact.t);
  return isSpent ? { ...after, cleared: false } : after;
};

/** A request that sends, the first or one more, follows these facts. */
const spending: ReadonlySet<string> = new Set([
  "POST_INTENT",
  "DOUBT",
  "SEND_INTENT",
  "sendUnknown",
]);

const afterFact = (state: State, fact: Fact): State => {
  switch (fact.t) {
    case "RUN":
    case "START":
      return state;
    case "END":
      return { ...state, ended: true, elapsedMs: fact.elapsedMs ?? state.elapsedMs };
    case "CANCEL":
      return { ...state, cancel: true, ended: false };
    case "CANARY":
      return { ...state, canary: fact.passed ? "passed" : "failed" };
    case "replayWindow":
      return { ...state, replayWindow: fact.holds ? "holds" : "broken" };
    case "cleared":
      return { ...state, cleared: true };
    case "stop":
      return { ...state, stop: fact.why };
    case "TAKEN": {
      const { t: _, ...group } = fact;
      const own = state.groups.find((it) => it.id === group.id);
      const others = state.taken.filter((it) => it.id !== group.id);
      const after = { ...state, taken: group.rows.length > 0 ? [...others, group] : others };
      // One record for both: after a power cut between two, its rows would be read again, and counted twice.
      return own ? abandonGroup(after, own, "gone") : after;
    }
    case "rivals":
      return withRivals(state, fact.rivals);
    case "POST_REFUSED":
      return { ...ofChunk(state, fact), refusedBefore: true };
    default:
      return "chunk" in fact ? ofChunk(state, fact) : ofGroup(state, fact);
  }
};

const withRivals = (state: State, rivals: readonly ListedGroup[] | undefined): State => ({
  ...state,
  rivals,
  rivalUpdates: state.rivalUpdates + 1,
  mayFill:
    state.mayFill || (rivals?.every((it) => !it.isActive && it.status !== "scheduled") ?? false),
});

type ChunkFact = Extract<Fact, { readonly chunk: number }>;

const ofChunk = (state: State, fact: ChunkFact): State => {
  const before = state.chunks[fact.chunk];
  const after = before && chunkAfter(before, fact);
  if (after === undefined || after === before) return state;
  return { ...state, chunks: state.chunks.map((it, at) => (at === fact.chunk ? after : it)) };
};

const chunkAfter = (chunk: Chunk, fact: ChunkFact): Chunk => {
  switch (fact.t) {
    case "ADD_INTENT":
    case "POST_INTENT": {
      const { date, salt, key, signedAt } = fact;
      const signature = { date, salt, key, signedAt };
      const unseen = { signatureUsed: false, searched: false, limited: false, inherited: false };
      return { status: "inFlight", signature, ...unseen };
    }
    case "ADD_OK":
      return doneChunk(fact);
    case "POST_OK":
      return { ...doneChunk(fact), group: fact.group, cost: fact.cost };
    case "POST_REFUSED":
      return { status: "refused" };
    default:
      // Only a doubt can be resolved: a chunk that the service has taken never becomes open again.
      return "signature" in chunk ? doubtAfter(chunk, fact) : chunk;
  }
};

const doneChunk = ({ accepted, refused }: Counts): Extract<Chunk, { status: "done" }> => ({
  status: "done",
  group: "",
  cost: 0,
  accepted,
  refused,
});

const doubtAfter = (
  chunk: Extract<Chunk, { readonly signature: unknown }>,
  fact: FactOf<"RESOLVED" | "DOUBT" | "signatureUsed" | "limited" | "searched">,
): Chunk => {
  switch (fact.t) {
    case "RESOLVED":
      return fact.taken ? { status: "done", ...fact.taken } : { status: "planned" };
    case "DOUBT":
      return { ...chunk, status: "unknown" };
    case "signatureUsed":
      return { ...chunk, status: "unknown", signatureUsed: true };
    case "limited":
      return { ...chunk, status: "unknown", limited: true };
    case "searched":
      return { ...chunk, searched: true, inherited: chunk.inherited && !fact.absent };
  }
};

type GroupFact = Exclude<Extract<Fact, { readonly gen: number }>, ChunkFact>;

const ofGroup = (state: State, fact: GroupFact): State => {
  const group = state.groups.find((it) => it.groupIndex === fact.gen);
  if (fact.t === "GROUP_INTENT") return openGroup(state, fact);
  if (fact.t === "ABANDON") return group ? abandonGroup(state, group, fact.why) : state;
  if (fact.t === "DELETED") return group ? freeChunks(state, group) : state;
  const after = withGroup(state, fact.gen, changeOf(fact, group?.foreignAnswers ?? 0));
  switch (fact.t) {
    case "GROUP":
      return { ...after, rivals: undefined };
    case "VERIFIED":
      return { ...after, width: Math.min(state.shape.width, state.width * 2), abandons: 0 };
    case "SEND_INTENT":
      return { ...after, ended: false };
    case "SENT":
      return group && fact.held ? keepHeldChunks(after, group, fact.held) : after;
    case "read":
      return fact.found === "gone" ? { ...after, rivals: undefined, mayFill: false } : after;
    default:
      return after;
  }
};

const openGroup = (state: State, { gen, from, to }: FactOf<"GROUP_INTENT">): State => {
  const group: Group = {
    groupIndex: gen,
    chunks: Array.from({ length: to - from }, (_, at) => from + at),
    status: "creating",
    counts: { accepted: 0, refused: 0 },
    cost: 0,
    hasUnknownSend: false,
    foreignAnswers: 0,
    read: "no",
    schedule: "on",
    inherited: false,
    hasIntent: false,
  };
  return { ...state, groups: [...state.groups, group] };
};

const withGroup = (state: State, gen: number, change: Partial<Group>): State => ({
  ...state,
  groups: state.groups.map((group) => (group.groupIndex === gen ? { ...group, ...change } : group)),
});

const fromBadConnection: ReadonlySet<AbandonReason> = new Set(["add", "count"]);

/** Puts half the chunks into the next group: a run over a lossy network would never finish otherwise. */
const abandonGroup = (state: State, group: Group, why: AbandonReason): State => {
  const isOfOthers = why === "taken" || why === "old" || (why === "gone" && state.shape.claim);
  const half = Math.max(1, Math.floor(group.chunks.length / 2));
  const next = {
    ...state,
    width: fromBadConnection.has(why) ? half : state.width,
    abandons: isOfOthers ? state.abandons : state.abandons + 1,
  };
  // A group without a known id is empty; one that is gone is deleted already.
  if (group.id === undefined || why === "gone") return freeChunks(next, group);
  // By then others have been looked for: its own record is read next.
  return withGroup(next, group.groupIndex, { status: "abandoning", read: "no" });
};

const planned: Chunk = { status: "planned" };

const freeChunks = (state: State, { groupIndex, chunks }: Group): State => ({
  ...withGroup(state, groupIndex, { status: "abandoned", read: "no" }),
  chunks: state.chunks.map((chunk, at) => (chunks.includes(at) ? planned : chunk)),
});

const changeOf = (
  fact: Exclude<GroupFact, FactOf<"GROUP_INTENT" | "ABANDON" | "DELETED">>,
  foreignAnswers: number,
): Partial<Group> => {
  switch (fact.t) {
    case "GROUP":
      return { id: fact.id, created: fact.created, signed: fact.signed, status: "filling" };
    case "VERIFIED":
      return { status: "verified", inherited: false };
    case "SEND_INTENT":
      return { status: "sending", schedule: "on", hasIntent: true, refusal: undefined };
    case "SENT":
    case "OUT": {
      const { t, cost, accepted, refused } = fact;
      const counts = { accepted, refused };
      return { status: "sent", schedule: t === "OUT" ? "out" : "on", cost, counts };
    }
    case "SEND_REFUSED":
      return { status: fact.sure ? "verified" : "sending", refusal: undefined };
    case "FAILED":
      return { status: "failed" };
    case "TOUCHED":
      return { status: "touched", read: "no" };
    case "CANCELLED":
      return { status: "cancelled", read: "no" };
    case "UNSCHEDULED":
      return { status: "sending", hasUnknownSend: true, schedule: "withdrawn" };
    case "OFF":
      return { schedule: "off" };
    default:
      return changeOfProcess(fact, foreignAnswers);
  }
};

const changeOfProcess = (
  fact: FactOf<"sendUnknown" | "sendRefused" | "read" | "checked" | "unlisted">,
  foreignAnswers: number,
): Partial<Group> => {
  switch (fact.t) {
    case "sendUnknown":
      return { hasUnknownSend: true, foreignAnswers: foreignAnswers + (fact.isForeign ? 1 : 0) };
    case "sendRefused":
      return { refusal: fact.code, read: "no" };
    case "read":
      return fact.found === "waiting" ? { read: "no", schedule: "on" } : { read: fact.found };
    case "checked":
      return { inherited: false };
    case "unlisted":
      return { inherited: true };
  }
};

/** The group was sent with these chunks: the others that it was made for are free for another group. */
const keepHeldChunks = (state: State, group: Group, held: readonly HeldChunk[]): State => {
  const after = (chunk: Chunk, at: number): Chunk => {
    if (!group.chunks.includes(at)) return chunk;
    const counts = held.find((it) => it.chunk === at);
    return counts ? doneChunk(counts) : planned;
  };
  return {
    ...withGroup(state, group.groupIndex, { chunks: held.map((it) => it.chunk) }),
    chunks: state.chunks.map(after),
  };
};
