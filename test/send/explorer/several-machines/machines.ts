/** Several machines that send the same rows and know nothing of each other: what each of them may do next. */
import type {
  Action,
  Clock,
  Ending,
  Outcome,
  Step,
} from "../../../../src/send/protocol/actions.ts";
import { apply } from "../../../../src/send/protocol/apply.ts";
import { type Facts, isEntry } from "../../../../src/send/protocol/entries.ts";
import { conclude, decide } from "../../../../src/send/protocol/machine.ts";
import {
  initialState,
  type RunShape,
  remainingRows,
  restoreState,
  type State,
} from "../../../../src/send/protocol/state.ts";
import { answersTo } from "./answers.ts";
import {
  type Asked,
  isDuplicated,
  perform,
  promises,
  type SharedService,
  takenOff,
  tellsOfFields,
} from "./service.ts";

/** The protocol of src, or one that is known to be bad. */
export type Protocol = {
  readonly decide: typeof decide;
  readonly conclude: typeof conclude;
};

export const real: Protocol = { decide, conclude };

export interface Limits {
  /** Requests or answers that the line spoils; which, where not any: lists of before come where it is lists alone. */
  readonly faults: number;
  readonly spoils?: Action["type"];
  readonly kills: number;
  /** Power cuts, each of which leaves a beginning of the records of one write. */
  readonly cuts: number;
  /** Machines that begin anew without what they had written down. */
  readonly losses: number;
  /** Steps of 13 hours. */
  readonly ages: number;
  /** Groups that somebody takes off their schedule. */
  readonly offs: number;
}

/** What a machine sends. */
export interface Sender {
  /** Rows of each chunk, and chunks of a group. */
  readonly rows: readonly number[];
  readonly width: number;
  /** Its run, where that is not one of its own: a plan that was copied. */
  readonly run?: string;
  /** A sending of its own of the same rows. */
  readonly isAgain?: boolean;
}

export interface Machine {
  readonly run: string;
  /** Its place among the machines. */
  readonly by: number;
  readonly of: string;
  /** It has found out that fields of groups do not come back. */
  readonly marks: boolean;
  readonly live: State;
  readonly durable: State;
  readonly asked: Asked | undefined;
  readonly answer: Outcome | undefined;
  readonly ending: Ending | undefined;
}

export interface Node extends Limits {
  readonly machines: readonly Machine[];
  readonly service: SharedService;
  /** What it held when groups were listed, where a list may be answered with one of before. */
  readonly seen: readonly SharedService[];
  /** Copies that are still on their way. */
  readonly late: readonly Asked[];
  readonly names: number;
}

const stepHours = 13;
const maxHours = 23;

export const shapeOf = ({ rows, width }: Sender, run: string, scheduled: boolean): RunShape => ({
  ...{ path: "G", rows, width, concurrency: 1, signed: false, tagged: true, goal: "finish" },
  ...{ scheduled, claim: { run } },
});

export const started = (shape: RunShape, by: number, of: string): Machine => {
  const state = initialState(shape);
  const run = shape.claim?.run ?? "";
  return {
    ...{
      run,
      by,
      of,
      marks: false,
      live: state,
      durable: state,
      asked: undefined,
      answer: undefined,
    },
    ...{ ending: undefined },
  };
};

export const nameOf = (at: number): string => String.fromCharCode(65 + at);

export const rowsIn = (state: State): number => state.shape.rows.reduce((sum, it) => sum + it, 0);
export const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, at) => from + at);

export const rowsOfChunk = (state: State, at: number): number[] =>
  remainingRows(state, at).flatMap(({ from, to }) => range(from, to));

const clockOf = ({ service, ages }: Pick<Node, "service" | "ages">, isCalm = false): Clock => ({
  fresh: () => ({ date: "", salt: "" }),
  canReplay: () => false,
  expired: () => false,
  isTooOld: (created) => service.hour - Number(created) > maxHours,
  withinTimeout: () => true,
  mayTry: () => isCalm || ages >= 0,
});

const write = (machine: Machine, facts: Facts): Machine => ({
  ...machine,
  live: facts.reduce(apply, machine.live),
  durable: facts.filter(isEntry).reduce(apply, machine.durable),
});

/** What a power cut leaves of a write: each beginning of its records, for a process that goes on, or one that looks before. */
const cutShort = (node: Node, machine: Machine, at: number, facts: Facts): Node[] => {
  if (node.cuts === 0) return [];
  const written = facts.filter(isEntry);
  return written.flatMap((_, kept) => {
    const { durable } = write(machine, written.slice(0, kept));
    const again = resumed({ ...machine, durable });
    const left = { ...node, cuts: node.cuts - 1 };
    return [again, looking(again)].map((it) => withMachine(left, at, it));
  });
};

const resumed = (machine: Machine): Machine => ({
  ...machine,
  ...{ asked: undefined, answer: undefined, ending: undefined },
  live: restoreState(machine.durable),
});

/** Only looks; nothing is sent by that. */
const looking = (machine: Machine): Machine => ({
  ...machine,
  live: { ...machine.live, shape: { ...machine.live.shape, goal: "reconcile" } },
});

const withMachine = (node: Node, at: number, machine: Machine): Node => ({
  ...node,
  machines: node.machines.map((it, index) => (index === at ? machine : it)),
});

export const followers = (protocol: Protocol, node: Node): Node[] => [
  ...node.machines.flatMap((machine, at) => [
    ...(machine.ending ? [] : going(protocol, node, machine, at)),
    ...begunAnew(node, machine, at),
  ]),
  ...node.late.flatMap((asked) => {
    const gone = { ...node, late: node.late.filter((it) => it !== asked) };
    const [service] = perform(node.service, asked);
    return service === node.service ? [gone] : [gone, { ...gone, service }];
  }),
  ...(node.offs > 0
    ? takenOff(node.service).map((service) => ({ ...node, service, offs: node.offs - 1 }))
    : []),
  ...(node.ages > 0 && node.service.groups.length > 0 ? [later(node)] : []),
];

/** Whatever was on its way carries a date that the service refuses now. */
const later = (node: Node): Node => ({
  ...node,
  ages: node.ages - 1,
  late: [],
  service: { ...node.service, hour: node.service.hour + stepHours },
});

/** Killed, and gone on with by its journal, or by nothing at all. */
const begunAnew = (node: Node, machine: Machine, at: number): Node[] => {
  const isOver = machine.ending?.type === "done";
  const again =
    node.kills > 0 && !isOver && machine.live !== machine.durable
      ? [withMachine({ ...node, kills: node.kills - 1 }, at, resumed(machine))]
      : [];
  return node.losses === 0 || machine.durable.groups.length === 0
    ? again
    : [...again, withoutJournal(node, machine, at)];
};

/** By its rows a run is found without its folder; of one that sends once more that is told by its groups. */
const withoutJournal = (node: Node, { of, live }: Machine, at: number): Node => {
  const run = nameOf(node.names);
  const isKnown = of === "" || node.service.groups.some((it) => it.of === of);
  const lost = { ...node, losses: node.losses - 1, names: node.names + 1 };
  const shape = { ...live.shape, claim: { run } };
  return withMachine(lost, at, started(shape, at, isKnown ? of : run));
};

const going = (protocol: Protocol, node: Node, machine: Machine, at: number): Node[] => {
  const { answer: told } = machine;
  if (told) return hearing(protocol, node, at, { ...machine, answer: told });
  const step = protocol.decide(machine.live, clockOf(node));
  if (step.type === "wait") return [];
  if (step.type === "end") return ended(node, machine, at, step.ending);
  const asking = askedNext(machine, step);
  const { asked } = asking;
  const seen = seenAfter(node, asked);
  const asks = answersTo(node, asked).flatMap(({ service, answer, late, isFault }) => {
    const faults = node.faults - (isFault ? 1 : 0);
    const after = { ...node, service, seen, late: [...node.late, ...late], faults };
    const waiting = { ...asking, answer };
    // Nothing that happens between such an answer and its hearing makes a difference.
    const isHeard = atOnce.has(asked.action.type);
    return isHeard ? hearing(protocol, after, at, waiting) : [withMachine(after, at, waiting)];
  });
  return [...cutShort(node, machine, at, step.before), ...asks];
};

const ended = (node: Node, machine: Machine, at: number, ending: Ending): Node[] => {
  // Who looked goes on.
  if (machine.live.shape.goal === "reconcile") return [withMachine(node, at, resumed(machine))];
  const end: Facts = ending.type === "done" ? [{ t: "END" }] : [];
  const closed = { ...write(machine, end), ending };
  return [...cutShort(node, machine, at, end), withMachine(node, at, closed)];
};

const seenAfter = (
  { seen, service, faults, spoils }: Node,
  { action }: Asked,
): readonly SharedService[] => {
  if (faults === 0 || spoils !== "listRivals") return [];
  return action.type === "listRivals" && !seen.includes(service) ? [...seen, service] : seen;
};

const atOnce: ReadonlySet<Action["type"]> = new Set(["clear", "waitForRival", "verify"]);

const askedNext = (machine: Machine, { before, action }: Extract<Step, { type: "act" }>) => {
  const { run, by, of, marks, live } = machine;
  const rows = action.type === "add" ? rowsOfChunk(live, action.chunk) : [];
  const asked: Asked = { action, run, by, of, marks, rows };
  return { ...write(machine, before), asked };
};

const hearing = (
  protocol: Protocol,
  node: Node,
  at: number,
  machine: Machine & { readonly answer: Outcome },
): Node[] => {
  const { facts, marks } = heard(protocol, node.service, machine, machine.answer);
  const rest = { ...machine, marks, asked: undefined, answer: undefined };
  return [...cutShort(node, rest, at, facts), withMachine(node, at, write(rest, facts))];
};

/** What follows from an answer, and whether the machine knows by then that fields of groups do not come back. */
const heard = (
  { conclude }: Protocol,
  service: SharedService,
  { asked, live, marks }: Machine,
  answer: Outcome,
): { readonly facts: Facts; readonly marks: boolean } =>
  asked
    ? {
        facts: conclude(live, asked.action, answer),
        marks: marks || tellsOfFields(service, asked, answer),
      }
    : { facts: [], marks };

/** Whatever has happened: one more machine, over a good line, and alone, brings every row out once. */
export const finishes = (protocol: Protocol, node: Node, { of, durable }: Machine): boolean => {
  const last = started({ ...durable.shape, claim: { run: "Z" } }, node.machines.length, of);
  const service = serviceAfter(protocol, node, last);
  const isOut = (at: number): boolean =>
    service !== undefined &&
    promises(service, { of, at }).length > 0 &&
    !isDuplicated(service, { of, at });
  return range(0, rowsIn(durable)).every(isOut);
};

/** Over a good line, and alone, a machine ends: with the first process, or with the next. */
export const isEndless = (protocol: Protocol, node: Node, machine: Machine): boolean => {
  const isOver = machine.ending?.type === "done";
  return !isOver && serviceAfter(protocol, node, resumed(machine), 2) === undefined;
};

/** The service when a machine has done its work alone; undefined if it stops before. */
const serviceAfter = (
  protocol: Protocol,
  { service }: Pick<Node, "service">,
  machine: Machine,
  tries = 1,
): SharedService | undefined => {
  let [last, after] = [machine, service];
  for (let steps = 0; steps < 80; steps += 1) {
    const step = protocol.decide(last.live, clockOf({ service: after, ages: 0 }, true));
    if (step.type !== "act") {
      if (step.type === "end" && step.ending.type === "done") return after;
      return tries > 1
        ? serviceAfter(protocol, { service: after }, resumed(last), tries - 1)
        : undefined;
    }
    const asking = askedNext(last, step);
    const [performed, answer] = perform(after, asking.asked);
    after = performed;
    const { facts, marks } = heard(protocol, after, asking, answer);
    last = write({ ...asking, marks, asked: undefined, answer: undefined }, facts);
  }
  return undefined;
};
