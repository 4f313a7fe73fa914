/**
 * Walks every interleaving of several machines that send the same rows and know nothing of each other: over
 * a line that loses, delays and doubles, answered by strangers, killed, paused for more than a day, and with
 * their journals lost.
 */
import { aloneKey, keyOf } from "./keys.ts";
import {
  finishes,
  followers,
  isEndless,
  type Limits,
  type Machine,
  type Node,
  nameOf,
  type Protocol,
  range,
  rowsIn,
  rowsOfChunk,
  type Sender,
  shapeOf,
  started,
} from "./machines.ts";
import { type Fields, isDuplicated, isNowhere, type Row } from "./service.ts";

interface Walked {
  states: number;
  duplicates: number;
  lost: number;
  stuck: number;
  readonly endings: Record<string, number>;
}

export interface Walk {
  readonly machines: readonly Sender[];
  readonly isLater?: boolean;
  readonly fields?: Fields;
  readonly limits: Limits;
  /** Two that delete each other's groups may do so for ever: a walk ends behind so many. */
  readonly maxGroups: number;
  /** From every so many states one more machine has to bring it to a good end. */
  readonly checkEvery: number;
  /** What is wrong once is enough. */
  readonly endsAtFirst?: boolean;
}

export const walk = (
  protocol: Protocol,
  { maxGroups, checkEvery, endsAtFirst = false, ...of }: Walk,
): Walked => {
  const first = beginning(of);
  const found: Walked = { states: 0, duplicates: 0, lost: 0, stuck: 0, endings: {} };
  const seen = new Set<string>([keyOf(first)]);
  const checked = new Set<string>();
  const todo = [first];
  for (let node = todo.pop(); node; node = todo.pop()) {
    found.states += 1;
    if (isWrong(node, found)) {
      if (endsAtFirst) break;
      continue;
    }
    countEnding(node, found);
    if (found.states % checkEvery === 0 && isStuck(protocol, node, checked)) found.stuck += 1;
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

const beginning = ({
  machines,
  limits,
  isLater = false,
  fields = "kept",
}: Pick<Walk, "machines" | "limits" | "isLater" | "fields">): Node => ({
  ...limits,
  machines: machines.map((it, at) => {
    const { run = nameOf(at), isAgain = false } = it;
    return started(shapeOf(it, run, isLater), at, isAgain ? run : "");
  }),
  service: { groups: [], hour: 0, isLater, fields },
  late: [],
  seen: [],
  names: machines.length,
});

/** Whether a machine finds no end; one of each sending tells whether all its rows can be brought out. */
const isStuck = (protocol: Protocol, node: Node, checked: Set<string>): boolean =>
  node.machines.some((it, at) => {
    const key = aloneKey(node.service, it);
    if (checked.has(key)) return false;
    checked.add(key);
    const isFirst = node.machines.findIndex(({ of }) => of === it.of) === at;
    return isEndless(protocol, node, it) || (isFirst && !finishes(protocol, node, it));
  });

const countEnding = ({ machines }: Node, { endings }: Walked): void => {
  if (machines.some(({ ending }) => !ending)) return;
  const how = machines.map(({ ending }) => ending?.type);
  const name = how.sort().join("+");
  endings[name] = (endings[name] ?? 0) + 1;
};

/** True where the walk ends here. */
const isWrong = ({ machines, service }: Node, found: Walked): boolean => {
  const rowsOf = ({ of, live }: Machine): Row[] => range(0, rowsIn(live)).map((at) => ({ of, at }));
  if (machines.some((it) => rowsOf(it).some((row) => isDuplicated(service, row)))) {
    found.duplicates += 1;
    return true;
  }
  const isLost = (it: Machine): boolean =>
    claimed(it).some((at) => isNowhere(service, { of: it.of, at }));
  if (machines.some(isLost)) found.lost += 1;
  return machines.some(isLost);
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
