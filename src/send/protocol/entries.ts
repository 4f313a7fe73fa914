/** The vocabulary of the sending protocol: what a run writes down and what it may do. */
import type { Rows } from "./rows.ts";

/** What a request was signed with. The signature itself is a credential and is never stored. */
export interface Signature {
  readonly date: string;
  readonly salt: string;
  /**
   * The last four characters of the key that signed; an access token signs nothing. With another key
   * the same date and salt are another signature, which the service has not seen.
   */
  readonly key?: string | undefined;
  /** When it was signed, by this machine's clock: the date itself lies before that. */
  readonly signedAt?: string | undefined;
}

/** What the service counted: rows it took and rows it refused with a code. */
export interface Counts {
  readonly accepted: number;
  readonly refused: number;
}

/** What the service has of a call, as far as it is known: `group` is empty where no one knows it. */
export interface AcceptedCall extends Counts {
  readonly group: string;
  readonly cost: number;
}

/** What a group holds of one chunk. */
export interface HeldChunk extends Counts {
  readonly chunk: number;
}

/**
 * Why a group is given up before it was sent. `gone`: someone else deleted it. `taken`: its rows are in a
 * group that was sent. `old`: its rows may be in a group that was made since, for all it can see.
 */
export type AbandonReason = "create" | "add" | "refused" | "count" | "gone" | "taken" | "old";

/** Facts that outlive the process. An intent is on the disk before its request leaves. */
export type Entry =
  /** `file`: what run.json says but for its chunks, which plan.jsonl tells: either rebuilds the other. */
  | {
      readonly t: "RUN";
      readonly run: string;
      readonly version: 1 | 2;
      readonly file?: unknown;
    }
  /** Requests may follow. Journals of version 1 were made for this, and have none. */
  | { readonly t: "START" }
  | { readonly t: "GROUP_INTENT"; readonly gen: number; readonly from: number; readonly to: number }
  /** `created`: when, by the service's own clock; `signed`: the date of the request that made it. */
  | {
      readonly t: "GROUP";
      readonly gen: number;
      readonly id: string;
      readonly created?: string | undefined;
      readonly signed?: string | undefined;
    }
  | ({ readonly t: "ADD_INTENT"; readonly gen: number; readonly chunk: number } & Signature)
  | ({ readonly t: "ADD_OK"; readonly gen: number; readonly chunk: number } & Counts)
  /** A group of another run, or one that this journal does not know, was sent with these rows. */
  | ({
      readonly t: "TAKEN";
      readonly id: string;
      readonly run: string;
      readonly rows: readonly Rows[];
      /** It waits for its hour. */
      readonly scheduled: boolean;
      readonly cost: number;
      /** When that was. */
      readonly sent?: string | undefined;
    } & Counts)
  /** It is never sent by us, and is deleted next, so that no one else can send it. */
  | { readonly t: "ABANDON"; readonly gen: number; readonly why: AbandonReason }
  /** The record of an abandoned group says so: it never was sent, and never will be. */
  | { readonly t: "DELETED"; readonly gen: number }
  /** Someone else sent the group before it was complete: what it holds has to be read. */
  | { readonly t: "TOUCHED"; readonly gen: number }
  | { readonly t: "VERIFIED"; readonly gen: number }
  /**
   * Behind an OFF: the operator wants it on its schedule again. Each process that sends it writes one.
   * `date`: when that was, for a group may be filled long before it is sent; whoever writes it down adds it.
   */
  | { readonly t: "SEND_INTENT"; readonly gen: number; readonly date?: string | undefined }
  /**
   * `how`: no one could ask the service, and the operator knows it. `held`: the chunks that it was sent
   * with, where those are not all that it was made for.
   */
  | ({
      readonly t: "SENT";
      readonly gen: number;
      readonly cost: number;
      readonly how?: "operator" | undefined;
      readonly held?: readonly HeldChunk[] | undefined;
    } & Counts)
  /**
   * The send was refused, or never left. `sure`: no earlier one is in doubt, so nothing was sent; the
   * group may be sent later, when what was wrong is mended.
   */
  | {
      readonly t: "SEND_REFUSED";
      readonly gen: number;
      readonly sure: boolean;
      readonly code: string;
    }
  /** The service took the send and refused the group as a whole (quota, app). */
  | { readonly t: "FAILED"; readonly gen: number }
  | { readonly t: "CANCEL" }
  /** Whether what went out first lets the rest go out; `passed` may come behind its opposite, by a new word. */
  | { readonly t: "CANARY"; readonly passed: boolean }
  /** The service says that the group does not wait for its hour any more; deleting it proves the rest. */
  | { readonly t: "UNSCHEDULED"; readonly gen: number }
  /** A group that waited for its hour has gone out. */
  | ({ readonly t: "OUT"; readonly gen: number; readonly cost: number } & Counts)
  /** A group that waited for its hour does not any more, and was not sent: someone else took it off. */
  | { readonly t: "OFF"; readonly gen: number }
  /** The group was deleted before it was sent: it never can be. */
  | { readonly t: "CANCELLED"; readonly gen: number }
  | ({ readonly t: "POST_INTENT"; readonly chunk: number } & Signature)
  | ({
      readonly t: "POST_OK";
      readonly chunk: number;
      readonly group: string;
      readonly cost: number;
    } & Counts)
  | {
      readonly t: "POST_REFUSED";
      readonly chunk: number;
      readonly status: number;
      readonly code: string;
    }
  | { readonly t: "DOUBT"; readonly chunk: number }
  /** `taken`: the operator knows that the service has it; without it nothing was sent. */
  | {
      readonly t: "RESOLVED";
      readonly chunk: number;
      readonly how: "absent" | "operator";
      readonly taken?: AcceptedCall | undefined;
    }
  /** `elapsedMs`: how long the process worked that ended it. */
  | { readonly t: "END"; readonly elapsedMs?: number | undefined };

/** What this process alone knows; a resumed run finds it out again. */
export type ProcessFact =
  | { readonly t: "replayWindow"; readonly holds: boolean }
  | { readonly t: "signatureUsed"; readonly chunk: number }
  /** `absent`: it was not there, which is no proof while a copy may be on its way. */
  | { readonly t: "searched"; readonly chunk: number; readonly absent: boolean }
  /** The service asked to slow down: a gateway may have said so, so it is looked for before it is made anew. */
  | { readonly t: "limited"; readonly chunk: number }
  /** The service refused to send the group: its own record has to confirm that. */
  | { readonly t: "sendRefused"; readonly gen: number; readonly code: string }
  /** A send of this process got no answer, or one that the service did not give. */
  | { readonly t: "sendUnknown"; readonly gen: number; readonly isForeign?: boolean }
  /** The group has to be read; or was read, and proved nothing, or waits for its hour again. */
  | { readonly t: "read"; readonly gen: number; readonly found: "wanted" | "open" | "waiting" }
  | { readonly t: "cleared" }
  /** A group of an earlier process holds what the journal says. */
  | { readonly t: "checked"; readonly gen: number }
  | { readonly t: "refusedAdd"; readonly gen: number; readonly chunk: number }
  /** Its record says that someone else deleted it. */
  | { readonly t: "gone"; readonly gen: number }
  /** A list of groups that has to show it does not: it is read by itself. */
  | { readonly t: "unlisted"; readonly gen: number }
  /** The groups that hold rows of this run and were not sent, behind the creation of all of its own. */
  | { readonly t: "looked"; readonly rivals: readonly Rival[] }
  /** What became of one of them is known; or that it is still open. */
  | { readonly t: "rivalGone"; readonly id: string }
  | { readonly t: "rivalOpen"; readonly id: string }
  /** Time has passed: they are listed once more. */
  | { readonly t: "waited" }
  | { readonly t: "stop"; readonly why: StopReason };

/** A group that holds rows of this run and is not its own. */
export interface Rival {
  readonly id: string;
  readonly run: string;
  readonly rows: readonly Rows[];
  readonly isScheduled: boolean;
  /** Someone has worked on it a moment ago. */
  readonly isMoving: boolean;
}

export type Facts = readonly (Entry | ProcessFact)[];

/** Why a process leaves a run that another may take up. */
export type StopReason = "refused" | "unreachable" | "unreadable" | "guard" | "disk";
