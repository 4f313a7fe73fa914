/**
 * Walks every interleaving of several machines that send the same rows and know nothing of each other: over
 * a line that loses, delays and doubles, answered by strangers, killed, paused for more than a day, and with
 * their journals lost.
 */
import type { Action, Clock, Ending, Outcome } from "../../../src/send/protocol/actions.ts";
import { apply } from "../../../src/send/protocol/apply.ts";
import type { Facts } from "../../../src/send/protocol/entries.ts";
import { conclude, decide, isEntry } from "../../../src/send/protocol/machine.ts";
import {
  initialState,
  type RunShape,
  restOf,
  restoreState,
  type State,
} from "../../../src/send/protocol/state.ts";
import { stateKey } from "./keys.ts";
import {
  type Asked,
  answersTo,
  isDuplicated,
  isNowhere,
  perform,
  promises,
  type SharedService,
  takenOff,
} from "./shared-service.ts";

/** The protocol of src, or one that is known to be bad. */
export type Protocol = {
  readonly decide: typeof decide;
  readonly conclude: typeof conclude;
};

export const real: Protocol = { decide, conclude };

export interface Limits {
  /** Requests or answers that the line spoils. */
  readonly faults: number;
  readonly kills: number;
  /** Machines that begin anew without what they had written down. */
  readonly losses: number;
  /** Steps of 13 hours. */
  readonly ages: number;
  /** Groups that somebody takes off their schedule. */
  readonly offs: number;
}

interface Machine {
  readonly run: string;
  readonly live: State;
  readonly durable: State;
  readonly asked: Asked | undefined;
  readonly answer: Outcome | undefined;
  /** The list that it was shown last. */
  readonly lastList: Outcome | undefined;
  readonly ending: Ending | undefined;
}

interface Node extends Limits {
  readonly machines: readonly Machine[];
  readonly service: SharedService;
  /** Copies that are still on their way. */
  readonly late: readonly Asked[];
  readonly names: number;
}

interface Walked {
  states: number;
  duplicates: number;
  lost: number;
  stuck: number;
  readonly endings: Record<string, number>;
}

const stepHours = 13;
const maxHours = 23;

export interface Walk {
  /** Rows of each chunk, and chunks of a group, of each machine. */
  readonly machines: readonly { readonly rows: readonly number[]; readonly width: number }[];
  readonly isLater?: boolean;
  readonly limits: Limits;
  /** Two that delete each other's groups may do so for ever: a walk ends behind so many. */
  readonly maxGroups: number;
  /** From every so many states one more machine has to bring it to a good end. */
  readonly checkEvery: number;
  /** What is wrong once is enough. */
  readonly endsAtFirst?: boolean;
}

const shapeOf = (
  { rows, width }: Walk["machines"][number],
  run: string,
  scheduled: boolean,
): RunShape => ({
  ...{ path: "G", rows, width, concurrency: 1, signed: false, tagged: true, goal: "finish" },
  ...{ scheduled, shared: true, claim: { run } },
});

const started = (shape: RunShape): Machine => {
  const state = initialState(shape);
  const run = shape.claim?.run ?? "";
  return {
    ...{ run, live: state, durable: state, asked: undefined, answer: undefined },
    ...{ lastList: undefined, ending: undefined },
  };
};

export const walk = (
  protocol: Protocol,
  { machines, isLater = false, limits, maxGroups, checkEvery, endsAtFirst = false }: Walk,
): Walked => {
  const first: Node = {
    ...limits,
    machines: machines.map((it, at) => started(shapeOf(it, nameOf(at), isLater))),
    service: { groups: [], hour: 0, isLater },
    late: [],
    names: machines.length,
  };
  const found: Walked = { states: 0, duplicates: 0, lost: 0, stuck: 0, endings: {} };
  const seen = new Set<string>([keyOf(first)]);
  const todo = [first];
  for (let node = todo.pop(); node; node = todo.pop()) {
    found.states += 1;
    if (isWrong(node, found)) {
      if (endsAtFirst) break;
      continue;
    }
    countEnding(node, found);
    if (found.states % checkEvery === 0 && !finishes(protocol, node)) found.stuck += 1;
    for (const next of followers(protocol, node)) {
      if (next.service.groups.length > maxGroups) continue;
      const key = keyOf(next);
      if (seen.has(key)) continue;
      seen.add(key);
      todo.push(next);
    }
  }
  return found;
};

const countEnding = ({ machines }: Node, { endings }: Walked): void => {
  if (machines.some(({ ending }) => !ending)) return;
  const how = machines.map(({ ending }) => ending?.type);
  const name = how.sort().join("+");
  endings[name] = (endings[name] ?? 0) + 1;
};

const nameOf = (at: number): string => String.fromCharCode(65 + at);

const rowsIn = (state: State): number => state.shape.rows.reduce((sum, it) => sum + it, 0);
const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, at) => from + at);

const rowsOf = ({ machines: [first] }: Node): readonly number[] =>
  first ? range(0, rowsIn(first.live)) : [];

/** True where the walk ends here. */
const isWrong = (node: Node, found: Walked): boolean => {
  const all = rowsOf(node);
  if (all.some((row) => isDuplicated(node.service, row))) {
    found.duplicates += 1;
    return true;
  }
  if (node.machines.some((it) => claimed(it).some((row) => isNowhere(node.service, row)))) {
    found.lost += 1;
    return true;
  }
  return false;
};

/** Rows that a machine says were sent; once it is done, all of them but those that were refused as a whole. */
const claimed = ({ durable, ending }: Machine): readonly number[] => {
  if (durable.shape.scheduled && ending?.type !== "done") return [];
  const rowsOf = (status: string): number[] =>
    durable.groups
      .filter((it) => it.status === status)
      .flatMap(({ chunks }) => chunks.flatMap((at) => rowsOfChunk(durable, at)));
  if (ending?.type === "done") {
    const not = new Set([...rowsOf("failed"), ...rowsOf("cancelled")]);
    return range(0, rowsIn(durable)).filter((row) => !not.has(row));
  }
  const others = durable.taken.flatMap(({ rows }) =>
    rows.flatMap(({ from, to }) => range(from, to)),
  );
  return [...rowsOf("sent"), ...others];
};

const rowsOfChunk = (state: State, at: number): number[] =>
  restOf(state, at).flatMap(({ from, to }) => range(from, to));

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

const withMachine = (node: Node, at: number, machine: Machine): Node => ({
  ...node,
  machines: node.machines.map((it, index) => (index === at ? machine : it)),
});

const followers = (protocol: Protocol, node: Node): Node[] => [
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
  const rest = { asked: undefined, answer: undefined, lastList: undefined, ending: undefined };
  const resumed =
    node.kills > 0 && !isOver && machine.live !== machine.durable
      ? [
          withMachine({ ...node, kills: node.kills - 1 }, at, {
            ...machine,
            ...rest,
            live: restoreState(machine.durable),
          }),
        ]
      : [];
  if (node.losses === 0 || machine.durable.groups.length === 0) return resumed;
  const shape = { ...machine.live.shape, claim: { run: nameOf(node.names) } };
  const lost = { ...node, losses: node.losses - 1, names: node.names + 1 };
  return [...resumed, withMachine(lost, at, started(shape))];
};

const going = (protocol: Protocol, node: Node, machine: Machine, at: number): Node[] => {
  const { asked: before, answer: told } = machine;
  if (before && told) return [withMachine(node, at, heard(protocol, machine, before, told))];
  const step = protocol.decide(machine.live, clockOf(node));
  if (step.type === "wait") return [];
  if (step.type === "end") {
    const closed = step.ending.type === "done" ? write(machine, [{ t: "END" }]) : machine;
    return [withMachine(node, at, { ...closed, ending: step.ending })];
  }
  const written = write(machine, step.before);
  const { action } = step;
  const rows = action.type === "add" ? rowsOfChunk(machine.live, action.chunk) : [];
  const asked: Asked = { action, run: machine.run, rows };
  return answersTo(node, written, asked).map(({ service, answer, late, isFault }) => {
    const faults = node.faults - (isFault ? 1 : 0);
    const after = { ...node, service, late: [...node.late, ...late], faults };
    const waiting = { ...written, asked, answer };
    // Nothing that happens between such an answer and its hearing makes a difference.
    const isHeard = atOnce.has(action.type);
    return withMachine(after, at, isHeard ? heard(protocol, waiting, asked, answer) : waiting);
  });
};

const atOnce: ReadonlySet<Action["type"]> = new Set(["clear", "giveWay", "verify"]);

const heard = (protocol: Protocol, machine: Machine, asked: Asked, answer: Outcome): Machine => {
  const lastList = asked.action.type === "look" ? answer : machine.lastList;
  const facts = protocol.conclude(machine.live, asked.action, answer);
  return { ...write({ ...machine, asked: undefined, answer: undefined }, facts), lastList };
};

/** Whatever has happened: one more machine, over a good line, and alone, brings every row out once. */
const finishes = (protocol: Protocol, node: Node): boolean => {
  const [machine] = node.machines;
  if (!machine) return false;
  const shape = { ...machine.live.shape, claim: { run: "Z" } };
  let last = started(shape);
  let { service } = node;
  for (let steps = 0; steps < 80; steps += 1) {
    const step = protocol.decide(last.live, clockOf({ service, ages: 0 }, true));
    if (step.type !== "act") {
      const isDone = step.type === "end" && step.ending.type === "done";
      const isOut = (row: number): boolean =>
        promises(service, row).length > 0 && !isDuplicated(service, row);
      return isDone && range(0, rowsIn(last.live)).every(isOut);
    }
    last = write(last, step.before);
    const { action } = step;
    const rows = action.type === "add" ? rowsOfChunk(last.live, action.chunk) : [];
    const [after, outcome] = perform(service, { action, run: "Z", rows });
    service = after;
    last = write(last, protocol.conclude(last.live, action, outcome));
  }
  return false;
};

const keyOf = (node: Node): string =>
  [
    ...node.machines.map((it) => machineKey(it, node.faults > 0)),
    node.service.groups.map(
      (it) =>
        `${it.run}${it.status.slice(0, 2)}${it.held.join("")}@${it.created}${it.rows.map(({ from, to }) => `${from}-${to}`).join()}`,
    ),
    node.service.hour,
    node.late.map(askedKey).sort().join(),
    `${node.faults}${node.kills}${node.losses}${node.ages}${node.offs}`,
  ].join("|");

const machineKey = (
  { run, live, durable, asked, answer, lastList, ending }: Machine,
  isSpoiled: boolean,
): string =>
  [
    run,
    stateKey(live),
    stateKey(durable),
    asked ? askedKey(asked) : "",
    answer ? answerKey(answer) : "",
    lastList && isSpoiled ? answerKey(lastList) : "",
    ending?.type ?? "",
  ].join("/");

const askedKey = ({ action, run }: Asked): string => {
  const where = "id" in action ? action.id : "";
  const chunk = "chunk" in action ? action.chunk : "";
  return `${run}${action.type}${where}.${chunk}`;
};

const answers = new WeakMap<Outcome, string>();

const answerKey = (answer: Outcome): string => {
  const known = answers.get(answer) ?? textOf(answer);
  answers.set(answer, known);
  return known;
};

const textOf = (answer: Outcome): string => {
  if (answer.type === "list")
    return answer.groups
      .map((it) => `${it.id}${it.status.slice(0, 2)}${it.isMoving ? "m" : ""}`)
      .join();
  const more = "status" in answer ? answer.status : "id" in answer ? answer.id : "";
  return `${answer.type}${more}${"failed" in answer && answer.failed ? "f" : ""}`;
};
