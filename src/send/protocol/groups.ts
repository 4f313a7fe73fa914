/**
 * Path G: fill groups, verify them, then send each once (sending.md 3). Nothing is sent before every
 * group is verified, and the request that sends may be repeated: the service refuses a second send.
 */

import { apply } from "./apply.ts";
import { countsOf } from "./counts.ts";
import type { Entry, Step, World } from "./entries.ts";
import type { Chunk, Group, State } from "./state.ts";
import { act, among, end, endWhenLanded, flyingIn, wait } from "./steps.ts";

/** What answers in the service's place so often will not let the request through. */
const maxForeignAnswers = 8;
/** Groups given up in a row before the run stops: the line is too bad (sending.md 1). */
const mostAbandons = 12;

export const decideGroups = (state: State, world: World): Step => {
  if (state.stop) return endWhenLanded(state, { is: "stopped", why: state.stop });
  if (state.cancel) return cancelNext(state, world);
  const given = state.groups.find((it) => it.at === "abandoning" || it.at === "touched");
  // Requests for it may still be under way.
  if (given && flyingIn(state) > 0) return wait;
  if (given?.at === "touched") return readHeld(given, world);
  if (state.shape.goal === "settle") return settleSends(state);
  if (given) return remove(given, world);
  const open = state.groups.find((it) => it.at === "creating" || it.at === "filling");
  // Nobody knows the id of a group whose creation was not answered: another is made.
  if (open?.at === "creating")
    return following(state, { t: "ABANDON", gen: open.gen, why: "create" }, world);
  if (open) return fill(state, open, world);
  if (state.chunks.some((it) => it.at === "planned")) return openGroup(state);
  return sendNext(state, world);
};

/** What comes after an entry that needs no request of its own. */
const following = (state: State, entry: Entry, world: World): Step => {
  const step = decideGroups(apply(state, entry), world);
  return step.do === "act" ? { ...step, before: [entry, ...step.before] } : step;
};

/** The next group: the first chunks that are in none, as many in a row as a group takes now. */
const openGroup = (state: State): Step => {
  if (state.abandons >= mostAbandons) return end({ is: "exhausted" });
  const isFree = (at: number): boolean => state.chunks[at]?.at === "planned";
  const from = state.chunks.findIndex((_, at) => isFree(at));
  let to = from;
  while (to < from + state.width && isFree(to)) to += 1;
  const gen = state.groups.length;
  return act({ do: "create", gen }, [{ t: "GROUP_INTENT", gen, from, to }]);
};

const fill = (state: State, group: Group, world: World): Step => {
  const { gen, chunks, id = "" } = group;
  const flying = flyingIn(state);
  const find = (at: Chunk["at"]): number => chunks.find((it) => state.chunks[it]?.at === at) ?? -1;
  const refused = find("refused");
  const doubt = find("doubt");
  if (flying > 0 && (refused >= 0 || doubt >= 0)) return wait;
  if (refused >= 0) return following(state, { t: "ABANDON", gen, why: "refused" }, world);
  if (doubt >= 0) return settleAdd(state, group, doubt, world);
  const next = find("planned");
  if (next >= 0 && flying < state.shape.concurrency) {
    const signature = world.fresh();
    const intent: Entry = { t: "ADD_INTENT", gen, chunk: next, ...signature };
    return among({ do: "add", gen, id, chunk: next, signature, again: false }, [intent]);
  }
  return flying > 0 ? wait : reading(act({ do: "verify", gen, id }), world, gen);
};

/** A read that brings nothing is made again, but not for ever. */
const reading = (step: Step, world: World, gen: number): Step =>
  world.mayTry(`read ${gen}`) ? step : end({ is: "stopped", why: "unreadable" });

/**
 * An add without an answer: behind the fence it is repeated, else the group is given up. A group that
 * is given up is never sent, so a copy that arrives late does no harm.
 */
const settleAdd = (state: State, group: Group, chunk: number, world: World): Step => {
  const { gen, id = "" } = group;
  const doubt = state.chunks[chunk];
  const signature = doubt && "signature" in doubt ? doubt.signature : undefined;
  const isCounted = doubt !== undefined && "burnt" in doubt && (doubt.burnt || doubt.limited);
  // As many may be missing as someone else added between two processes: no count tells them apart.
  if (isCounted && group.inherited)
    return following(state, { t: "ABANDON", gen, why: "add" }, world);
  if (isCounted) return reading(act({ do: "count", gen, id, chunk }), world, gen);
  const usable =
    signature !== undefined &&
    state.shape.signed &&
    state.fence !== "broken" &&
    world.fenceOpen(signature) &&
    world.patient(signature.salt);
  if (!usable) return following(state, { t: "ABANDON", gen, why: "add" }, world);
  if (state.fence === "unknown") return act({ do: "probe" });
  return act({ do: "add", gen, id, chunk, signature, again: true });
};

/**
 * A group that is given up is deleted before another takes its rows: someone else might send it. Its own
 * record says what became of it; an error alone never does.
 */
const remove = ({ gen, id = "", read }: Group, world: World): Step => {
  if (!world.mayTry(`delete ${gen}`)) return end({ is: "stopped", why: "unreadable" });
  return act({ do: read === "wanted" ? "readSent" : "delete", gen, id });
};

/** Someone else sent a group before it was complete: its messages tell which chunks are out. */
const readHeld = ({ gen, id = "" }: Group, world: World): Step =>
  world.mayTry(`held ${gen}`)
    ? act({ do: "readHeld", gen, id })
    : end({ is: "stopped", why: "unreadable" });

const sendNext = (state: State, world: World): Step => {
  const group = state.groups.find((it) => it.at === "verified" || it.at === "sending");
  if (!group) return end({ is: "done" });
  if (group.refusal !== undefined) return confirmRefusal(group, world);
  if (!state.cleared) return act({ do: "clear" });
  const unread = state.groups.find((it) => it.inherited && isNextWith(it, group));
  if (unread) return check(state, unread, world);
  const { gen, id = "" } = group;
  // Of a doubt too: whoever asks which of two runs sent the same rows last goes by its date.
  const before: readonly Entry[] =
    group.at === "verified" || !group.intended ? [{ t: "SEND_INTENT", gen }] : [];
  if (group.at === "verified") return act({ do: "send", gen, id }, before);
  const patient = world.patient(`send ${gen}`) && group.foreignAnswers < maxForeignAnswers;
  if (group.read === "wanted" || (!patient && group.read === "no"))
    return act({ do: "readSent", gen, id });
  // A group that reads PENDING proves nothing: a send may be under way.
  return patient
    ? act({ do: "send", gen, id }, before)
    : end({ is: "unknown", signature: undefined });
};

const confirmRefusal = ({ gen, id = "" }: Group, world: World): Step =>
  world.mayTry(`refused ${gen}`)
    ? act({ do: "readSent", gen, id })
    : end({ is: "unknown", signature: undefined });

/** Of groups that were never sent all are read before the first goes out; a doubt is settled by itself. */
const isNextWith = (it: Group, next: Group): boolean =>
  it === next || (it.at === "verified" && next.at === "verified");

/** Hours may lie between two processes: what somebody else added meanwhile must not go out with the run. */
const check = (state: State, group: Group, world: World): Step => {
  const { gen, id = "" } = group;
  const expected = countsOf(state, group);
  return reading(act({ do: "check", gen, id, expected }), world, gen);
};

/** Only looks: what became of sends that were not answered, and of groups that waited for their hour. */
const settleSends = (state: State): Step => {
  const sending = state.groups.filter((it) => it.at === "sending");
  const waiting = state.groups.filter((it) => isWaiting(state, it));
  const next = [...sending, ...waiting].find((it) => it.read !== "open");
  if (next) return act({ do: "readSent", gen: next.gen, id: next.id ?? "" });
  return end(sending.length > 0 ? { is: "unknown", signature: undefined } : { is: "done" });
};

export const isOver = ({ at }: Group): boolean =>
  at === "sent" || at === "failed" || at === "abandoned" || at === "cancelled";

/** It may still go out at its hour. */
export const isWaiting = ({ shape }: State, { at, out }: Group): boolean =>
  shape.scheduled && at === "sent" && !out;

/** It waited for its hour, and somebody else took it off its schedule: nobody sends it but by a new word. */
export const isOff = (state: State, group: Group): boolean => isWaiting(state, group) && group.off;

/** It was not sent for certain, or waits for its hour. */
export const canBeCancelled = (state: State, group: Group): boolean =>
  !isOver(group) || isWaiting(state, group);

/** It has to be taken off its schedule before it can be deleted. */
export const isOnSchedule = ({ shape }: State, { at, freed, off }: Group): boolean =>
  shape.scheduled && (at === "sent" || at === "sending") && !freed && !off;

/** Deleting proves what reading does not: deleted was never sent, refused was sent. */
const cancelNext = (state: State, world: World): Step => {
  const group = state.groups.find((it) => canBeCancelled(state, it));
  if (!group) return end({ is: "cancelled" });
  const { gen, id } = group;
  if (id === undefined) return following(state, { t: "ABANDON", gen, why: "create" }, world);
  if (group.at === "touched") return readHeld(group, world);
  if (group.read === "wanted") return act({ do: "readSent", gen, id });
  if (!world.mayTry(`delete ${gen}`)) return end({ is: "unknown", signature: undefined });
  return act({ do: isOnSchedule(state, group) ? "unschedule" : "delete", gen, id });
};
