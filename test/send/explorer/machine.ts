/** What is explored, and what something else may answer in the service's place. */
import type { Action, Clock, Outcome, Step } from "../../../src/send/protocol/actions.ts";
import type { Facts } from "../../../src/send/protocol/entries.ts";
import type { State } from "../../../src/send/protocol/state.ts";

/** What is explored: the protocol of src, or one that is known to be bad. */
export interface Machine {
  readonly decide: (state: State, clock: Clock) => Step;
  readonly conclude: (state: State, action: Action, outcome: Outcome) => Facts;
  /** What an answer means that something else gives in the service's place. */
  readonly hear: (action: Action, answer: StrangeAnswer) => Outcome;
  /** How long ago a request was signed, and when. */
  readonly clocks: (times: Times) => Pick<Clock, "canReplay" | "expired"> & {
    readonly signingDate: () => string;
  };
  /** A process whose lease was taken over stops at its next intent. */
  readonly isFenced: boolean;
}

/** Nobody's refusal, or the answer to a request for another group. */
export type StrangeAnswer =
  | { readonly type: "refusal"; readonly status: number }
  | { readonly type: "other"; readonly groupId: string };

/** Minutes since the start of the walk: of the service, and as the `Date` of all answers has it. */
export interface Times {
  readonly minute: number;
  readonly dateMinute: number;
}

export interface Budget {
  /** Requests or answers that the line spoils. */
  readonly faults: number;
  readonly kills: number;
  /** Power cuts, each of which leaves a beginning of the records of one write. */
  readonly cuts: number;
  /** Steps of six minutes: patience ends, the replay window closes, signatures expire. */
  readonly ages: number;
  /** Minutes by which the `Date` of all answers is wrong. */
  readonly dateOff: number;
  readonly cancels: number;
  /** Groups that somebody else takes off their schedule. */
  readonly offs: number;
  /** Open groups that someone else sends or deletes, or adds to while no process is at work on the run. */
  readonly touches: number;
}

/** The one world left out: a stranger refuses in the service's own form, and holds the request back. */
export const isOwnForm = (outcome: Outcome): boolean => outcome.type === "refused";

/** What may be answered in the service's place, whatever the service did. */
export const strangers = (machine: Machine, live: State, action: Action): Outcome[] => {
  const refused = machine.hear(action, { type: "refusal", status: 403 });
  if (!("id" in action)) return [refused];
  const others = live.groups.flatMap(({ id }) => (id && id !== action.id ? [id] : []));
  const forbidden: Outcome = { type: "refused", status: 403, code: "Forbidden" };
  const own: Outcome[] = action.type === "add" ? [forbidden] : [forbidden, { type: "already" }];
  // In the service's own form: of a group its record is asked then.
  return [
    refused,
    ...own,
    ...others.map((groupId) => machine.hear(action, { type: "other", groupId })),
  ];
};

/** Copies of these change something when they arrive late. */
export const isLasting = (action: Action): boolean => lasting.has(action.type);

const lasting: ReadonlySet<Action["type"]> = new Set([
  "add",
  "post",
  "send",
  "unschedule",
  "delete",
]);

export const isConcurrent = (action: Action): boolean =>
  (action.type === "add" || action.type === "post") && !action.again;
