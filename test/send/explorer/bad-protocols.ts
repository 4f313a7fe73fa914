/** Protocols that are often written, each made from the real one by its one wrong step. */

import type { Clock } from "../../../src/send/protocol/actions.ts";
import { apply } from "../../../src/send/protocol/apply.ts";
import type { Entry } from "../../../src/send/protocol/entries.ts";
import { conclude, decide } from "../../../src/send/protocol/machine.ts";
import type { State } from "../../../src/send/protocol/state.ts";
import type { Machine } from "./machine.ts";
import { asSuccess, real } from "./real.ts";

/** Repeats a unanswered call with a new signature, as the service's own SDK does. */
export const retryWithNewSignature: Machine = {
  ...real,
  decide: (state, clock) => {
    const step = decide(state, clock);
    if (step.type !== "act" || step.action.type !== "post" || !step.action.again) return step;
    const signature = clock.fresh();
    const { chunk } = step.action;
    const intent: Entry = { t: "POST_INTENT", chunk, ...signature };
    return { ...step, before: [intent], action: { ...step.action, signature, again: false } };
  },
};

/** Looks for a unanswered call, and sends it again when it is not there. */
export const lookThenResend: Machine = {
  ...real,
  decide: (state, clock) => {
    const chunk = state.chunks.findIndex((it) => it.status === "unknown");
    const doubt = state.chunks[chunk];
    if (!doubt || !("signature" in doubt)) return decide(state, clock);
    const action = {
      type: "findEvidence",
      chunk,
      signature: doubt.signature,
      final: true,
    } as const;
    return { type: "act", before: [], action };
  },
};

/** Counts the rows of a group after a unanswered add, and adds again what seems to be missing. */
export const countThenAddAgain: Machine = {
  ...real,
  decide: (state: State, clock: Clock) => {
    const chunk = state.chunks.findIndex((it) => it.status === "unknown");
    const group = state.groups.find((it) => it.status === "filling");
    if (chunk < 0 || !group || state.stop) return decide(state, clock);
    const action = {
      type: "count",
      groupIndex: group.groupIndex,
      id: group.id ?? "",
      chunk,
    } as const;
    return { type: "act", before: [], action };
  },
  conclude: (state, action, outcome) => {
    const facts = conclude(state, action, outcome);
    const missing = action.type === "count" && facts[0]?.t === "ABANDON";
    return missing ? [{ t: "RESOLVED", chunk: action.chunk, how: "absent" }] : facts;
  },
};

/** Takes a group that was taken off its schedule for one that is never sent. */
export const takeOpenForNeverSent: Machine = {
  ...real,
  conclude: (state, action, outcome) =>
    conclude(state, action, outcome).map((it) =>
      it.t === "OFF" ? { t: "CANCELLED", gen: it.gen } : it,
    ),
};

/** Sends what another process verified, and does not look what became of it since. */
export const sendUnread: Machine = {
  ...real,
  decide: (state, clock) =>
    decide({ ...state, groups: state.groups.map((it) => ({ ...it, inherited: false })) }, clock),
};

const minuteMs = 60_000;

/** Takes any 4xx as the service's "no", as if nothing could answer in its place. */
export const believeAnyRefusal: Machine = {
  ...real,
  hear: (action, answer) =>
    answer.type === "refusal"
      ? { type: "refused", status: answer.status, code: `HTTP_${answer.status}` }
      : real.hear(action, answer),
};

/** Takes an answer for the one to its request, whatever it names. */
export const believeAnyGroup: Machine = {
  ...real,
  hear: (action, answer) =>
    answer.type === "other" ? asSuccess(action, answer.groupId) : real.hear(action, answer),
};

/** Takes the `Date` of an answer as proof that a signature has expired. */
export const believeAnyDate: Machine = {
  ...real,
  clocks: (times) => ({
    ...real.clocks(times),
    expired: ({ date }) => times.dateMinute * minuteMs - Date.parse(date) > 16 * minuteMs,
  }),
};

/** Signs with the clock of a machine that is four minutes fast. */
export const signAhead: Machine = {
  ...real,
  clocks: (times) => ({
    canReplay: ({ date }) => times.minute * minuteMs - Date.parse(date) <= 9 * minuteMs,
    expired: ({ date }) => times.minute * minuteMs - Date.parse(date) > 16 * minuteMs,
    signingDate: () => new Date((times.minute + 4) * minuteMs).toISOString(),
  }),
};

/** Goes on although another process has taken its run over. */
export const goOnUnfenced: Machine = { ...real, isFenced: false };

/** Gives a group up without deleting it: someone else may send it. */
export const leaveAbandoned: Machine = {
  ...real,
  decide: (state, clock) => {
    const step = decide(state, clock);
    const isDeletion = step.type === "act" && step.action.type === "delete" && !state.cancel;
    if (!isDeletion || !("groupIndex" in step.action)) return step;
    const { groupIndex } = step.action;
    const deleted: Entry = { t: "DELETED", gen: groupIndex };
    const next = decide([...step.before, deleted].reduce(apply, state), clock);
    return next.type === "act"
      ? { ...next, before: [...step.before, deleted, ...next.before] }
      : next;
  },
};

/** Sends what is filled, as it comes. */
export const sendPastCanary: Machine = {
  ...real,
  decide: (state, clock) => real.decide({ ...state, canary: "passed" }, clock),
};

/** Writes down that a group of refused rows is complete, and then that there is nothing to send in it. */
export const concludeInTwo: Machine = {
  ...real,
  conclude: (state, action, outcome) => {
    const facts = conclude(state, action, outcome);
    const isDone = action.type === "verify" && facts.some(({ t }) => t === "SENT");
    return isDone ? [{ t: "VERIFIED", gen: action.groupIndex }, ...facts] : facts;
  },
};
