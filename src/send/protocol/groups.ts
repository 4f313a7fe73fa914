/**
 * Path G: fill groups, verify them, then send each once. Nothing is sent before every group is
 * verified, and the request that sends may be repeated, since the service refuses a second send.
 */

import {
  type Action,
  act,
  type Clock,
  countInFlight,
  end,
  endWhenCompleted,
  type Step,
  tryAct,
  wait,
} from "./actions.ts";
import { apply } from "./apply.ts";
import {
  awaitTurn,
  claimRows,
  isTooOld,
  listRivals,
  listUnsent,
  readScheduled,
  readTaken,
} from "./claims.ts";
import type { AbandonReason, Entry, Signature } from "./entries.ts";
import { canBeCancelled, isOnSchedule, isWaiting } from "./group-status.ts";
import { formatRows, type RowRange } from "./row-ranges.ts";
import {
  countRemaining,
  countsOf,
  firstRow,
  type Group,
  isFree,
  remainingRows,
  rowsOfChunks,
  type State,
} from "./state.ts";

/** What answers in the service's place so often will not let the request through. */
const maxForeignAnswers = 8;
/** Groups given up in a row before the run stops: the connection is too bad. */
const maxAbandons = 12;

export const decideGroups = (state: State, clock: Clock): Step => {
  if (state.stop) return endWhenCompleted(state, { type: "stopped" });
  if (state.cancel) return cancelNext(state, clock);
  const unusable = state.groups.find(
    ({ status, read }) => status === "abandoning" || status === "touched" || read === "gone",
  );
  // Requests for it may still be under way.
  if (unusable && countInFlight(state) > 0) return wait;
  if (unusable?.status === "touched") return readHeld(state, unusable, clock);
  if (unusable?.read === "gone") return listRivals(state, clock);
  if (state.shape.goal === "reconcile") return reconcileSends(state, clock);
  if (unusable) return deleteAbandoned(unusable, clock);
  const open = state.groups.find((it) => it.status === "creating" || it.status === "filling");
  // No one knows the id of a group whose creation was not answered: another is made.
  if (open?.status === "creating") return abandon(state, open, "create", clock);
  if (open) return fill(state, open, clock);
  if (state.chunks.some((_, at) => isFree(state, at)))
    return state.shape.claim && !state.mayFill ? awaitTurn(state, clock) : openGroup(state);
  return sendNext(state, clock);
};

const abandon = (state: State, group: Group, why: AbandonReason, clock: Clock): Step =>
  applyAndDecide(state, { t: "ABANDON", gen: group.groupIndex, why }, clock);

/** What comes after an entry that needs no request of its own. */
const applyAndDecide = (state: State, entry: Entry, clock: Clock): Step => {
  const step = decideGroups(apply(state, entry), clock);
  return step.type === "act" ? { ...step, before: [entry, ...step.before] } : step;
};

/** The next group: the first chunks that are in none, as many in a row as a group takes now. */
const openGroup = (state: State): Step => {
  if (state.abandons >= maxAbandons) return end({ type: "exhausted" });
  const from = state.chunks.findIndex((_, at) => isFree(state, at));
  const rowsTo = (end: number): readonly RowRange[] => rowsOfChunks(state, range(from, end));
  let to = from + 1;
  const isAlike = (at: number): boolean => isCanary(state, at) === isCanary(state, from);
  const isNext = (at: number): boolean =>
    isFree(state, at) && isAlike(at) && fitsField(rowsTo(at + 1));
  while (to < from + state.width && isNext(to)) to += 1;
  const groupIndex = state.groups.length;
  const action = { type: "create", groupIndex, rows: rowsTo(to) } as const;
  return fitsField(action.rows)
    ? act(action, [{ t: "GROUP_INTENT", gen: groupIndex, from, to }])
    : end({ type: "stopped" });
};

/** Whether a chunk goes out before the others. */
const isCanary = ({ shape: { canary } }: State, at: number): boolean =>
  canary !== undefined && at >= canary.from && at < canary.to;

const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from }, (_, at) => from + at);

/** Whether a custom field can hold them. */
const fitsField = (rows: readonly RowRange[]): boolean => formatRows(rows).length <= 100;

const fill = (state: State, group: Group, clock: Clock): Step => {
  const inFlight = countInFlight(state);
  const unknown = group.chunks.find((at) => state.chunks[at]?.status === "unknown");
  if (unknown !== undefined)
    return inFlight > 0 ? wait : reconcileAdd(state, group, unknown, clock);
  const next = group.chunks.find((at) => isFree(state, at));
  if (next !== undefined && inFlight < state.shape.concurrency) {
    const signature = clock.fresh();
    const intent: Entry = { t: "ADD_INTENT", gen: group.groupIndex, chunk: next, ...signature };
    return act(add(state, group, next, signature, false), [intent]);
  }
  if (inFlight > 0) return wait;
  return read({ type: "verify", ...named(group), signed: signedOf(state, group) }, clock);
};

const named = ({ groupIndex, id = "" }: Group) => ({ groupIndex, id });

/** When it was made, if others may send its rows. */
const signedOf = ({ shape }: State, { signed }: Group): string | undefined => shape.claim && signed;

/** A read that brings nothing is repeated, but not forever: hours may pass between two reads of a group. */
const read = (action: Action & { readonly groupIndex: number }, clock: Clock): Step =>
  tryAct(`${action.type} ${action.groupIndex}`, action, clock);

const add = (
  state: State,
  group: Group,
  chunk: number,
  signature: Signature,
  again: boolean,
): Action => ({
  type: "add",
  ...named(group),
  chunk,
  signature,
  again,
  part: partOf(state, chunk),
  rows: state.shape.claim && rowsOfChunks(state, group.chunks),
});

/** The rows that are left, counted from its first, if others have taken some of it. */
const partOf = (state: State, chunk: number): readonly RowRange[] | undefined => {
  if (countRemaining(state, chunk) === state.shape.rows[chunk]) return undefined;
  const first = firstRow(state.shape, chunk);
  return remainingRows(state, chunk).map(({ from, to }) => ({
    from: from - first,
    to: to - first,
  }));
};

/**
 * An add without an answer: within the replay window it is repeated, else the group is given up. A group that
 * is given up is never sent, so a copy that arrives late does no harm.
 */
const reconcileAdd = (state: State, group: Group, chunk: number, clock: Clock): Step => {
  const unknown = state.chunks[chunk];
  if (!unknown || !("signature" in unknown)) return abandon(state, group, "add", clock);
  const { signature } = unknown;
  if (unknown.signatureUsed || unknown.limited) {
    // Someone else may have added, between two processes, as many as are missing: no count tells them apart.
    if (group.inherited) return abandon(state, group, "add", clock);
    return tryAct(`count ${signature.salt}`, { type: "count", ...named(group), chunk }, clock);
  }
  const isRepeatable =
    state.shape.signed &&
    state.replayWindow !== "broken" &&
    clock.canReplay(signature) &&
    clock.withinTimeout(signature.salt);
  if (!isRepeatable) return abandon(state, group, "add", clock);
  if (state.replayWindow === "unknown") return act({ type: "probe" });
  return act(add(state, group, chunk, signature, true));
};

/**
 * A group that is given up is deleted before another takes its rows: someone else might send it. Its own
 * record says what became of it; an error alone never does.
 */
const deleteAbandoned = (group: Group, clock: Clock): Step => {
  const type = group.read === "wanted" ? "readSent" : "delete";
  return tryAct(`delete ${group.groupIndex}`, { type, ...named(group) }, clock);
};

/** Someone else sent a group that was not, or is not, complete: its messages show which rows are out. */
const readHeld = (state: State, group: Group, clock: Clock): Step => {
  const rows = rowsOfChunks(state, group.chunks);
  return tryAct(`held ${group.groupIndex}`, { type: "readHeld", ...named(group), rows }, clock);
};

/** The canary first. Before it has passed, only what is in doubt of the rest is reconciled. */
const nextToSend = (state: State): Group | "canary" | undefined => {
  const ready = state.groups.filter((it) => it.status === "verified" || it.status === "sending");
  const first = ready.find(({ chunks }) => chunks.some((at) => isCanary(state, at)));
  const isHeld = state.shape.canary !== undefined && state.canary !== "passed";
  if (first || !isHeld) return first ?? ready[0];
  return ready.find((it) => it.status === "sending") ?? (ready.length > 0 ? "canary" : undefined);
};

const sendNext = (state: State, clock: Clock): Step => {
  const group = nextToSend(state);
  if (!group) return end({ type: "done" });
  if (group === "canary") return end({ type: "canary" });
  if (group.refusal !== undefined) return confirmRefusal(group, clock);
  if (isTooOld(state, group, clock)) return retire(group, state, clock);
  if (!state.cleared) return act({ type: "clear" });
  // Hours may lie between two processes: what someone else added meanwhile must not go out with the run.
  const unread = state.groups.find((it) => it.inherited && isSentAlongWith(it, group));
  if (unread)
    return read({ type: "check", ...named(unread), expected: countsOf(state, unread) }, clock);
  const isFirst = group.status === "verified";
  const claim = isFirst ? claimRows(state, clock) : undefined;
  if (claim) return claim;
  const { groupIndex: gen } = group;
  // Also if it is unknown: this date shows which of two runs sent the same rows last.
  const before: readonly Entry[] = isFirst || !group.hasIntent ? [{ t: "SEND_INTENT", gen }] : [];
  const send = act({ type: "send", ...named(group), signed: signedOf(state, group) }, before);
  if (isFirst) return send;
  const mayRepeat = clock.withinTimeout(`send ${gen}`) && group.foreignAnswers < maxForeignAnswers;
  if (group.read === "wanted" || (group.read === "no" && !mayRepeat)) return readSent(group);
  // A group that reads PENDING proves nothing: a send may be under way.
  return mayRepeat ? send : unknownSend;
};

const unknownSend = end({ type: "unknown", signature: undefined });

/** Another is filled in its place. Its record says whether it was sent before, and whether it can be deleted. */
const retire = (group: Group, state: State, clock: Clock): Step =>
  group.read === "open" ? abandon(state, group, "old", clock) : readSent(group);

const readSent = (group: Group): Step => act({ type: "readSent", ...named(group) });

const confirmRefusal = (group: Group, clock: Clock): Step =>
  clock.mayTry(`refused ${group.groupIndex}`) ? readSent(group) : unknownSend;

/** All groups that were never sent are read before the first goes out; one in doubt is reconciled on its own. */
const isSentAlongWith = (it: Group, next: Group): boolean =>
  it === next || (it.status === "verified" && next.status === "verified");

/** Only reads what became of sends that were not answered, and of groups that waited for their hour. */
const reconcileSends = (state: State, clock: Clock): Step => {
  const others = readTaken(state, clock) ?? readScheduled(state, clock);
  if (others) return others;
  const sending = state.groups.filter((it) => it.status === "sending");
  const waiting = state.groups.filter((it) => isWaiting(state, it));
  const next = [...sending, ...waiting].find((it) => it.read !== "open");
  if (next)
    return isWaiting(state, next)
      ? read({ type: "readSent", ...named(next) }, clock)
      : readSent(next);
  if (sending.length > 0) return unknownSend;
  return listUnsent(state, clock) ?? end({ type: "done" });
};

/** Deleting proves what reading does not: a deleted group was never sent, one whose deletion is refused was. */
const cancelNext = (state: State, clock: Clock): Step => {
  const group = state.groups.find((it) => canBeCancelled(state, it));
  if (!group)
    return listUnsent(state, clock) ?? readScheduled(state, clock) ?? end({ type: "cancelled" });
  if (group.id === undefined) return abandon(state, group, "create", clock);
  if (group.status === "touched") return readHeld(state, group, clock);
  if (group.read === "wanted") return readSent(group);
  if (!clock.mayTry(`delete ${group.groupIndex}`)) return unknownSend;
  return act({ type: isOnSchedule(state, group) ? "unschedule" : "delete", ...named(group) });
};
