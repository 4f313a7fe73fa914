/** The vocabulary of the sending protocol: what a run writes down and what it may do. */

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

/** What the service has of a call, as far as it is known: `group` is empty where nobody knows it. */
export interface AcceptedCall extends Counts {
  readonly group: string;
  readonly cost: number;
}

/** What a group holds of one chunk. */
export interface HeldChunk extends Counts {
  readonly chunk: number;
}

/** Why a group is given up before it was sent. */
export type AbandonReason = "create" | "add" | "refused" | "count" | "gone";

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
  | { readonly t: "GROUP"; readonly gen: number; readonly id: string }
  | ({ readonly t: "ADD_INTENT"; readonly gen: number; readonly chunk: number } & Signature)
  | ({ readonly t: "ADD_OK"; readonly gen: number; readonly chunk: number } & Counts)
  /** It is never sent by us, and is deleted next, so that nobody else can send it. */
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
   * `how`: nobody could ask the service, and the operator knows it. `held`: the chunks that it was sent
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
  /** The service says that the group does not wait for its hour any more; deleting it proves the rest. */
  | { readonly t: "UNSCHEDULED"; readonly gen: number }
  /** A group that waited for its hour has gone out. */
  | ({ readonly t: "OUT"; readonly gen: number; readonly cost: number } & Counts)
  /** A group that waited for its hour does not any more, and was not sent: somebody else took it off. */
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
  | { readonly t: "stop"; readonly why: StopReason };

export type Facts = readonly (Entry | ProcessFact)[];

/** Why a process leaves a run that another may take up. */
export type StopReason = "refused" | "unreachable" | "unreadable" | "guard" | "disk";

/** One request (or look) that the run needs now. */
export type Action =
  | { readonly type: "probe" }
  | { readonly type: "clear" }
  | { readonly type: "create"; readonly groupIndex: number }
  | {
      readonly type: "add";
      readonly groupIndex: number;
      readonly id: string;
      readonly chunk: number;
      readonly signature: Signature;
      readonly again: boolean;
    }
  /** Reads how many rows a group holds, after the service has seen an add before. */
  | {
      readonly type: "count";
      readonly groupIndex: number;
      readonly id: string;
      readonly chunk: number;
    }
  | { readonly type: "verify"; readonly groupIndex: number; readonly id: string }
  /** Reads whether a group that an earlier process verified still holds that, and no more. */
  | {
      readonly type: "check";
      readonly groupIndex: number;
      readonly id: string;
      readonly expected: Counts;
    }
  | { readonly type: "send"; readonly groupIndex: number; readonly id: string }
  | { readonly type: "readSent"; readonly groupIndex: number; readonly id: string }
  /** Reads which chunks a group holds, from the correlation ids of its messages. */
  | { readonly type: "readHeld"; readonly groupIndex: number; readonly id: string }
  /** Takes a group off its schedule. */
  | { readonly type: "unschedule"; readonly groupIndex: number; readonly id: string }
  | { readonly type: "delete"; readonly groupIndex: number; readonly id: string }
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
      /** No copy of the request can be accepted any more: what is not there was not sent. */
      readonly final: boolean;
    };

/** How a process's work on a run ends. */
export type Ending =
  | { readonly type: "done" }
  | { readonly type: "cancelled" }
  | { readonly type: "stopped"; readonly why: StopReason }
  /** Twelve groups in a row were lost to the line. */
  | { readonly type: "exhausted" }
  /** `signature`: what a unanswered call was signed with; a group that may have been sent has none. */
  | { readonly type: "unknown"; readonly signature: Signature | undefined };

export type Step =
  | { readonly type: "wait" }
  | { readonly type: "end"; readonly ending: Ending }
  /**
   * `before` must be durable before the action starts. Only first adds and posts may be under way
   * beside others (`alone` is false): everything else is waited for.
   */
  | {
      readonly type: "act";
      readonly before: Facts;
      readonly action: Action;
      readonly alone: boolean;
    };

/** What came of an action. */
export type Outcome =
  | {
      readonly type: "ok";
      readonly id: string;
      readonly counts: Counts;
      readonly cost: number;
      readonly failed: boolean;
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
  /** 409 AlreadySent or GroupInProcessing; of a schedule, that it was made or is gone already. */
  | { readonly type: "already" }
  /** What a group reads as; `total` counts refused rows too. */
  | {
      readonly type: "group";
      readonly status: "open" | "scheduled" | "sent" | "failed" | "deleted" | "other";
      readonly counts: Counts;
      readonly cost: number;
    }
  /** What a group that was sent holds, chunk by chunk. */
  | { readonly type: "held"; readonly held: readonly HeldChunk[]; readonly cost: number }
  | { readonly type: "absent" }
  /** A call for one message was executed, and the service refused the message. */
  | { readonly type: "declined"; readonly code: string }
  /** The bytes of the request are not on the disk any more: it did not leave, and never will. */
  | { readonly type: "noBody" }
  /** A read that failed for good. */
  | { readonly type: "unreadable" }
  | { readonly type: "yes" }
  /** Of a send: its hour has passed, and it did not leave. */
  | { readonly type: "no" };

/** What the machine asks of its surroundings: clocks and random numbers. */
export interface Clock {
  readonly fresh: () => Signature;
  /** Young enough, and of this key: a repeat with this signature lies inside the service's memory of it. */
  readonly canReplay: (signature: Signature) => boolean;
  /**
   * So old, by the service's clock and by one of our own, that the service accepts no copy any more, and
   * not so old that it forgets what it took.
   */
  readonly expired: (signature: Signature) => boolean;
  /** False when the operator's patience with this doubt (`--settle`) is used up. */
  readonly withinTimeout: (doubt: string) => boolean;
  /** For what has to be done once even by who has no patience: true at the first asking. */
  readonly mayTry: (what: string) => boolean;
}
