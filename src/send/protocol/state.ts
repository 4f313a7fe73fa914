/** The state of a run, as it starts and as a new process finds it. */
import type { Counts, Signature, StopReason } from "./entries.ts";

/** What is fixed before the first request. */
export interface RunShape {
  readonly path: "S" | "G" | "direct";
  /** Rows of each chunk. */
  readonly rows: readonly number[];
  /** Chunks of one group at most. */
  readonly width: number;
  readonly concurrency: number;
  /** Requests carry a signature; a bearer token has none, so no repeat of it is safe. */
  readonly signed: boolean;
  /** Messages carry the run's tag: a call can be looked for. */
  readonly tagged: boolean;
  /** Its groups go out at an hour of their own, not when they are sent. */
  readonly scheduled: boolean;
  /** Night may fall while it is sent: whether it may be is asked before each request that sends. */
  readonly byDay?: boolean;
  /** `settle` looks and sends nothing. */
  readonly goal: "finish" | "settle";
}

/** How far a chunk of rows is. `inFlight`: its request is under way in this process. */
export type Chunk =
  | { readonly status: "planned" }
  | {
      readonly status: "inFlight" | "unknown";
      readonly signature: Signature;
      readonly signatureUsed: boolean;
      readonly searched: boolean;
      /** The service asked to slow down: what is not there was not taken. */
      readonly limited: boolean;
      /**
       * Signed by an earlier process, whose clock may have been set since: its date alone does not tell
       * how long the service will remember it, and it was not looked for since then.
       */
      readonly inherited: boolean;
    }
  | ({ readonly status: "done"; readonly group: string; readonly cost: number } & Counts)
  | { readonly status: "refused" };

export interface Group {
  readonly groupIndex: number;
  /** The chunks that it was made for; once it was sent, those that it holds. */
  readonly chunks: readonly number[];
  readonly id: string | undefined;
  readonly status:
    | "creating"
    | "filling"
    | "verified"
    | "sending"
    | "sent"
    | "failed"
    /** Given up, and to be deleted. */
    | "abandoning"
    | "abandoned"
    /** Someone else sent it, and it is not known with what. */
    | "touched"
    | "cancelled";
  readonly counts: Counts;
  readonly cost: number;
  /** An earlier send may be under way or done. */
  readonly hasUnknownSend: boolean;
  /** How often something else answered in the service's place when this process sent it. */
  readonly foreignAnswers: number;
  /** The word with which the service refused to send it, until its record confirms that. */
  readonly refusal: string | undefined;
  readonly read: "no" | "wanted" | "open";
  /** Of a scheduled run: it has gone out; somebody else took it off its schedule. */
  readonly out: boolean;
  readonly off: boolean;
  /** It was taken off its schedule to be cancelled. */
  readonly freed: boolean;
  /** It is of an earlier process, and was not read since: somebody else may have worked on it. */
  readonly inherited: boolean;
  /** This process has written down that it sends it, and when. */
  readonly intended: boolean;
}

export interface State {
  readonly shape: RunShape;
  readonly chunks: readonly Chunk[];
  readonly groups: readonly Group[];
  /** Chunks of the next group. */
  readonly width: number;
  /** Groups that this process gave up since the last that was verified. */
  readonly abandons: number;
  readonly cancel: boolean;
  readonly ended: boolean;
  /** How long the process worked that ended it. */
  readonly elapsedMs: number;
  /** A call was refused before: what it left behind carries the same marks as a later one. */
  readonly refusedBefore: boolean;
  readonly replayWindow: "unknown" | "holds" | "broken";
  readonly cleared: boolean;
  readonly stop: StopReason | undefined;
}

export const initialState = (shape: RunShape): State => ({
  shape,
  chunks: shape.rows.map(() => ({ status: "planned" })),
  groups: [],
  width: shape.width,
  abandons: 0,
  cancel: false,
  ended: false,
  elapsedMs: 0,
  refusedBefore: false,
  replayWindow: "unknown",
  cleared: false,
  stop: undefined,
});

/** A replayed state as a new process sees it: what was under way is in doubt, the line not yet known. */
export const restoreState = (state: State): State => ({
  ...state,
  abandons: 0,
  chunks: state.chunks.map((chunk) =>
    chunk.status === "inFlight" || chunk.status === "unknown"
      ? {
          ...chunk,
          status: "unknown",
          signatureUsed: false,
          searched: false,
          limited: false,
          inherited: true,
        }
      : chunk,
  ),
  groups: state.groups.map(inherited),
  replayWindow: "unknown",
  cleared: false,
  stop: undefined,
});

const inherited = (group: Group): Group => {
  const unread = { read: "no", inherited: true, foreignAnswers: 0 } as const;
  if (group.status === "sending")
    return { ...group, ...unread, hasUnknownSend: true, refusal: undefined, intended: false };
  if (group.status === "abandoning") return { ...group, ...unread };
  const isOpen = group.status === "filling" || group.status === "verified";
  return isOpen ? { ...group, inherited: true } : group;
};

/** The same where nothing of it is from another process. */
export const markOwn = (state: State): State => ({
  ...state,
  chunks: state.chunks.map((it) => ("signature" in it ? { ...it, inherited: false } : it)),
});

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

/** The service asked to slow down before it took the request, and no copy of it was seen since. */
export const isHeldBack = (chunk: Chunk | undefined): boolean =>
  chunk !== undefined && "limited" in chunk && chunk.limited && !chunk.signatureUsed;
