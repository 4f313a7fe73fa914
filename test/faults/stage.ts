/** Every command that sends, over a line that does harm, gone on with as it says; each claim is checked. */
import { expect } from "vitest";
import { hurriedWorld } from "../support/clock.ts";
import { type Ran, shell } from "../support/msg.ts";
import { envFor, numbersOf, type Service } from "./books.ts";
import { contradictions } from "./claims.ts";
import { type LineOptions, openLine, type Passing } from "./line.ts";
import { oneService } from "./one-service.ts";

const minuteMs = 60_000;

export interface Sending {
  readonly name: string;
  readonly rows: number;
  /** A run is resumed; a key makes every repeat safe; else it is run again where its exit code allows that. */
  readonly goesOn: "resume" | "same" | "again";
  readonly isRun: boolean;
  readonly flags: readonly string[];
  /** It waits for its hour. */
  readonly isLater?: boolean;
  /** With a key of its own each time: the service keeps them all. */
  readonly isKeyed?: boolean;
}

const once = { rows: 1, goesOn: "again", isRun: false, flags: [] } as const;
const run = { rows: 4, goesOn: "resume", isRun: true, flags: [] } as const;
const twoGroups = ["--staged", "--chunk", "2", "--group-size", "2", "--concurrency", "1"];

export const sendings = {
  send: { ...once, name: "send" },
  once: { ...once, name: "send --once", goesOn: "same", isKeyed: true },
  at: { ...once, name: "send --at", isLater: true },
  several: { ...once, name: "send to several", rows: 2 },
  many: { ...run, name: "send-many" },
  groups: { ...run, name: "send-many in two groups", flags: twoGroups },
  manyAt: { ...run, name: "send-many --at in two groups", flags: twoGroups, isLater: true },
  direct: {
    ...run,
    name: "send-many --direct",
    flags: ["--direct", "--chunk", "2", "--concurrency", "1"],
  },
} as const satisfies Readonly<Record<string, Sending>>;

/** What a line does in one scene, and what happens between its commands. */
export interface Scene extends Omit<LineOptions, "to" | "harm"> {
  readonly harm?: LineOptions["harm"] | undefined;
  /** Where the first command ends well there is nothing to go on with, and no other is tried. */
  readonly endsEarly?: boolean;
  /** Instead of the command's own patience. */
  readonly settle?: string;
  /** How far the client's clock is ahead of the service's. */
  readonly aheadMs?: number;
  /** Behind each command; what it lets in late is in the books of the next check. */
  readonly behind?: (at: number) => void | Promise<void>;
}

export interface Played {
  readonly codes: readonly number[];
  readonly ran: readonly Ran[];
  readonly sent: readonly number[];
  readonly requests: readonly Passing[];
  /** How many requests were harmed. */
  readonly harmed: number;
}

export const openStage = () => {
  const clock = hurriedWorld();
  const { opened, nextBatch } = oneService(clock.now);
  const nextNumbers = (rows: number): readonly string[] => numbersOf(rows, nextBatch(rows));
  const play = (it: Sending, scene: Scene = {}): Promise<Played> =>
    played(opened(), clock, it, nextNumbers(it.rows), scene);
  return { clock, opened, nextNumbers, play };
};

const played = async (
  service: Service,
  clock: ReturnType<typeof hurriedWorld>,
  it: Sending,
  numbers: readonly string[],
  { harm, behind, settle, endsEarly = false, aheadMs = 0, ...scene }: Scene,
): Promise<Played> => {
  const met = { harmed: 0 };
  const line = await openLine({
    to: service.baseUrl,
    date: clock.now,
    ...scene,
    harm: (passing) => {
      const suffers = harm?.(passing);
      if (suffers !== undefined) met.harmed += 1;
      return suffers;
    },
  });
  const now = (): Date => new Date(clock.now().getTime() + aheadMs);
  const at = shell({ ...clock, now, env: envFor(line) });
  const hour = hourOf(clock);
  const ran: Ran[] = [];
  const books = (): number[] =>
    it.isLater ? service.promisesTo(numbers) : service.countsOf(numbers);
  const step = async (words: readonly string[], stdin?: string): Promise<Ran> => {
    const before = books();
    const told = await at(words, stdin === undefined ? {} : { stdin });
    await behind?.(ran.length);
    ran.push(told);
    const sent = books();
    const wrong = contradictions(told, { sent, before });
    expect({ command: words.join(" "), wrong }, `${told.err}\n${told.out}`).toEqual({
      command: words.join(" "),
      wrong: [],
    });
    return told;
  };
  try {
    const patience = settle === undefined ? [] : ["--settle", settle];
    const words = [...wordsOf(it, numbers, hour), ...patience];
    const resume = ["send-many", "--resume", "last", "--json", ...patience];
    const stdin = it.isRun ? `to\n${numbers.join("\n")}\n` : undefined;
    const first = await step(words, stdin);
    const isOver = endsEarly && first.code === 0;
    if (it.goesOn === "resume" && !isOver) await step(resume);
    const isAgain = it.goesOn === "again" ? runAgain.includes(first.code) : !isOver;
    if (isAgain) await step(words, stdin);
  } finally {
    await line.stop();
  }
  const sent = books();
  expect(sent.filter((count) => count > 1)).toEqual([]);
  const codes = ran.map(({ code }) => code);
  return { codes, ran, sent, requests: line.requests, harmed: met.harmed };
};

/** An hour that has not come yet. */
export const hourOf = (clock: { readonly now: () => Date }): string =>
  new Date(clock.now().getTime() + 24 * 60 * minuteMs).toISOString();

/** The exit codes behind which the same command may be run again. */
const runAgain: readonly number[] = [4, 5, 6, 9, 10];

export const wordsOf = (
  it: Sending,
  numbers: readonly string[],
  hour: string,
): readonly string[] => {
  const content = ["--from", "0200000000", "--text", "x", "--json", ...it.flags];
  const key = it.isKeyed ? ["--once", `order-${numbers[0]}`] : [];
  const later = it.isLater ? ["--at", hour] : [];
  const to = it.isRun ? ["send-many", "-"] : ["send", ...numbers.flatMap((n) => ["--to", n])];
  return [...to, ...content, ...key, ...later];
};
