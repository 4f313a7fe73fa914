/**
 * Path G: fill groups, verify them, then send each once. Nothing is sent before every group is
 * verified, and the request that sends may be repeated, since the service refuses a second send.
 */

import {
  act,
  actConcurrently,
  type Clock,
  countInFlight,
  end,
  endWhenCompleted,
  type Step,
  wait,
} from "./actions.ts";
import { apply } from "./apply.ts";
import { claim, isTooOld, look, survey } from "./claims.ts";
import type { Entry } from "./entries.ts";
import { formatRows, type Rows } from "./rows.ts";
import {
  type Chunk,
  countRest,
  countsOf,
  type Group,
  restOf,
  rowsOfChunks,
  type State,
} from "./state.ts";

/** What answers in the service's place so often will not let the request through. */
const maxForeignAnswers = 8;
/** Groups given up in a row before the run stops: the line is too bad. */
const maxAbandons = 12;

export const decideGroups = (state: State, clock: Clock): Step => {
  if (state.stop) return endWhenCompleted(state, { type: "stopped", why: state.stop });
  if (state.cancel) return cancelNext(state, clock);
  const given = state.groups.find((it) => isGivenUp.has(it.status) || it.gone);
  // Requests for it may still be under way.
  if (given && countInFlight(state) > 0) return wait;
  if (given?.status === "touched") return readHeld(given, clock);
  if (state.shape.goal === "settle") return reconcileSends(state, clock);
  if (given?.gone) return look(state, clock);
  if (given) return remove(given, clock);
  const open = state.groups.find((it) => it.status === "creating" || it.status === "filling");
  // No one knows the id of a group whose creation was not answered: another is made.
  if (open?.status === "creating")
    return following(state, { t: "ABANDON", gen: open.groupIndex, why: "create" }, clock);
  if (open) return fill(state, open, clock);
  if (state.chunks.some((it) => it.status === "planned"))
    return state.shape.claim && !state.isSurveyed ? survey(state, clock) : openGroup(state);
  return sendNext(state, clock);
};

const isGivenUp: ReadonlySet<Group["status"]> = new Set(["abandoning", "touched"]);

/** What comes after an entry that needs no request of its own. */
const following = (state: State, entry: Entry, clock: Clock): Step => {
  const step = decideGroups(apply(state, entry), clock);
  return step.type === "act" ? { ...step, before: [entry, ...step.before] } : step;
};

/** The next group: the first chunks that are in none, as many in a row as a group takes now. */
const openGroup = (state: State): Step => {
  if (state.abandons >= maxAbandons) return end({ type: "exhausted" });
  const isFree = (at: number): boolean => state.chunks[at]?.status === "planned";
  const from = state.chunks.findIndex((_, at) => isFree(at));
  const rowsTo = (end: number): readonly Rows[] => rowsOfChunks(state, range(from, end));
  let to = from + 1;
  const isAlike = (at: number): boolean => isCanary(state, at) === isCanary(state, from);
  while (to < from + state.width && isFree(to) && isAlike(to) && fits(rowsTo(to + 1))) to += 1;
  const groupIndex = state.groups.length;
  const action = { type: "create", groupIndex, rows: rowsTo(to) } as const;
  return fits(action.rows)
    ? act(action, [{ t: "GROUP_INTENT", gen: groupIndex, from, to }])
    : end({ type: "stopped", why: "refused" });
};

/** Whether a chunk goes out before the others. */
const isCanary = ({ shape: { canary } }: State, at: number): boolean =>
  canary !== undefined && at >= canary.from && at < canary.to;

const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from }, (_, at) => from + at);

/** A custom field takes no more characters. */
const fits = (rows: readonly Rows[]): boolean => formatRows(rows).length <= 100;

const fill = (state: State, group: Group, clock: Clock): Step => {
  const { groupIndex, chunks, id = "" } = group;
  const inFlight = countInFlight(state);
  const find = (at: Chunk["status"]): number =>
    chunks.find((it) => state.chunks[it]?.status === at) ?? -1;
  const refused = find("refused");
  const unknown = find("unknown");
  if (inFlight > 0 && (refused >= 0 || unknown >= 0)) return wait;
  if (refused >= 0)
    return following(state, { t: "ABANDON", gen: groupIndex, why: "refused" }, clock);
  if (unknown >= 0) return reconcileAdd(state, group, unknown, clock);
  const next = find("planned");
  if (next >= 0 && inFlight < state.shape.concurrency) {
    const signature = clock.fresh();
    const intent: Entry = { t: "ADD_INTENT", gen: groupIndex, chunk: next, ...signature };
    const part = partOf(state, next);
    const named = rowsOf(state, group);
    return actConcurrently(
      { type: "add", groupIndex, id, chunk: next, signature, again: false, part, ...named },
      [intent],
    );
  }
  const signed = state.shape.claim && group.signed;
  const verify = act({ type: "verify", groupIndex, id, signed });
  return inFlight > 0 ? wait : reading(verify, clock, groupIndex);
};

/** A read that brings nothing is made again, but not for ever. */
const reading = (step: Step, clock: Clock, groupIndex: number): Step =>
  clock.mayTry(`read ${groupIndex}`) ? step : end({ type: "stopped", why: "unreadable" });

/**
 * An add without an answer: within the replay window it is repeated, else the group is given up. A group that
 * is given up is never sent, so a copy that arrives late does no harm.
 */
const reconcileAdd = (state: State, group: Group, chunk: number, clock: Clock): Step => {
  const { groupIndex, id = "" } = group;
  const unknown = state.chunks[chunk];
  const signature = unknown && "signature" in unknown ? unknown.signature : undefined;
  const isCounted =
    unknown !== undefined &&
    "signatureUsed" in unknown &&
    (unknown.signatureUsed || unknown.limited);
  // As many may be missing as someone else added between two processes: no count tells them apart.
  if (isCounted && group.inherited)
    return following(state, { t: "ABANDON", gen: groupIndex, why: "add" }, clock);
  if (isCounted) return reading(act({ type: "count", groupIndex, id, chunk }), clock, groupIndex);
  const usable =
    signature !== undefined &&
    state.shape.signed &&
    state.replayWindow !== "broken" &&
    clock.canReplay(signature) &&
    clock.withinTimeout(signature.salt);
  if (!usable) return following(state, { t: "ABANDON", gen: groupIndex, why: "add" }, clock);
  if (state.replayWindow === "unknown") return act({ type: "probe" });
  const part = partOf(state, chunk);
  const named = rowsOf(state, group);
  return act({ type: "add", groupIndex, id, chunk, signature, again: true, part, ...named });
};

const rowsOf = (state: State, { chunks }: Group) =>
  state.shape.claim && { rows: rowsOfChunks(state, chunks) };

/** Its rows from its first on, where others have taken some of it. */
const partOf = (state: State, chunk: number): readonly Rows[] | undefined => {
  if (countRest(state, chunk) === state.shape.rows[chunk]) return undefined;
  const first = state.shape.rows.slice(0, chunk).reduce((sum, it) => sum + it, 0);
  return restOf(state, chunk).map(({ from, to }) => ({ from: from - first, to: to - first }));
};

/**
 * A group that is given up is deleted before another takes its rows: someone else might send it. Its own
 * record says what became of it; an error alone never does.
 */
const remove = ({ groupIndex, id = "", read }: Group, clock: Clock): Step => {
  if (!clock.mayTry(`delete ${groupIndex}`)) return end({ type: "stopped", why: "unreadable" });
  return act({ type: read === "wanted" ? "readSent" : "delete", groupIndex, id });
};

/** Someone else sent a group before it was complete: its messages tell which chunks are out. */
const readHeld = ({ groupIndex, id = "" }: Group, clock: Clock): Step =>
  clock.mayTry(`held ${groupIndex}`)
    ? act({ type: "readHeld", groupIndex, id })
    : end({ type: "stopped", why: "unreadable" });

/** The canary first. Of the rest only what is in doubt is settled before the canary has passed. */
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
  const unread = state.groups.find((it) => it.inherited && isNextWith(it, group));
  if (unread) return check(state, unread, clock);
  const rival = group.status === "verified" ? claim(state, clock) : undefined;
  if (rival) return rival;
  const { groupIndex, id = "" } = group;
  const signed = state.shape.claim && group.signed;
  // Of a doubt too: whoever asks which of two runs sent the same rows last goes by its date.
  const before: readonly Entry[] =
    group.status === "verified" || !group.intended ? [{ t: "SEND_INTENT", gen: groupIndex }] : [];
  if (group.status === "verified") return act({ type: "send", groupIndex, id, signed }, before);
  const isWithinTimeout =
    clock.withinTimeout(`send ${groupIndex}`) && group.foreignAnswers < maxForeignAnswers;
  if (group.read === "wanted" || (!isWithinTimeout && group.read === "no"))
    return act({ type: "readSent", groupIndex, id });
  // A group that reads PENDING proves nothing: a send may be under way.
  return isWithinTimeout
    ? act({ type: "send", groupIndex, id, signed }, before)
    : end({ type: "unknown", signature: undefined });
};

/** Another is filled in its place: whether it was sent before its record says, and whether it can be deleted. */
const retire = (group: Group, state: State, clock: Clock): Step => {
  const { groupIndex, id = "", hasUnknownSend, read } = group;
  return hasUnknownSend && read !== "open"
    ? act({ type: "readSent", groupIndex, id })
    : following(state, { t: "ABANDON", gen: groupIndex, why: "old" }, clock);
};

const confirmRefusal = ({ groupIndex, id = "" }: Group, clock: Clock): Step =>
  clock.mayTry(`refused ${groupIndex}`)
    ? act({ type: "readSent", groupIndex, id })
    : end({ type: "unknown", signature: undefined });

/** Of groups that were never sent all are read before the first goes out; a doubt is settled by itself. */
const isNextWith = (it: Group, next: Group): boolean =>
  it === next || (it.status === "verified" && next.status === "verified");

/** Hours may lie between two processes: what someone else added meanwhile must not go out with the run. */
const check = (state: State, group: Group, clock: Clock): Step => {
  const { groupIndex, id = "" } = group;
  const expected = countsOf(state, group);
  return reading(act({ type: "check", groupIndex, id, expected }), clock, groupIndex);
};

/** Only looks: what became of sends that were not answered, and of groups that waited for their hour. */
const reconcileSends = (state: State, clock: Clock): Step => {
  const sending = state.groups.filter((it) => it.status === "sending");
  const waiting = state.groups.filter((it) => isWaiting(state, it));
  const next = [...sending, ...waiting].find((it) => it.read !== "open");
  if (next) {
    const { groupIndex, id = "" } = next;
    const read = act({ type: "readSent", groupIndex, id });
    return isWaiting(state, next) ? reading(read, clock, groupIndex) : read;
  }
  return end(sending.length > 0 ? { type: "unknown", signature: undefined } : { type: "done" });
};

export const isFinished = ({ status }: Group): boolean =>
  status === "sent" || status === "failed" || status === "abandoned" || status === "cancelled";

/** It may still go out at its hour. */
export const isWaiting = ({ shape }: State, { status, out }: Group): boolean =>
  shape.scheduled && status === "sent" && !out;

/** It waited for its hour, and someone else took it off its schedule: no one sends it but by a new word. */
export const isUnscheduled = (state: State, group: Group): boolean =>
  isWaiting(state, group) && group.off;

/** It was not sent for certain, or waits for its hour. */
export const canBeCancelled = (state: State, group: Group): boolean =>
  !isFinished(group) || isWaiting(state, group);

/** It has to be taken off its schedule before it can be deleted. */
export const isOnSchedule = ({ shape }: State, { status, freed, off }: Group): boolean =>
  shape.scheduled && (status === "sent" || status === "sending") && !freed && !off;

/** Deleting proves what reading does not: deleted was never sent, refused was sent. */
const cancelNext = (state: State, clock: Clock): Step => {
  const group = state.groups.find((it) => canBeCancelled(state, it));
  if (!group) return end({ type: "cancelled" });
  const { groupIndex, id } = group;
  if (id === undefined)
    return following(state, { t: "ABANDON", gen: groupIndex, why: "create" }, clock);
  if (group.status === "touched") return readHeld(group, clock);
  if (group.read === "wanted") return act({ type: "readSent", groupIndex, id });
  if (!clock.mayTry(`delete ${groupIndex}`)) return end({ type: "unknown", signature: undefined });
  return act({ type: isOnSchedule(state, group) ? "unschedule" : "delete", groupIndex, id });
};
