/**
 * Walks every interleaving of a run with a line that loses, delays and doubles requests and answers, a
 * service that fails before or behind the work, somebody else who takes groups off their schedule, deletes
 * them or adds to them, and a client that is killed at any step, or whose power is cut in the middle of a write.
 */

import type { Action, Clock, Ending, Outcome } from "../../../src/send/protocol/actions.ts";
import { apply } from "../../../src/send/protocol/apply.ts";
import { type Facts, isEntry } from "../../../src/send/protocol/entries.ts";
import { isUnscheduled } from "../../../src/send/protocol/group-status.ts";
import {
  initialState,
  type RunShape,
  restoreState,
  type State,
} from "../../../src/send/protocol/state.ts";
import { claims, isEarly, isKept, isWrong } from "./claims.ts";
import {
  type Budget,
  isConcurrent,
  isLasting,
  isOwnForm,
  type Machine,
  strangers,
} from "./machine.ts";
import { keyOf, type Node, stepMinutes } from "./node.ts";
import {
  addedTo,
  atItsHour,
  burn,
  deleted,
  emptyService,
  handle,
  isAddedTo,
  refusalsOf,
  sentByOther,
  takenOff,
  takenOut,
} from "./service.ts";

export interface Found {
  readonly states: number;
  readonly duplicates: number;
  readonly lost: number;
  /** Rows that went out before someone had said that those of the canary arrived. */
  readonly early: number;
  /** Sends with which another one's messages go out, though the process could have known of them. */
  readonly strange: number;
  /** Ends that no resumed run finishes. */
  readonly stuck: number;
  readonly endings: Readonly<Record<string, number>>;
}

/** `until`: one of these is enough. */
export const explore = (
  machine: Machine,
  shape: RunShape,
  budget: Budget,
  until?: "duplicates" | "lost" | "early" | "strange" | "stuck",
): Found => {
  const state = initialState(shape);
  const first: Node = {
    ...budget,
    live: state,
    durable: state,
    flying: [],
    late: [],
    service: emptyService(shape.rows.length, shape.scheduled),
    minute: 0,
    made: [],
    zombie: undefined,
    impatient: false,
    ending: undefined,
    isStrange: false,
  };
  const seen = new Set<string>([keyOf(first)]);
  const todo = [first];
  const endings: Record<string, number> = {};
  const found = {
    states: 0,
    duplicates: 0,
    lost: 0,
    early: 0,
    strange: 0,
    stuck: 0,
    endings,
  };
  for (let node = todo.pop(); node; node = todo.pop()) {
    found.states += 1;
    const isOver = judge(machine, node, found);
    if (until && found[until] > 0) break;
    if (isOver) continue;
    for (const next of followers(machine, node)) {
      const key = keyOf(next);
      if (seen.has(key)) continue;
      seen.add(key);
      todo.push(next);
    }
  }
  return found;
};

type Counting = { -readonly [K in keyof Found]: Found[K] };

/** True where the walk ends: something is wrong already. */
const judge = (machine: Machine, node: Node, found: Counting): boolean => {
  const { books } = node.service;
  if (books.some((it) => it > 1)) {
    found.duplicates += 1;
    return true;
  }
  if (isEarly(node)) {
    found.early += 1;
    return true;
  }
  if (node.isStrange) {
    found.strange += 1;
    return true;
  }
  if (claims(node).some((claim, at) => isWrong(claim, books[at] ?? 0))) {
    found.lost += 1;
    return true;
  }
  if (!node.ending) return false;
  if (node.ending.type === "done" && !isKept(node)) {
    found.lost += 1;
    return true;
  }
  found.endings = {
    ...found.endings,
    [node.ending.type]: (found.endings[node.ending.type] ?? 0) + 1,
  };
  if (!finishes(machine, node)) found.stuck += 1;
  return false;
};

const minuteMs = 60_000;

const worldOf = (machine: Machine, node: Node, made: number[]): Clock => {
  const { minute, dateOff, live } = node;
  const key = live.shape.signed ? "0001" : undefined;
  const clocks = machine.clocks({ minute, dateMinute: minute + dateOff });
  return {
    fresh: () => {
      made.push(minute);
      const signedAt = new Date(minute * minuteMs).toISOString();
      return { date: clocks.signingDate(), salt: `${made.length - 1}`, key, signedAt };
    },
    canReplay: clocks.canReplay,
    expired: clocks.expired,
    isTooOld: () => false,
    mayTry: () => !node.impatient,
    withinTimeout: (doubt) =>
      /^\d+$/.test(doubt) ? made[Number(doubt)] === minute : !node.impatient,
  };
};

const write = (node: Node, facts: Facts): Node => {
  if (facts.length === 0) return node;
  const live = facts.reduce(apply, node.live);
  return { ...node, live, durable: facts.filter(isEntry).reduce(apply, node.durable) };
};

/** What a power cut leaves of a write: each beginning of its records. The next process sends, cancels or looks. */
const cutShort = (node: Node, facts: Facts): Node[] => {
  if (node.cuts === 0) return [];
  const written = facts.filter(isEntry);
  return written.flatMap((_, kept) => {
    const left = write(node, written.slice(0, kept));
    const late = [...node.late, ...node.flying.filter(isLasting)];
    const dead = { ...left, cuts: node.cuts - 1, flying: [], late, ending: undefined };
    const again = { ...dead, live: restoreState(dead.durable) };
    return [again, looking(again), ...cancelling(again)];
  });
};

const cancelling = (node: Node): Node[] =>
  node.cancels > 0 ? [write({ ...node, cancels: 0 }, [{ t: "CANCEL" }])] : [];

const followers = (machine: Machine, node: Node): Node[] => [
  ...node.late.flatMap((action) => afterLate(node, action)),
  ...begun(node.ending ? resumed(node) : killed(machine, node)),
  ...(node.ending ? [] : going(machine, node)),
  ...(node.touches > 0
    ? [...deleted(node.service), ...sentByOther(node.service), ...takenOut(node.service)].map(
        (service) => ({
          ...node,
          service,
          touches: node.touches - 1,
        }),
      )
    : []),
  ...(node.zombie ? goneOn(machine, node, node.zombie) : []),
  ...(node.service.hour === "ahead" && node.service.groups.some((it) => it.status === "scheduled")
    ? [{ ...node, service: atItsHour(node.service) }]
    : []),
  ...(node.offs > 0
    ? takenOff(node.service).map((service) => ({ ...node, service, offs: node.offs - 1 }))
    : []),
  ...(node.ages > 0 && node.made.some((it) => node.minute - it < 3 * stepMinutes)
    ? [{ ...node, ages: node.ages - 1, impatient: true, minute: node.minute + stepMinutes }]
    : []),
];

/** Processes that begin now; before that somebody may have added to one of the groups. */
const begun = (nodes: readonly Node[]): Node[] =>
  nodes.flatMap((node) => [
    node,
    ...(node.touches > 0
      ? addedTo(node.service).map((service) => ({ ...node, service, touches: node.touches - 1 }))
      : []),
  ]);

const afterLate = (node: Node, action: Action): Node[] => {
  const gone = { ...node, late: node.late.filter((it) => it !== action) };
  const [service] = handle(node.service, action, node.minute);
  return service === node.service ? [gone] : [gone, { ...gone, service }];
};

/** What is said of a canary: that it arrived, or that it did not; nothing, where the process dies before. */
const judged = (node: Node): Node[] => {
  const again = (at: Node): Node => ({ ...at, live: restoreState(at.durable), ending: undefined });
  const passed = again(write(node, [{ t: "CANARY", passed: true }]));
  if (node.durable.canary === "failed") return [passed];
  const held = write(node, [{ t: "CANARY", passed: false }]);
  return [passed, held, ...(node.kills > 0 ? [again({ ...node, kills: node.kills - 1 })] : [])];
};

const resumed = (node: Node): Node[] => {
  if (node.ending?.type === "canary") return judged(node);
  const isScheduled = node.durable.shape.scheduled && node.ending?.type === "done";
  if (node.ending?.type === "cancelled" || (node.ending?.type === "done" && !isScheduled))
    return [];
  const again = { ...node, live: restoreState(node.durable), ending: undefined };
  const cancel = cancelling(again);
  // Nothing is left to do but to cancel what has not gone out, to look, and to put back what was taken off.
  if (isScheduled) return [...cancel, looking(again), ...puttingBack(again)];
  return node.kills > 0 ? [{ ...again, kills: node.kills - 1 }, ...cancel] : cancel;
};

/** Only looks; nothing is sent by that. */
const looking = (node: Node): Node => ({
  ...node,
  live: { ...node.live, shape: { ...node.live.shape, goal: "reconcile" } },
});

/** The operator wants what somebody else took off on its schedule again. */
const puttingBack = (node: Node): Node[] => {
  const { durable } = node;
  const off = durable.groups.filter((it) => isUnscheduled(durable, it));
  if (off.length === 0) return [];
  const intents: Facts = off.map(({ groupIndex }) => ({ t: "SEND_INTENT", gen: groupIndex }));
  const told = write(node, intents);
  return [{ ...told, live: restoreState(told.durable) }, ...cutShort(node, intents)];
};

/** The process dies: what it had sent is on its way, what it had not written is forgotten. */
const killed = (machine: Machine, node: Node): Node[] => {
  if (node.kills === 0) return [];
  const late = [...node.late, ...node.flying.filter(isLasting)];
  // Paused while another takes its lease over, its next request leaves too: the same as a late one.
  const zombie = machine.isFenced || node.zombie ? node.zombie : node.live;
  const dead = {
    ...node,
    kills: node.kills - 1,
    flying: [],
    late,
    zombie,
    live: restoreState(node.durable),
  };
  return [dead, ...cancelling(dead)];
};

/** One more request of a process that does not know that another one works on its run. */
const goneOn = (machine: Machine, node: Node, zombie: State): Node[] => {
  const made = [...node.made];
  const step = machine.decide(zombie, worldOf(machine, node, made));
  if (step.type !== "act") return [];
  const begun = step.before.reduce(apply, zombie);
  const [service, outcome] = handle(node.service, step.action, node.minute);
  const after = machine.conclude(begun, step.action, outcome).reduce(apply, begun);
  return [{ ...node, made, service, zombie: after }];
};

const going = (machine: Machine, node: Node): Node[] => {
  const completed = node.flying.flatMap((action) => outcomesOf(machine, node, action));
  if (node.flying.some((it) => !isConcurrent(it))) return completed;
  const made = [...node.made];
  const step = machine.decide(node.live, worldOf(machine, node, made));
  if (step.type === "wait") return completed;
  if (step.type === "end") return [...completed, ...ended(node, step.ending)];
  const cut = cutShort({ ...node, made }, step.before);
  const written = write({ ...node, made }, step.before);
  const isStrange = step.action.type === "send" && isAddedTo(node.service, step.action.id);
  const launched = { ...written, isStrange, flying: [...written.flying, step.action] };
  // Killed behind the intent and before the request is one of the ends of the launched one.
  return [...completed, ...cut, launched];
};

const ended = (node: Node, ending: Ending): Node[] => {
  const closed = ending.type === "done" || ending.type === "cancelled";
  const { live, durable } = node;
  // One that only looked is not at its end.
  if (closed && live.shape.goal === "reconcile" && !live.cancel && !durable.ended)
    return [{ ...node, ending: { type: "stopped" } }];
  return [{ ...(closed ? write(node, [{ t: "END" }]) : node), ending }];
};

const outcomesOf = (machine: Machine, node: Node, action: Action): Node[] =>
  answersTo(machine, node, action).flatMap(([at, outcome]) => {
    const facts = machine.conclude(at.live, action, outcome);
    return [write(at, facts), ...cutShort(at, facts)];
  });

type Answered = readonly [Node, Outcome];

const answersTo = (machine: Machine, node: Node, action: Action): Answered[] => {
  const left = { ...node, flying: node.flying.filter((it) => it !== action) };
  const then = (at: Node, outcome: Outcome): Answered => [at, outcome];
  const { minute } = node;
  const [service, outcome] = handle(node.service, action, minute);
  const answered = then({ ...left, service }, outcome);
  if (node.faults === 0) return [answered];
  const faulty = { ...left, faults: node.faults - 1 };
  if (action.type === "clear") return [answered];
  if (action.type === "probe")
    return [answered, then(faulty, { type: "no" }), then(faulty, { type: "limited" })];
  if (!isLasting(action) && action.type !== "create")
    return [answered, then(faulty, { type: "unreadable" })];
  const copy = { ...faulty, late: [...faulty.late, action] };
  return [
    answered,
    then({ ...faulty, service }, { type: "unknown" }),
    then({ ...faulty, service: burn(node.service, action, minute) }, { type: "unknown" }),
    then(faulty, { type: "notSent" }),
    ...refusalsOf(node.service, action, minute).map(([there, outcome]) =>
      then({ ...faulty, service: there }, outcome),
    ),
    ...("signature" in action
      ? [then(faulty, { type: "limited" }), then({ ...faulty, service }, { type: "limited" })]
      : []),
    ...strangers(machine, node.live, action).flatMap((heard) => [
      then(faulty, heard),
      then({ ...faulty, service }, heard),
      ...(isOwnForm(heard) ? [] : [then({ ...faulty, late: [...faulty.late, action] }, heard)]),
    ]),
    ...(isLasting(action)
      ? [then(copy, { type: "unknown" }), then({ ...copy, service }, outcome)]
      : []),
  ];
};

/**
 * With a good line and time, a run that is resumed ends: done, or cancelled. One whose hour is over can
 * only be cancelled: nothing is sent late. The same goes for one whose group somebody else has changed.
 */
const finishes = (machine: Machine, node: Node): boolean => {
  if (node.service.hour === "over") return endsWell(machine, node, [{ t: "CANCEL" }]);
  const isTouched = node.service.groups.some((it) => it.strange || it.cut);
  return endsWell(machine, node, []) || (isTouched && endsWell(machine, node, [{ t: "CANCEL" }]));
};

/** A process that only looked has not found out yet that a group takes no more: the one after it stops for that. */
const triesOf = ({ live }: Node): number => (live.shape.goal === "reconcile" ? 2 : 1);

const endsWell = (machine: Machine, node: Node, first: Facts, tries = triesOf(node)): boolean => {
  let at: Node = {
    ...write(node, first),
    faults: 0,
    late: [],
    flying: [],
    ending: undefined,
    impatient: false,
    zombie: undefined,
    cuts: 0,
    dateOff: 0,
    minute: node.minute + 4 * stepMinutes,
  };
  at = { ...at, live: restoreState(at.durable) };
  if (node.ending?.type === "done" || node.ending?.type === "cancelled") return true;
  for (let steps = 0; steps < 60; steps += 1) {
    const next: Node | undefined = going(machine, at).at(-1);
    if (!next) return false;
    const [passed] = next.ending?.type === "canary" ? judged(next) : [];
    const isWell = next.ending?.type === "done" || next.ending?.type === "cancelled";
    if (next.ending && !passed)
      return isWell || (tries > 1 && endsWell(machine, next, [], tries - 1));
    at = passed ?? next;
  }
  return false;
};
