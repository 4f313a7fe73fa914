/** The state of a run, as it starts and as a new process finds it. */
import {
  type Counts,
  type Entry,
  type ListedGroup,
  type Signature,
  type StopReason,
  sumOf,
  totalOf,
} from "./entries.ts";
import { countRows, mergeRows, overlap, type RowRange, rowsWithout } from "./row-ranges.ts";

/** What is fixed before the first request. */
export interface RunShape {
  readonly path: "S" | "G" | "direct";
  /** Rows of each chunk. */
  readonly rows: readonly number[];
  /** The most chunks that one group takes. */
  readonly width: number;
  readonly concurrency: number;
  /** Requests carry a signature; a bearer token has none, so no repeat of it is safe. */
  readonly signed: boolean;
  /** Messages carry a correlation id: a call can be looked for. */
  readonly tagged: boolean;
  /** Its groups go out at an hour of their own, not when they are sent. */
  readonly scheduled: boolean;
  /** Night may fall while it is sent: each request that sends has to be allowed first. */
  readonly byDay?: boolean;
  /** Others may be at work on the same rows: each group says which it holds. `run`: who this is among them. */
  readonly claim?: { readonly run: string } | undefined;
  /** Chunks that go out first: the others wait until an operator says that enough of these arrived. */
  readonly canary?: { readonly from: number; readonly to: number } | undefined;
  /** `reconcile` looks and sends nothing. */
  readonly goal: "finish" | "reconcile";
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
       * Signed by an earlier process, whose clock may have been set since: its date alone does not show
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
  readonly id?: string | undefined;
  /** When the service made it, and the date of the request. */
  readonly created?: string | undefined;
  readonly signed?: string | undefined;
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
  /** The code with which the service refused to send it, until its record confirms that. */
  readonly refusal?: string | undefined;
  /** What its own record says, if that is known. `gone`: someone else deleted it; the run looks who did. */
  readonly read: "no" | "wanted" | "open" | "gone";
  /** In a scheduled run: its hour has come (`out`); or it was taken off before, by someone else or to cancel it. */
  readonly schedule: "on" | "out" | "off" | "withdrawn";
  /** It is from an earlier process, and was not read since: someone else may have worked on it. */
  readonly inherited: boolean;
  /** This process has written down that it sends it, and when. */
  readonly hasIntent: boolean;
}

/** The service has its rows: it was sent, waits for its hour, or failed as a whole. */
export const wasSent = ({ status }: Pick<Group, "status">): boolean =>
  status === "sent" || status === "failed";

/** Rows that a group of others was sent with, or waits for its hour with. */
export interface Taken extends Omit<Extract<Entry, { readonly t: "TAKEN" }>, "t"> {
  /** It is from an earlier process, and was not read since. */
  readonly inherited?: boolean;
}

export interface State {
  readonly shape: RunShape;
  readonly chunks: readonly Chunk[];
  readonly groups: readonly Group[];
  readonly taken: readonly Taken[];
  /** Undefined until they were listed after the last creation of a group. */
  readonly rivals?: readonly ListedGroup[] | undefined;
  /** How often that changed. */
  readonly rivalUpdates: number;
  /** No one else was at work on the rows when this process looked: it fills groups. */
  readonly mayFill: boolean;
  /** Chunks of the next group. */
  readonly width: number;
  /** Groups that this process gave up since the last that was verified. */
  readonly abandons: number;
  /** The verdict on the canary; `failed`: the rest must not go out. */
  readonly canary: "open" | "passed" | "failed";
  readonly cancel: boolean;
  readonly ended: boolean;
  /** How long the process that ended it had worked. */
  readonly elapsedMs: number;
  /** A call was refused before: what it left behind carries the same correlation ids as a later one. */
  readonly refusedBefore: boolean;
  readonly replayWindow: "unknown" | "holds" | "broken";
  readonly cleared: boolean;
  readonly stop?: StopReason | undefined;
}

export const initialState = (shape: RunShape): State => ({
  shape,
  chunks: shape.rows.map(() => ({ status: "planned" })),
  groups: [],
  taken: [],
  rivalUpdates: 0,
  mayFill: false,
  width: shape.width,
  abandons: 0,
  canary: "open",
  cancel: false,
  ended: false,
  elapsedMs: 0,
  refusedBefore: false,
  replayWindow: "unknown",
  cleared: false,
});

/**
 * A replayed state, which has no facts that only a process keeps, as a new process sees it: what was under way is in
 * doubt.
 */
export const restoreState = (state: State): State => ({
  ...state,
  abandons: 0,
  chunks: state.chunks.map((it) =>
    "signature" in it ? { ...it, status: "unknown", inherited: true } : it,
  ),
  taken: state.taken.map((it) => ({ ...it, inherited: true })),
  groups: state.groups.map((it) => ({
    ...it,
    inherited: true,
    hasIntent: false,
    hasUnknownSend: it.hasUnknownSend || it.status === "sending",
  })),
});

/** The rows of the group that are known to be in it, except for one chunk. */
export const countsOf = (state: State, { chunks }: Group, without?: number): Counts =>
  sumOf(
    chunks.flatMap((at) => {
      const chunk = state.chunks[at];
      return at !== without && chunk?.status === "done" ? [chunk] : [];
    }),
  );

/** The service asked to slow down before it took the request, and no copy of it was seen since. */
export const isRateLimited = (chunk: Chunk | undefined): boolean =>
  chunk !== undefined && "limited" in chunk && chunk.limited && !chunk.signatureUsed;

/** The place of the first row of a chunk; for the chunk after the last, the place after all rows. */
export const firstRow = ({ rows }: RunShape, chunk: number): number =>
  rows.slice(0, chunk).reduce((sum, it) => sum + it, 0);

const rowsIn = (shape: RunShape, chunk: number): RowRange => {
  const from = firstRow(shape, chunk);
  return { from, to: from + (shape.rows[chunk] ?? 0) };
};

/** The rows of a chunk that no group of others has taken. */
export const remainingRows = ({ shape, taken }: State, at: number): readonly RowRange[] => {
  const all = [rowsIn(shape, at)];
  // There may be a thousand chunks, and as many groups.
  const others = taken.filter(({ rows }) => overlap(rows, all));
  return rowsWithout(
    all,
    others.flatMap(({ rows }) => rows),
  );
};

/** Of the rows it was sent with, those that a group of others was sent with. */
export const countAlsoTaken = (state: State, group: Group): number =>
  group.status === "sent" && state.taken.length > 0
    ? totalOf(group.counts) - rowsOf(state, group)
    : 0;

/** So many of them at least went out twice: a person has sent both. The others may have been refused in either. */
export const countSentTwice = (state: State, group: Group): number => {
  const rows = group.chunks.map((at) => rowsIn(state.shape, at));
  const others = state.taken.filter((it) => overlap(it.rows, rows));
  const { refused } = sumOf([group.counts, ...others]);
  return Math.max(0, countAlsoTaken(state, group) - refused);
};

/** How many of its rows no group of others has taken. */
export const rowsOf = (state: State, { chunks }: Group): number =>
  chunks.reduce((sum, at) => sum + countRemaining(state, at), 0);

/** How many rows of a chunk are this run's own to send. */
export const countRemaining = (state: State, at: number): number =>
  state.taken.length === 0 ? (state.shape.rows[at] ?? 0) : countRows(remainingRows(state, at));

export const rowsOfChunks = (state: State, chunks: readonly number[]): readonly RowRange[] =>
  mergeRows(chunks.flatMap((at) => remainingRows(state, at)));

/** Nothing was sent of the chunk, and others have not taken all of its rows. */
export const isFree = (state: State, at: number): boolean =>
  state.chunks[at]?.status === "planned" && countRemaining(state, at) > 0;
