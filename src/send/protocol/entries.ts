/** What a run learns: the entries of its journal, and facts that only its process keeps. */
import * as v from "valibot";
import type { RowRange } from "./row-ranges.ts";

/** A number of rows, or a place among them. */
export const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const gen = count;
const chunk = count;
const cost = v.number();

/** What the service counted: rows it took and rows it refused with a code. */
export type Counts = Readonly<v.InferOutput<v.ObjectSchema<typeof counts, undefined>>>;
const counts = { accepted: count, refused: count };
export const totalOf = ({ accepted, refused }: Counts): number => accepted + refused;
export const sumOf = (some: readonly Counts[]): Counts => ({
  accepted: some.reduce((sum, it) => sum + it.accepted, 0),
  refused: some.reduce((sum, it) => sum + it.refused, 0),
});
export const areEqual = (one: Counts, other: Counts): boolean =>
  one.accepted === other.accepted && one.refused === other.refused;

/** What a request was signed with. The signature itself is a credential and is never stored. */
export type Signature = Readonly<v.InferOutput<v.ObjectSchema<typeof signature, undefined>>>;
const signature = {
  date: v.string(),
  salt: v.string(),
  /**
   * The last four characters of the key that signed; an access token signs nothing. With another key
   * the same date and salt are another signature, which the service has not seen.
   */
  key: v.optional(v.string()),
  /** When it was signed, by this machine's clock: the date itself lies before that. */
  signedAt: v.optional(v.string()),
};

/** What the service has of a call, as far as it is known: `group` is empty if no one knows it. */
export type AcceptedCall = Readonly<v.InferOutput<typeof acceptedCall>>;
const acceptedCall = v.object({ group: v.string(), cost, ...counts });

/** What a group holds of one chunk. */
export type HeldChunk = Readonly<v.InferOutput<typeof heldChunk>>;
const heldChunk = v.object({ chunk, ...counts });

/**
 * Why a group is given up before it was sent. `gone`: someone else deleted it. `taken`: its rows are in a
 * group that was sent. `old`: its rows may be in a group that was made since, for all it can see.
 */
export type AbandonReason = v.InferOutput<typeof abandonReason>;
const abandonReason = v.picklist(["create", "add", "count", "gone", "taken", "old"]);

/** Raised when the meaning of an entry changes. */
export const journalVersion = 2;

const entryOf = <const T extends string, const F extends v.ObjectEntries>(t: T, fields: F) =>
  v.object({ t: v.literal(t), ...fields });

/** Facts that outlive the process. An intent is on the disk before its request leaves. */
export const entry = v.variant("t", [
  entryOf("RUN", {
    run: v.string(),
    version: v.literal(journalVersion),
    /** What run.json says except for its chunks, which plan.jsonl shows: either rebuilds the other. */
    file: v.optional(v.unknown()),
  }),
  /** Requests may follow. */
  entryOf("START", {}),
  entryOf("GROUP_INTENT", { gen, from: count, to: count }),
  entryOf("GROUP", {
    gen,
    id: v.string(),
    /** When, by the service's own clock. */
    created: v.optional(v.string()),
    /** The date of the request that made it. */
    signed: v.optional(v.string()),
  }),
  entryOf("ADD_INTENT", { gen, chunk, ...signature }),
  entryOf("ADD_OK", { gen, chunk, ...counts }),
  /**
   * A group of another run, or one that this journal does not know, was sent with these rows; or one of this run that
   * someone else took messages out of, whose other rows are free for another group. The last record of a group counts;
   * without rows it was not sent after all.
   */
  entryOf("TAKEN", {
    id: v.string(),
    run: v.string(),
    rows: v.pipe(v.array(v.object({ from: count, to: count })), v.readonly()),
    /** It waits for its hour. */
    scheduled: v.boolean(),
    cost,
    /** When that was. */
    sent: v.optional(v.string()),
    ...counts,
  }),
  /** It is never sent by us, and is deleted next, so that no one else can send it. */
  entryOf("ABANDON", { gen, why: abandonReason }),
  /** The record of an abandoned group says so: it was never sent, and never will be. */
  entryOf("DELETED", { gen }),
  /** Someone else sent the group before it was complete: what it holds has to be read. */
  entryOf("TOUCHED", { gen }),
  entryOf("VERIFIED", { gen }),
  /**
   * After an OFF: the operator wants it on its schedule again. Each process that sends it writes one.
   * `date`: when that was, since a group may be filled long before it is sent; the writer of the entry adds it.
   */
  entryOf("SEND_INTENT", { gen, date: v.optional(v.string()) }),
  entryOf("SENT", {
    gen,
    cost,
    ...counts,
    /** The service could not be asked, and the operator knows it. */
    how: v.optional(v.literal("operator")),
    /** The chunks that it was sent with, if those are not all that it was made for. */
    held: v.optional(v.pipe(v.array(heldChunk), v.readonly())),
  }),
  /**
   * The send was refused, or never left. `sure`: no earlier one is in doubt, so nothing was sent; the
   * group may be sent later, when what was wrong is fixed.
   */
  entryOf("SEND_REFUSED", { gen, sure: v.boolean(), code: v.string() }),
  /** The service took the send and refused the group as a whole (quota, app). */
  entryOf("FAILED", { gen }),
  entryOf("CANCEL", {}),
  /** Whether what went out first lets the rest go out; `passed` may follow its opposite, when an operator says so. */
  entryOf("CANARY", { passed: v.boolean() }),
  /** The service says that the group no longer waits for its hour; deleting it proves the rest. */
  entryOf("UNSCHEDULED", { gen }),
  /** A group that waited for its hour has gone out. */
  entryOf("OUT", { gen, cost, ...counts }),
  /** A group that waited for its hour no longer does, and was not sent: someone else took it off. */
  entryOf("OFF", { gen }),
  /** The group was deleted before it was sent: it never can be. */
  entryOf("CANCELLED", { gen }),
  entryOf("POST_INTENT", { chunk, ...signature }),
  entryOf("POST_OK", { chunk, group: v.string(), cost, ...counts }),
  entryOf("POST_REFUSED", { chunk, status: count, code: v.string() }),
  entryOf("DOUBT", { chunk }),
  entryOf("RESOLVED", {
    chunk,
    how: v.picklist(["absent", "operator"]),
    /** The operator knows that the service has it; without it nothing was sent. */
    taken: v.optional(acceptedCall),
  }),
  /** `elapsedMs`: how long the process that ended it had worked. */
  entryOf("END", { elapsedMs: v.optional(v.number()) }),
]);

export type Entry = Readonly<v.InferOutput<typeof entry>>;

/** What this process alone knows; a resumed run finds it out again. */
export type ProcessFact =
  | { readonly t: "replayWindow"; readonly holds: boolean }
  | { readonly t: "signatureUsed"; readonly chunk: number }
  /** `absent`: it was not there, which is no proof while a copy may be on its way. */
  | { readonly t: "searched"; readonly chunk: number; readonly absent: boolean }
  /** The service, or a gateway, asked to slow down: the call is looked for before it is made again. */
  | { readonly t: "limited"; readonly chunk: number }
  /** The service refused to send the group: its own record has to confirm that. */
  | { readonly t: "sendRefused"; readonly gen: number; readonly code: string }
  /** A send of this process got no answer, or one that the service did not give. */
  | { readonly t: "sendUnknown"; readonly gen: number; readonly isForeign?: boolean }
  /** The group has to be read; or was read, and proved nothing, waits for its hour again, or is gone. */
  | {
      readonly t: "read";
      readonly gen: number;
      readonly found: "wanted" | "open" | "waiting" | "gone";
    }
  | { readonly t: "cleared" }
  /** A group of an earlier process holds what the journal says. */
  | { readonly t: "checked"; readonly gen: number }
  /** A list that has to show the group does not: the group is read by itself. */
  | { readonly t: "unlisted"; readonly gen: number }
  /** What is known now of the groups that hold rows of this run and were not sent; undefined: they are listed next. */
  | { readonly t: "rivals"; readonly rivals: readonly ListedGroup[] | undefined }
  | { readonly t: "stop"; readonly why: StopReason };

/** A group with rows of this run. `other`: what it holds cannot be known, or it goes out at another hour. */
export interface ListedGroup {
  readonly id: string;
  readonly run: string;
  readonly rows: readonly RowRange[];
  readonly status: "open" | "scheduled" | "sent" | "failed" | "deleted" | "other";
  readonly counts: Counts;
  readonly cost: number;
  /** Someone worked on it a moment ago. */
  readonly isActive: boolean;
  readonly sent?: string | undefined;
}

export type Fact = Entry | ProcessFact;
export type Facts = readonly Fact[];

const entryTypes: ReadonlySet<string> = new Set(entry.options.map((it) => it.entries.t.literal));

/** Whether a fact belongs in the journal. */
export const isEntry = (fact: Fact): fact is Entry => entryTypes.has(fact.t);

/**
 * Why a process leaves a run that another may take up. If a call was refused, or nothing may be sent now, calls
 * without an answer are still resolved; if it is unable to go on, nothing is.
 */
export type StopReason = "refused" | "guard" | "unable";

export const stop = (why: StopReason): ProcessFact => ({ t: "stop", why });
