/** A line that does harm to one request of five: it loses, delays, doubles, answers for others, and lies about the time. */
import type { Harm, LineOptions, Passing, Refused } from "../faults/line.ts";
import { strangers } from "../faults/strangers.ts";

const minuteMs = 60_000;
const harmed = 0.2;

const anyOf = <T>(of: readonly T[]): T | undefined => of[Math.floor(Math.random() * of.length)];

/** Every way equally often; what only a stranger does counts as one. */
const ways: readonly ((passing: Passing, heard: Heard) => Harm | undefined)[] = [
  () => anyOf(["dropAfter", "dropBefore", "cut"]),
  () => "late",
  () => "double",
  () => stranger(),
  (passing, heard) => heard.otherThan(passing),
];

const stranger = (): Harm | undefined => {
  const found = anyOf(strangers(Math.floor(Math.random() * 4)));
  return found && { ...found.answer, performed: Math.random() < 0.5 };
};

interface Heard {
  /** The answer to an earlier request of its kind. */
  readonly otherThan: (passing: Passing) => Refused | undefined;
}

/** The lie goes on for a while: it is not only one answer that is false. */
const lying = (): (() => Date) => {
  const lie = { aheadMs: 0 };
  return () => {
    if (Math.random() < harmed) lie.aheadMs = anyOf([0, 0, 20, -20, 4, -4, 60]) ?? 0;
    return new Date(Date.now() + lie.aheadMs * minuteMs);
  };
};

export const hostileLine = (): Required<Pick<LineOptions, "harm" | "heard" | "date">> => {
  const answers = new Map<string, Refused[]>();
  const kindOf = ({ method, path }: Passing): string =>
    `${method} ${path.replace(/\/G\w+/, "/<id>")}`;
  const otherThan = (passing: Passing): Refused | undefined => {
    const found = anyOf(answers.get(kindOf(passing)) ?? []);
    return found && { ...found, performed: Math.random() < 0.5 };
  };
  return {
    date: lying(),
    heard: (passing, { status, body }) => {
      const kind = kindOf(passing);
      const headers = { "content-type": "application/json" };
      answers.set(kind, [...(answers.get(kind) ?? []).slice(-9), { status, headers, body }]);
    },
    harm: (passing) => (Math.random() < harmed ? anyOf(ways)?.(passing, { otherThan }) : undefined),
  };
};
