/** How each entry changes the state of a run: the same for a running and a replayed journal. */
import type {
  AbandonReason,
  Counts,
  Entry,
  Fact,
  HeldChunk,
  ProcessFact,
  Rival,
} from "./entries.ts";
import { type Chunk, freeChunk, type Group, type State } from "./state.ts";

const none: Counts = { accepted: 0, refused: 0 };

export const apply = (state: State, entry: Fact): State => {
  const after = changed(state, entry);
  const isSpent = state.shape.byDay && spending.has(entry.t);
  return isSpent ? { ...after, cleared: false } : after;
};

/** A request that sends follows these, the first or one more. */
const spending: ReadonlySet<string> = new Set([
  "POST_INTENT",
  "DOUBT",
  "SEND_INTENT",
  "sendUnknown",
]);

/** Journals of older versions know no proof that a group was deleted before the next one. */
const changed = (state: State, entry: Fact): State => {
  switch (entry.t) {
    case "RUN":
    case "START":
      return state;
    case "END":
      return { ...state, ended: true, elapsedMs: entry.elapsedMs ?? state.elapsedMs };
    case "CANCEL":
      return { ...state, cancel: true, ended: false };
    case "CANARY":
      return { ...state, canary: entry.passed ? "passed" : "held" };
    case "replayWindow":
      return { ...state, replayWindow: entry.holds ? "holds" : "broken" };
    case "cleared":
      return { ...state, cleared: true };
    case "stop":
      return { ...state, stop: entry.why };
    case "GROUP_INTENT": {
      const left = state.groups.filter((it) => it.status === "abandoning").reduce(deleted, state);
      return { ...left, groups: [...left.groups, opened(entry)] };
    }
    case "ABANDON":
      return abandoned(state, entry.gen, entry.why);
    case "VERIFIED":
      return verified(state, entry.gen);
    case "TAKEN":
      return taken(state, entry);
    case "gone":
    case "unlisted":
    case "looked":
    case "rivalGone":
    case "rivalOpen":
    case "waited":
      return ofRivals(state, entry);
    case "POST_REFUSED":
      return { ...ofChunk(state, entry), refusedBefore: true };
    default:
      return "chunk" in entry ? ofChunk(state, entry) : ofGroup(state, entry);
  }
};

type ChunkEntry = Extract<Fact, { readonly chunk: number }>;
type GroupEntry = Exclude<
  Extract<Fact, { readonly gen: number }>,
  ChunkEntry | { t: "GROUP_INTENT" | "ABANDON" | "VERIFIED" | "gone" | "unlisted" }
>;

const opened = ({ gen, from, to }: { gen: number; from: number; to: number }): Group => ({
  groupIndex: gen,
  chunks: Array.from({ length: to - from }, (_, at) => from + at),
  id: undefined,
  created: undefined,
  signed: undefined,
  status: "creating",
  counts: none,
  cost: 0,
  hasUnknownSend: false,
  foreignAnswers: 0,
  refusal: undefined,
  read: "no",
  out: false,
  off: false,
  freed: false,
  inherited: false,
  gone: false,
  intended: false,
});

const withGroup = (state: State, gen: number, change: Partial<Group>): State => ({
  ...state,
  groups: state.groups.map((group) => (group.groupIndex === gen ? { ...group, ...change } : group)),
});

const made = ({ id, created, signed }: Extract<Entry, { t: "GROUP" }>): Partial<Group> => ({
  ...{ id, created, signed, status: "filling" },
});

const intent = { status: "sending", off: false, intended: true, refusal: undefined } as const;

const ofGroup = (state: State, entry: GroupEntry): State => {
  switch (entry.t) {
    case "GROUP":
      return { ...withGroup(state, entry.gen, made(entry)), rivals: undefined };
    case "SEND_INTENT":
      return { ...withGroup(state, entry.gen, intent), ended: false };
    case "SENT":
    case "OUT":
      return sent(state, entry);
    case "DELETED": {
      const group = state.groups.find((it) => it.groupIndex === entry.gen);
      return group ? deleted(state, group) : state;
    }
    case "TOUCHED":
      return withGroup(state, entry.gen, { status: "touched", read: "no" });
    case "sendRefused":
      return withGroup(state, entry.gen, { refusal: entry.code, read: "no" });
    case "OFF":
      return withGroup(state, entry.gen, { off: true });
    case "UNSCHEDULED":
      return withGroup(state, entry.gen, { status: "sending", hasUnknownSend: true, freed: true });
    case "FAILED":
      return withGroup(state, entry.gen, { status: "failed" });
    case "CANCELLED":
      return withGroup(state, entry.gen, { status: "cancelled", gone: false });
    case "SEND_REFUSED":
      return withGroup(state, entry.gen, {
        status: entry.sure ? "verified" : "sending",
        refusal: undefined,
      });
    case "checked":
      return withGroup(state, entry.gen, { inherited: false });
    case "sendUnknown":
      return sendUnanswered(state, entry);
    case "read":
      return entry.found === "waiting"
        ? withGroup(state, entry.gen, { read: "no", freed: false, off: false })
        : withGroup(state, entry.gen, { read: entry.found });
  }
};

const sendUnanswered = (
  state: State,
  { gen, isForeign }: Extract<ProcessFact, { t: "sendUnknown" }>,
): State => {
  const before = state.groups.find((it) => it.groupIndex === gen)?.foreignAnswers ?? 0;
  return withGroup(state, gen, {
    hasUnknownSend: true,
    foreignAnswers: before + (isForeign ? 1 : 0),
  });
};

const sent = (state: State, entry: Extract<Entry, { t: "SENT" | "OUT" }>): State => {
  const { gen, cost, accepted, refused } = entry;
  const known = { status: "sent", off: false, cost, counts: { accepted, refused } } as const;
  if (entry.t === "OUT") return withGroup(state, gen, { ...known, out: true });
  const after = withGroup(state, gen, known);
  return entry.held ? holding(after, gen, entry.held) : after;
};

const badLine: ReadonlySet<AbandonReason> = new Set(["add", "refused", "count"]);

/** Half the chunks in the next group: without halving a lossy line never finishes. */
const abandoned = (state: State, gen: number, why: AbandonReason): State => {
  const group = state.groups.find((it) => it.groupIndex === gen);
  if (!group) return state;
  const isLineGood = !badLine.has(why);
  const isOfOthers = why === "taken" || why === "old" || (why === "gone" && state.shape.claim);
  const half = Math.max(1, Math.floor(group.chunks.length / 2));
  const { width, abandons } = state;
  const next = {
    ...state,
    width: isLineGood ? width : half,
    abandons: isOfOthers ? abandons : abandons + 1,
  };
  // One whose id no one knows is empty; one that is gone is deleted already.
  const isOver = group.id === undefined || why === "gone";
  // Others have been looked for by then: its own record is asked next.
  const given = { status: "abandoning", read: "no", gone: false } as const;
  return isOver ? deleted(next, group) : withGroup(next, gen, given);
};

/** Its chunks are free for another group. */
const deleted = (state: State, { groupIndex, chunks }: Group): State => ({
  ...withGroup(state, groupIndex, { status: "abandoned", gone: false }),
  chunks: state.chunks.map((chunk, at) => (chunks.includes(at) ? freeChunk(state, at) : chunk)),
});

const taken = (state: State, { t: _, ...group }: Extract<Entry, { t: "TAKEN" }>): State => {
  const after = { ...state, taken: [...state.taken, group] };
  const free = (chunk: Chunk, at: number): Chunk =>
    chunk.status === "planned" ? freeChunk(after, at) : chunk;
  return { ...after, chunks: state.chunks.map(free) };
};

type RivalFact = Extract<
  ProcessFact,
  { t: "gone" | "unlisted" | "looked" | "rivalGone" | "rivalOpen" | "waited" }
>;

const ofRivals = (state: State, fact: RivalFact): State => {
  switch (fact.t) {
    case "gone":
      return {
        ...withGroup(state, fact.gen, { gone: true }),
        ...{ rivals: undefined, isSurveyed: false },
      };
    case "unlisted":
      return withGroup(state, fact.gen, { inherited: true });
    case "waited":
      return { ...state, rivals: undefined };
    case "looked":
      return withRivals({ ...state, looks: state.looks + 1 }, fact.rivals);
    case "rivalGone":
    case "rivalOpen":
      return withRivals(state, rivalsAfter(state.rivals ?? [], fact));
  }
};

const rivalsAfter = (
  rivals: readonly Rival[],
  { t, id }: Extract<RivalFact, { t: "rivalGone" | "rivalOpen" }>,
): readonly Rival[] => {
  const open = rivals.filter((it) => t === "rivalOpen" && it.id === id);
  const others = rivals.filter((it) => it.id !== id);
  return [...others, ...open.map((it) => ({ ...it, isScheduled: false }))];
};

const withRivals = (state: State, rivals: readonly Rival[]): State => ({
  ...state,
  rivals,
  isSurveyed: state.isSurveyed || rivals.every((it) => !it.isMoving && !it.isScheduled),
});

/** It was sent with these chunks: the others that it was made for are free for another group. */
const holding = (state: State, gen: number, held: readonly HeldChunk[]): State => {
  const group = state.groups.find((it) => it.groupIndex === gen);
  if (!group) return state;
  const after = (chunk: Chunk, at: number): Chunk => {
    if (!group.chunks.includes(at)) return chunk;
    const of = held.find((it) => it.chunk === at);
    if (!of) return freeChunk(state, at);
    const { accepted, refused } = of;
    return { status: "done", group: "", cost: 0, accepted, refused };
  };
  return {
    ...withGroup(state, gen, { chunks: held.map((it) => it.chunk) }),
    chunks: state.chunks.map(after),
  };
};

const verified = (state: State, gen: number): State => {
  const width = Math.min(state.shape.width, state.width * 2);
  const group = { status: "verified", inherited: false } as const;
  return { ...withGroup(state, gen, group), width, abandons: 0 };
};

const ofChunk = (state: State, entry: ChunkEntry): State => {
  const before = state.chunks[entry.chunk];
  const after = before && chunkAfter(before, entry);
  if (after === undefined || after === before) return state;
  return { ...state, chunks: state.chunks.map((it, at) => (at === entry.chunk ? after : it)) };
};

const chunkAfter = (chunk: Chunk, entry: ChunkEntry): Chunk => {
  switch (entry.t) {
    case "ADD_INTENT":
    case "POST_INTENT": {
      const { date, salt, key, signedAt } = entry;
      const signature = { date, salt, key, signedAt };
      const known = { signatureUsed: false, searched: false, limited: false, inherited: false };
      return { status: "inFlight", signature, ...known };
    }
    case "ADD_OK": {
      const { accepted, refused } = entry;
      return { status: "done", group: "", cost: 0, accepted, refused };
    }
    case "POST_OK": {
      const { accepted, refused, group, cost } = entry;
      return { status: "done", group, cost, accepted, refused };
    }
    case "POST_REFUSED":
    case "refusedAdd":
      return { status: "refused" };
    case "RESOLVED":
      // Only a doubt can be resolved: what the service has taken is never made open again.
      if (!("signature" in chunk)) return chunk;
      return entry.taken ? { status: "done", ...entry.taken } : { status: "planned" };
    case "DOUBT":
      return "signature" in chunk ? { ...chunk, status: "unknown" } : chunk;
    case "signatureUsed":
      return "signature" in chunk ? { ...chunk, status: "unknown", signatureUsed: true } : chunk;
    case "limited":
      return "signature" in chunk ? { ...chunk, status: "unknown", limited: true } : chunk;
    case "searched":
      if (!("signature" in chunk)) return chunk;
      return { ...chunk, searched: true, inherited: chunk.inherited && !entry.absent };
  }
};
