/** What follows from the outcome of an action of path G. */

import type { Action, Outcome } from "./actions.ts";
import {
  areEqual,
  type Counts,
  type Entry,
  type Facts,
  type ProcessFact,
  stop,
  sumOf,
  totalOf,
} from "./entries.ts";
import { isWaiting } from "./group-status.ts";
import { countRemaining, countsOf, type Group, isRateLimited, type State } from "./state.ts";

type GroupAction = Extract<Action, { readonly groupIndex: number }>;

export const concludeGroup = (state: State, action: GroupAction, outcome: Outcome): Facts => {
  const group = state.groups.find((it) => it.groupIndex === action.groupIndex);
  if (!group) return [];
  switch (action.type) {
    case "create":
      return afterCreate(state, action.groupIndex, outcome);
    case "add":
      return afterAdd(action, outcome);
    case "count":
      return afterCount(state, group, action.chunk, outcome);
    case "readHeld":
      return afterReadHeld(group, outcome);
    case "verify":
      return afterVerify(state, group, outcome);
    case "check":
      return afterCheck(state, group, action.expected, outcome);
    case "send":
      return afterSend(state, group, outcome);
    case "readSent":
      return afterRead(state, group, outcome);
    case "unschedule":
      return afterUnschedule(action.groupIndex, outcome);
    case "delete":
      return afterDelete(group, outcome);
  }
};

const afterCreate = ({ groups }: State, groupIndex: number, outcome: Outcome): Facts => {
  // An answer that was given before names a group that holds other rows.
  if (outcome.type === "ok" && groups.every((it) => it.id !== outcome.id)) {
    const { id, created, signed } = outcome;
    return [{ t: "GROUP", gen: groupIndex, id, created, signed }];
  }
  const abandon: Entry = { t: "ABANDON", gen: groupIndex, why: "create" };
  const isRefused = outcome.type === "refused" || outcome.type === "notSent";
  return isRefused ? [abandon, stop("unable")] : [abandon];
};

const afterAdd = (
  { groupIndex, chunk, again }: Extract<Action, { type: "add" }>,
  outcome: Outcome,
): Facts => {
  if (outcome.type === "ok") return [{ t: "ADD_OK", gen: groupIndex, chunk, ...outcome.counts }];
  if (outcome.type === "limited") return again ? [] : [{ t: "limited", chunk }];
  if (outcome.type === "duplicated") return [{ t: "signatureUsed", chunk }];
  const doubt: Entry = { t: "DOUBT", chunk };
  // A repeat that is refused, or does not leave, says nothing of the copy before it. After a first one the run ends:
  // the process that resumes it repeats the add, or gives the group up.
  if (!again && outcome.type !== "unknown") return [doubt, stop("unable")];
  // After the service's "no" to a repeat this signature can no longer resolve the doubt; and what answers in
  // its place answers the repeat too.
  const isFinal = outcome.type === "refused" || (outcome.type === "unknown" && outcome.isForeign);
  return isFinal ? [doubt, { t: "ABANDON", gen: groupIndex, why: "add" }] : [doubt];
};

const afterCount = (state: State, group: Group, chunk: number, outcome: Outcome): Facts => {
  if (outcome.type !== "group" || outcome.status !== "open")
    return afterLookAtOpen(state, group, outcome);
  const others = countsOf(state, group, chunk);
  const accepted = outcome.counts.accepted - others.accepted;
  const refused = outcome.counts.refused - others.refused;
  const isWhole =
    accepted >= 0 && refused >= 0 && accepted + refused === countRemaining(state, chunk);
  if (isWhole) return [{ t: "ADD_OK", gen: group.groupIndex, chunk, accepted, refused }];
  // The service said that it did not take it, and shows that.
  if (isRateLimited(state.chunks[chunk]) && accepted === 0 && refused === 0)
    return [{ t: "RESOLVED", chunk, how: "absent" }];
  return [{ t: "ABANDON", gen: group.groupIndex, why: "count" }];
};

const afterVerify = (state: State, group: Group, outcome: Outcome): Facts => {
  const gen = group.groupIndex;
  if (outcome.type === "old") return [{ t: "ABANDON", gen, why: "old" }];
  if (outcome.type !== "group" || outcome.status !== "open")
    return afterLookAtOpen(state, group, outcome);
  const counts = countsOf(state, group);
  if (!areEqual(outcome.counts, counts)) return [{ t: "ABANDON", gen, why: "count" }];
  if (counts.accepted > 0) return [{ t: "VERIFIED", gen }];
  // There is nothing to send in it: the service would refuse that, and the groups after it would wait.
  const t = state.shape.scheduled ? "OUT" : "SENT";
  return [{ t, gen, cost: 0, ...counts }];
};

/** Someone else sent the group first, or scheduled it: nothing is filled in its place without their knowledge. */
const afterLookAtOpen = (state: State, group: Group, outcome: Outcome): Facts => {
  // The connection is bad: the same is read again, for the time of `--settle`.
  if (outcome.type === "unreadable") return [];
  if (outcome.type !== "group") return [stop("unable")];
  if (outcome.status === "sent") return [{ t: "TOUCHED", gen: group.groupIndex }];
  return outcome.status === "deleted" ? afterGone(state, group) : [stop("refused")];
};

const afterReadHeld = (group: Group, outcome: Outcome): Facts => {
  if (outcome.type === "unreadable") return [];
  if (outcome.type !== "held" && outcome.type !== "heldRows") return [stop("unable")];
  // Rows that someone took out after this process had filled it are sent when an operator resumes the run.
  const rest = group.hasIntent && outcome.isCut ? [stop("refused")] : [];
  if (outcome.type === "heldRows") return [{ t: "TAKEN", ...outcome.taken }, ...rest];
  const { held, cost } = outcome;
  return [{ t: "SENT", gen: group.groupIndex, cost, ...sumOf(held), held }, ...rest];
};

/**
 * Someone else deleted it, so it was never sent and never will be. An operator who resumes the run after that
 * wants its rows sent: another is filled. A process that is at work does not do that unasked.
 */
const afterGone = ({ shape }: State, { groupIndex, inherited }: Group): Facts => {
  if (shape.claim) return [{ t: "read", gen: groupIndex, found: "gone" }];
  const gone: Entry = { t: "ABANDON", gen: groupIndex, why: "gone" };
  return inherited ? [gone] : [gone, stop("refused")];
};

/** Messages that someone else added to it would go out, and be paid for, with it. */
const afterCheck = (state: State, group: Group, expected: Counts, outcome: Outcome): Facts => {
  if (outcome.type !== "group") return afterLookAtOpen(state, group, outcome);
  if (outcome.status !== "open") return afterRead(state, group, outcome);
  const isSame = areEqual(outcome.counts, expected);
  return [isSame ? { t: "checked", gen: group.groupIndex } : stop("refused")];
};

/** What the service counts, if it adds up; else what was verified before the send. */
const sentCounts = (state: State, group: Group, counts: Counts): Counts => {
  const verified = countsOf(state, group);
  return totalOf(counts) === totalOf(verified) ? counts : verified;
};

const afterSend = (state: State, group: Group, outcome: Outcome): Facts => {
  const { groupIndex, hasUnknownSend } = group;
  switch (outcome.type) {
    case "ok": {
      if (outcome.failed) return [{ t: "FAILED", gen: groupIndex }, stop("refused")];
      const counts = sentCounts(state, group, outcome.counts);
      // Someone took messages out after the last look: its messages show which rows it has.
      if (totalOf(outcome.counts) < totalOf(counts)) return [{ t: "TOUCHED", gen: groupIndex }];
      return [{ t: "SENT", gen: groupIndex, cost: outcome.cost, ...counts }];
    }
    case "already":
      return [{ t: "sendUnknown", gen: groupIndex }, readWanted(groupIndex)];
    case "refused":
      return [{ t: "sendRefused", gen: groupIndex, code: outcome.code }];
    case "notSent":
      if (hasUnknownSend) return [];
      return [
        { t: "SEND_REFUSED", gen: groupIndex, sure: true, code: "Unreachable" },
        stop("unable"),
      ];
    case "no":
      return afterHour(group);
    case "old":
      return [];
    default:
      return isAnswered(outcome)
        ? [{ t: "sendUnknown", gen: groupIndex, isForeign: true }, readWanted(groupIndex)]
        : [{ t: "sendUnknown", gen: groupIndex }];
  }
};

/** Something answered, and the same answer would come again: the group's record is read in between. */
const isAnswered = (outcome: Outcome): boolean =>
  outcome.type === "duplicated" || (outcome.type === "unknown" && outcome.isForeign === true);

const readWanted = (gen: number): ProcessFact => ({ t: "read", gen, found: "wanted" });

/** The hour has passed before the request left. What an earlier one did is read once, and stays unknown. */
const afterHour = ({ groupIndex, hasUnknownSend, read }: Group): Facts => {
  if (hasUnknownSend) return read === "open" ? [stop("guard")] : [readWanted(groupIndex)];
  return [{ t: "SEND_REFUSED", gen: groupIndex, sure: true, code: "HourPassed" }, stop("guard")];
};

const afterRead = (state: State, group: Group, outcome: Outcome): Facts => {
  const { groupIndex } = group;
  if (group.status === "abandoning") return afterReadAbandoned(state, group, outcome);
  if (group.refusal !== undefined && isRefusalConfirmed(state, outcome))
    return [
      { t: "SEND_REFUSED", gen: groupIndex, sure: !group.hasUnknownSend, code: group.refusal },
      stop("refused"),
    ];
  if (outcome.type !== "group") {
    if (group.refusal !== undefined) return [];
    if (state.cancel) return [stop("unable")];
    // Someone may have taken it off its schedule: only its record says that it still waits.
    return isWaiting(state, group) ? [] : [readOpen(groupIndex)];
  }
  const { cost } = outcome;
  const counts = sentCounts(state, group, outcome.counts);
  const isUnsent = group.status === "filling" || group.status === "verified";
  // Someone else sent or scheduled it, or took messages out of it: its messages show which rows it has.
  const isTouched = isUnsent || totalOf(outcome.counts) < totalOf(counts);
  switch (outcome.status) {
    case "sent":
      if (isTouched) return [{ t: "TOUCHED", gen: groupIndex }];
      return [{ t: state.shape.scheduled ? "OUT" : "SENT", gen: groupIndex, cost, ...counts }];
    case "scheduled":
      return isTouched && state.shape.scheduled && !state.cancel
        ? [{ t: "TOUCHED", gen: groupIndex }]
        : afterReadScheduled(state, group, { cost, ...counts }, outcome.isMoved);
    case "failed":
      return [{ t: "FAILED", gen: groupIndex }];
    case "deleted":
      return afterReadDeleted(state, group);
    default:
      return state.cancel ? [stop("refused")] : afterReadOpen(state, group, outcome);
  }
};

/** The group is still open, waits for an hour that someone else gave it, or is not even shown: no one has sent it. */
const isRefusalConfirmed = ({ shape }: State, outcome: Outcome): boolean =>
  outcome.type === "refused" ||
  (outcome.type === "group" &&
    (outcome.status === "open" || (outcome.status === "scheduled" && !shape.scheduled)));

/** What became of a group that was given up, by its own record. */
const afterReadAbandoned = ({ shape }: State, { groupIndex }: Group, outcome: Outcome): Facts => {
  if (outcome.type !== "group") return outcome.type === "refused" ? [stop("unable")] : [];
  if (outcome.status === "deleted") return [{ t: "DELETED", gen: groupIndex }];
  // It waits for its hour: an earlier process scheduled it, and its journal is gone, or someone else did.
  const isWaiting = outcome.status === "scheduled" && shape.scheduled;
  if (outcome.status === "sent" || isWaiting) return [{ t: "TOUCHED", gen: groupIndex }];
  // It can be deleted: the deletion before was lost.
  if (outcome.status === "open" || outcome.status === "failed")
    return [{ t: "read", gen: groupIndex, found: "open" }];
  return [stop("refused")];
};

/** A group that was on its schedule and is open again was taken off; one that never was may still get there. */
const afterReadOpen = (state: State, group: Group, { status }: { status: string }): Facts => {
  const { groupIndex, schedule } = group;
  const isNew = status === "open" && isWaiting(state, group) && schedule !== "off";
  return isNew ? [{ t: "OFF", gen: groupIndex }, readOpen(groupIndex)] : [readOpen(groupIndex)];
};

/**
 * The deletion was meant to stop a group whose send is in doubt, or that waits for its hour: it is not filled
 * again. If others may send the rows, one of them may have deleted it: what they have sent, or scheduled, is
 * listed first.
 */
const afterReadDeleted = (state: State, group: Group): Facts => {
  const isDoubt = group.hasUnknownSend && !state.shape.claim;
  const isOrdered = state.cancel || isDoubt || (group.status === "sent" && !state.shape.claim);
  return isOrdered ? [{ t: "CANCELLED", gen: group.groupIndex }] : afterGone(state, group);
};

/** A schedule that arrived late has to be taken back if the run is cancelled. */
const afterReadScheduled = (
  { shape, cancel }: State,
  { groupIndex, status, schedule }: Group,
  counted: Counts & { readonly cost: number },
  isMoved = false,
): Facts => {
  // Someone else gave it an hour: until it is off again it cannot be sent.
  if (!shape.scheduled) return [stop("refused")];
  if (cancel) {
    const waiting: ProcessFact = { t: "read", gen: groupIndex, found: "waiting" };
    // What takes it off then knows that it was on.
    const isKnown = status === "sent" || status === "sending";
    return isKnown ? [waiting] : [{ t: "SENT", gen: groupIndex, ...counted }, waiting];
  }
  const isKnown = status === "sent" && schedule !== "off";
  return [
    isKnown ? readOpen(groupIndex) : { t: "SENT", gen: groupIndex, ...counted },
    ...(isMoved ? [stop("refused")] : []),
  ];
};

const afterUnschedule = (groupIndex: number, outcome: Outcome): Facts => {
  if (outcome.type === "ok" || outcome.type === "already")
    return [{ t: "UNSCHEDULED", gen: groupIndex }];
  return outcome.type === "unknown" ? [] : [stop("unable")];
};

const readOpen = (gen: number): ProcessFact => ({ t: "read", gen, found: "open" });

const afterDelete = ({ groupIndex, status }: Group, outcome: Outcome): Facts => {
  if (outcome.type === "group" && outcome.status === "deleted")
    return [{ t: status === "abandoning" ? "DELETED" : "CANCELLED", gen: groupIndex }];
  if (outcome.type === "notSent") return [stop("unable")];
  return outcome.type === "unknown" && !outcome.isForeign ? [] : [readWanted(groupIndex)];
};
