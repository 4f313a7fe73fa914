/** What a run may do, and what may come of it: the vocabulary of the machine, next to the facts of entries.ts. */
import type { Counts, Facts, HeldChunk, ListedGroup, Signature } from "./entries.ts";
import type { RowRange } from "./row-ranges.ts";
import type { State, Taken } from "./state.ts";

/** A group of this run, by its number in the journal and its id at the service. */
interface OwnGroup {
  readonly groupIndex: number;
  readonly id: string;
}

/** One request (or check) that the run needs now. */
export type Action =
  | { readonly type: "probe" | "clear" }
  /**
   * Lists the groups with the rows of this run, its own included. A list that does not show all of `own`
   * is older than these, or the answer to another request: it proves nothing.
   */
  | {
      readonly type: "listRivals";
      readonly own: readonly string[];
      /** All that this run has written down. */
      readonly known: readonly string[];
      /** When the oldest of them was made. */
      readonly since: string | undefined;
    }
  /** Waits a moment for a run that is at work on the same rows. */
  | { readonly type: "waitForRival"; readonly run: string }
  /** Reads or deletes a group of another run, and reads what became of it if the answer does not say. */
  | { readonly type: "readRival" | "deleteRival"; readonly id: string }
  | { readonly type: "create"; readonly groupIndex: number; readonly rows: readonly RowRange[] }
  | (OwnGroup & {
      readonly type: "add";
      readonly chunk: number;
      readonly signature: Signature;
      readonly again: boolean;
      /** The rows of the chunk that are left, from its first; undefined for the whole. */
      readonly part?: readonly RowRange[] | undefined;
      /** The rows of the group, if others have to learn of them. */
      readonly rows?: readonly RowRange[] | undefined;
    })
  /** Reads how many rows a group holds, after the service has seen an add before. */
  | (OwnGroup & { readonly type: "count"; readonly chunk: number })
  /** `signed` as in `send`: an older record belongs to another group than its answer said. */
  | (OwnGroup & { readonly type: "verify"; readonly signed?: string | undefined })
  /** Reads whether a group that an earlier process verified still holds that, and no more. */
  | (OwnGroup & { readonly type: "check"; readonly expected: Counts })
  /** `signed`: when the group was made, by the clock of signatures, where it may be sent for a limited time only. */
  | (OwnGroup & { readonly type: "send"; readonly signed?: string | undefined })
  | (OwnGroup & { readonly type: "readSent" })
  /** Reads which chunks a group holds, from the correlation ids of its messages. */
  | (OwnGroup & { readonly type: "readHeld"; readonly rows: readonly RowRange[] })
  | (OwnGroup & { readonly type: "unschedule" | "delete" })
  | {
      readonly type: "post";
      readonly chunk: number;
      readonly signature: Signature;
      readonly again: boolean;
    }
  | {
      readonly type: "findEvidence";
      readonly chunk: number;
      readonly signature: Signature;
      /** No copy of the request can be accepted any longer: what is not there was not sent. */
      readonly final: boolean;
    };

/** How a process's work on a run ends. */
export type Ending =
  | { readonly type: "done" | "cancelled" | "stopped" }
  /** The canary is out: the rest waits until an operator releases it. */
  | { readonly type: "canary" }
  /** Twelve groups in a row were given up because the connection is bad. */
  | { readonly type: "exhausted" }
  /** `signature`: what an unanswered call was signed with; a group that may have been sent has none. */
  | { readonly type: "unknown"; readonly signature: Signature | undefined };

export type Step =
  | { readonly type: "wait" }
  | { readonly type: "end"; readonly ending: Ending }
  /** `before` must be durable before the action starts. */
  | { readonly type: "act"; readonly before: Facts; readonly action: Action };

/** Only first adds and posts may run at the same time as others: the run waits for everything else. */
export const isConcurrent = (
  action: Action,
): action is Extract<Action, { readonly again: boolean }> => "again" in action && !action.again;

export type Outcome =
  | {
      readonly type: "ok";
      readonly id: string;
      readonly counts: Counts;
      readonly cost: number;
      readonly failed: boolean;
      /** For a group: when it was made, by the service's clock, and the date that its creation was signed with. */
      readonly created?: string | undefined;
      readonly signed?: string | undefined;
    }
  | { readonly type: "refused"; readonly status: number; readonly code: string }
  /** Refused before it was looked at (429): it may be asked for again, `waitMs` later if that is named. */
  | { readonly type: "limited"; readonly waitMs?: number | undefined }
  /** Proven: nothing left this machine. */
  | { readonly type: "notSent" }
  /** `isForeign`: something answered that is not the service, for certain. */
  | { readonly type: "unknown"; readonly isForeign?: boolean | undefined }
  /** DuplicatedSignature: a copy of this very request has arrived. */
  | { readonly type: "duplicated" }
  /** 409 AlreadySent or GroupInProcessing; for a schedule: it was made, or is gone, already. */
  | { readonly type: "already" }
  /** What the record of a group says. */
  | {
      readonly type: "group";
      readonly status: "open" | "scheduled" | "sent" | "failed" | "deleted" | "other";
      readonly counts: Counts;
      readonly cost: number;
      /** It waits for another hour than that of the run. */
      readonly isMoved?: boolean;
    }
  /** What a group that was sent holds, chunk by chunk. `isCut`: fewer rows than the run has for it. */
  | {
      readonly type: "held";
      readonly held: readonly HeldChunk[];
      readonly cost: number;
      readonly isCut: boolean;
    }
  /** The same for a group that holds chunks in part: someone has taken messages out of it. */
  | { readonly type: "heldRows"; readonly taken: Taken; readonly isCut: boolean }
  | { readonly type: "list"; readonly groups: readonly ListedGroup[] }
  /** A list that has to show these groups, and does not. */
  | { readonly type: "unlisted"; readonly ids: readonly string[] }
  /** A list that does not show what these say of their rows, as the service does with all groups. */
  | { readonly type: "bare"; readonly ids: readonly string[] }
  | { readonly type: "absent" }
  /** A call for one message was executed, and the service refused the message. */
  | { readonly type: "declined"; readonly code: string }
  /** The bytes of the request are no longer on the disk: it did not leave, and never will. */
  | { readonly type: "noBody" }
  /** A read that failed for good. */
  | { readonly type: "unreadable" }
  | { readonly type: "yes" }
  /** A send did not leave because its hour has passed; or a wait is not wanted. */
  | { readonly type: "no" }
  /** A send did not leave because the group is too old. */
  | { readonly type: "old" };

/** What the machine needs from its environment: clocks and random numbers. */
export interface Clock {
  readonly fresh: () => Signature;
  /** Recent enough, and of this key: the service still remembers the signature when a repeat arrives. */
  readonly canReplay: (signature: Signature) => boolean;
  /**
   * So old, by the service's clock and by one of our own, that the service no longer accepts a copy, and
   * not so old that it forgets what it took.
   */
  readonly expired: (signature: Signature) => boolean;
  /** False when the time for this doubt (`--settle`) is used up. */
  readonly withinTimeout: (doubt: string) => boolean;
  /** The group is so old that others will soon no longer see it: it is not sent. */
  readonly isTooOld: (signed: string) => boolean;
  /** For what has to be tried once even if `--settle` is 0: true the first time. */
  readonly mayTry: (what: string) => boolean;
}

export const act = (action: Action, before: Facts = []): Step => ({ type: "act", before, action });

/** Tries an action that may bring nothing for the time of `--settle`, and at least once. */
export const tryAct = (what: string, action: Action, clock: Clock): Step =>
  clock.mayTry(what) ? act(action) : end({ type: "stopped" });

export const end = (ending: Ending): Step => ({ type: "end", ending });
export const wait: Step = { type: "wait" };

export const countInFlight = (state: State): number =>
  state.chunks.filter(({ status }) => status === "inFlight").length;

/** Waits for the requests that are under way, then ends. */
export const endWhenCompleted = (state: State, ending: Ending): Step =>
  countInFlight(state) > 0 ? wait : end(ending);
