/** A run that is killed again and again, and resumed each time; and what the books say of it at its end. */

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { expect } from "vitest";
import { readLog } from "../../src/durable/log.ts";
import { exitCodes } from "../../src/errors.ts";
import { type Ended, ended, freshFolder } from "../e2e/program.ts";
import { atHome } from "./at-home.ts";
import { envFor, numbersOf, rowsOf, type Service, sending } from "./books.ts";
import { contradictions, counted } from "./claims.ts";
import { kindOf, type LineOptions, type Moment, openLine, type Passing } from "./line.ts";

/** When one process is killed. */
export interface Killing {
  /** Handed the means, it answers what to call at every moment of a request. */
  readonly on?: (kill: () => void) => (passing: Passing, moment: Moment) => void;
  /** What the process is started with: it may kill itself. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * At the n-th moment of its requests, from the first write on: what is read before changes nothing. Each
 * moment that is met is added to `met` by its kind.
 */
export const atMoment = (at: number, met: string[] = []): Killing => ({
  on: (kill) => {
    const seen = { count: 0 };
    return (passing, moment) => {
      if (seen.count === 0 && passing.method === "GET") return;
      seen.count += 1;
      met.push(`${kindOf(passing)}, ${moment}`);
      if (seen.count === at) kill();
    };
  },
});

/** So many milliseconds after its first request arrived. */
export const afterFirst = (ms: number): Killing => ({
  on: (kill) => {
    let begun = false;
    return () => {
      if (!begun) setTimeout(kill, ms);
      begun = true;
    };
  },
});

/**
 * Kills its own process behind the n-th record of one type, or of any. What is written with that record
 * and stands behind it does not reach the disk. A process that opens a journal writes into a copy that takes
 * its place.
 */
const suicidal = `
const fs = require("node:fs");
const { openSync, writeSync } = fs;
const journals = new Set();
let left = Number(process.env.KILL_AT);
fs.openSync = (path, ...more) => {
  const descriptor = openSync(path, ...more);
  if (/journal[.]log([.]copy)?$/.test(path)) journals.add(descriptor);
  else journals.delete(descriptor);
  return descriptor;
};
fs.writeSync = (descriptor, bytes, offset, length, at) => {
  if (!journals.has(descriptor)) return writeSync(descriptor, bytes, offset, length, at);
  let end = 0;
  for (const record of Buffer.from(bytes).toString("latin1").split(/(?<=\\n)/)) {
    end += record.length;
    if (!record.includes(process.env.KILL_TYPE)) continue;
    left -= 1;
    if (left > 0) continue;
    writeSync(descriptor, bytes, 0, end, at);
    process.kill(process.pid, "SIGKILL");
  }
  return writeSync(descriptor, bytes, offset, length, at);
};`;

/** Behind the n-th record of its own, whatever it is or of one type. */
export const behindRecord = (at: number, type = ""): Killing => {
  const script = join(freshFolder(), "suicidal.cjs");
  writeFileSync(script, suicidal);
  const word = type === "" ? '"t":' : `"t":"${type}"`;
  const env = { NODE_OPTIONS: `--require ${script}`, KILL_AT: String(at), KILL_TYPE: word };
  return { env };
};

const never: Killing = {};
/** Behind these the command says to go on. */
const { unauthenticated, forbidden, missing, unreachable, refused, unknown } = exitCodes;
const goesOn: readonly (number | null)[] = [
  ...[unauthenticated, forbidden, missing, unreachable, refused, unknown],
];
/** A line that is worse than any would have a test go on for ever. */
const mostProcesses = 60;

export interface KilledRun {
  readonly flags: readonly string[];
  readonly rows: number;
  /** Number of its first recipient. */
  readonly first: number;
  /** Messages beside those of the list: a canary to numbers of one's own. */
  readonly extra?: number;
  /** One for each process; the last process is left alone. */
  readonly killings: readonly Killing[];
  /** What the line does beside that. */
  readonly harm?: LineOptions["harm"] | undefined;
  readonly hooks?: Pick<LineOptions, "heard" | "date">;
}

/** Each claim of each process is held against the books. */
export const killedRun = async (service: Service, it: KilledRun) => {
  const { flags, rows, first, killings, harm, hooks, extra = 0 } = it;
  const stdin = rowsOf(rows, first);
  const numbers = numbersOf(rows, first);
  const now: { moment: LineOptions["on"] } = { moment: undefined };
  const line = await openLine({
    to: service.baseUrl,
    on: (passing, moment) => now.moment?.(passing, moment),
    ...hooks,
    ...(harm && { harm }),
  });
  const msg = atHome();
  const env = envFor(line);
  const processes = { left: mostProcesses };
  const perform = (words: readonly string[], killing: Killing): Promise<Ended> => {
    now.moment = undefined;
    if (killing === never) return msg(words, { stdin, env });
    const child = msg.start(words, { stdin, env: { ...env, ...killing.env } });
    now.moment = killing.on?.(() => child.kill("SIGKILL"));
    return ended(child);
  };
  const once = async (words: readonly string[], killing: Killing) => {
    processes.left -= 1;
    const before = service.countsOf(numbers);
    const last = await perform([...words, "--json"], killing);
    const wrong =
      last.code === null || extra > 0
        ? []
        : contradictions(last, { sent: service.countsOf(numbers), before });
    expect({ words: words.join(" "), wrong }, last.err).toEqual({
      ...{ words: words.join(" "), wrong: [] },
    });
    return last;
  };
  /** Killed before the run was written down: there is nothing to resume, and nothing was sent. */
  const next = () => (runOf(msg.folder) ? ["send-many", "--resume", "last"] : sending(...flags));
  /** A line that does worse than lose an answer may end a process; the next one goes on. */
  const run = async (killing: Killing) => {
    let last = await once(next(), killing);
    while (goesOn.includes(last.code) && processes.left > 0) last = await once(next(), never);
    return last;
  };
  const show = () => msg("run show last --json", { env });
  let last = await run(killings[0] ?? never);
  const records: string[] = [];
  for (const killing of [...killings.slice(1), never]) {
    if (last.code !== null) break;
    records.push(lastRecord(msg.folder));
    addsUp((await show()).out, rows + extra);
    last = await run(killing);
  }
  const shown = (await show()).json();
  await line.stop();
  const sent = service.countsOf(numbers);
  return { code: last.code, err: last.err, killed: records.length, records, sent, shown };
};

const runsIn = (folder: string): string => join(folder, "state/msg/runs");

/** The run of the folder; what a process left that was killed while it planned is none. */
const runOf = (folder: string): string | undefined => {
  const runs = runsIn(folder);
  if (!existsSync(runs)) return undefined;
  return readdirSync(runs).find(
    (name) => /^\d/.test(name) && existsSync(join(runs, name, "run.json")),
  );
};

/** The type of the last record that the process left behind. */
const lastRecord = (folder: string): string => {
  const id = runOf(folder);
  const journal = join(runsIn(folder), id ?? "", "journal.log");
  if (id === undefined || !existsSync(journal)) return "none";
  const record = v.safeParse(
    v.object({ t: v.string() }),
    readLog(readFileSync(journal), journal).records.at(-1),
  );
  return record.success ? record.output.t : "none";
};

/** `msg run show last` adds up at any time; nothing is shown of a run that was not written down. */
const addsUp = (out: string, rows: number): void => {
  if (out === "") return;
  const it = v.parse(counted, JSON.parse(out));
  const { total, accepted, refused, skipped, notSent, unknown } = it;
  expect({ ...it, sum: accepted + refused + skipped + notSent + unknown }).toEqual({
    ...{ ...it, total: rows, sum: total },
  });
};
