/** What is explored, and what something else may answer in the service's place. */
import type { Action, Facts, Outcome, Step, World } from "../../../src/send/protocol/entries.ts";
import type { State } from "../../../src/send/protocol/state.ts";

/** What is explored: the protocol of src, or one that is known to be bad. */
export interface Machine {
  readonly decide: (state: State, world: World) => Step;
  readonly conclude: (state: State, action: Action, outcome: Outcome) => Facts;
  /** What an answer means that something else gives in the service's place. */
  readonly hear: (action: Action, answer: StrangeAnswer) => Outcome;
  /** How long ago a request was signed, and when. */
  readonly clocks: (times: Times) => Pick<World, "fenceOpen" | "expired"> & {
    readonly signingDate: () => string;
  };
  /** A process whose lease was taken over stops at its next intent. */
  readonly isFenced: boolean;
}

/** Nobody's refusal, or the answer to a request for another group. */
export type StrangeAnswer =
  | { readonly is: "refusal"; readonly status: number }
  | { readonly is: "other"; readonly groupId: string };

/** Minutes since the start of the walk: of the service, and as the `Date` of all answers has it. */
export interface Times {
  readonly minute: number;
  readonly dateMinute: number;
}

export interface Budget {
  /** Requests or answers that the line spoils. */
  readonly faults: number;
  readonly kills: number;
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
export const isOwnForm = (outcome: Outcome): boolean => outcome.is === "refused";

/** What may be answered in the service's place, whatever the service did. */
export const strangers = (machine: Machine, live: State, action: Action): Outcome[] => {
  const refused = machine.hear(action, { is: "refusal", status: 403 });
  if (!("id" in action)) return [refused];
  const others = live.groups.flatMap(({ id }) => (id && id !== action.id ? [id] : []));
  const forbidden: Outcome = { is: "refused", status: 403, code: "Forbidden" };
  const own: Outcome[] = action.do === "add" ? [forbidden] : [forbidden, { is: "already" }];
  // In the service's own form: of a group its record is asked then.
  return [
    refused,
    ...own,
    ...others.map((groupId) => machine.hear(action, { is: "other", groupId })),
  ];
};

/** Copies of these change something when they arrive late. */
export const isLasting = (action: Action): boolean => lasting.has(action.do);

const lasting: ReadonlySet<Action["do"]> = new Set(["add", "post", "send", "unschedule", "delete"]);

export const isConcurrent = (action: Action): boolean =>
  (action.do === "add" || action.do === "post") && !action.again;
