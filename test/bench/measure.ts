/** Measuring: processes started without a shell, rounds in turn, medians. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";

/** Where and with what a row is measured. */
export interface Bench {
  /** The Node binary under test. */
  readonly node: string;
  /** That Node keeps what it compiled for the next start (22.1 and later). */
  readonly hasCompileCache: boolean;
  readonly rounds: number;
  /** Rows of the runs that are measured. */
  readonly rows: number;
  /** The folder of the built programs of this bench. */
  readonly programs: string;
  /** The built `msg`. */
  readonly msg: string;
  /** A fresh folder for this row. */
  readonly folder: string;
}

/** One measured ratio: a subject against a floor or a peer, and what it must be. */
export interface Figure {
  readonly what: string;
  /** How many rounds its medians are of, where that is not what was asked for. */
  readonly rounds?: number | undefined;
  readonly unit: "ms" | "MiB" | "KiB" | "per second" | "µs" | "messages" | "requests";
  /** Medians by name; the subject is among them. */
  readonly medians: Readonly<Record<string, number>>;
  readonly subject: string;
  readonly goals: readonly {
    readonly to: string;
    readonly atMost?: number;
    readonly atLeast?: number;
  }[];
}

export interface Row {
  readonly id: string;
  readonly what: string;
  readonly run: (bench: Bench) => Promise<readonly Figure[]>;
}

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** What every process of a bench sees; the two left out change the start of Node itself. */
export const environment = (
  more: Readonly<Record<string, string>> = {},
): Record<string, string> => {
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      !/^(NODE_EXTRA_CA_CERTS|NODE_OPTIONS|MSG_|FORCE_COLOR|HTTPS?_PROXY|https?_proxy)/.test(name),
  );
  return Object.fromEntries(
    [...kept, ...Object.entries(more)].map(([name, value]) => [name, value ?? ""]),
  );
};

/** No process of a bench takes longer: one that hangs ends the row, not the bench. */
const timeout = 40 * 60_000;

/** Starts a process, waits for its end, answers milliseconds. Throws when it does not exit with 0. */
export const time = async ({ file, args, env }: Command): Promise<number> => {
  const start = performance.now();
  const child = spawn(file, args, { stdio: "ignore", timeout, env: environment(env) });
  const code = await new Promise((resolve, reject) =>
    child.on("error", reject).on("exit", resolve),
  );
  const elapsed = performance.now() - start;
  if (code !== 0) throw new Error(`exit ${code}: ${[file, ...args].join(" ")}`);
  return elapsed;
};

/** What a process prints on standard output. */
export const output = async ({ file, args, env }: Command): Promise<string> => {
  const child = spawn(file, args, {
    stdio: ["ignore", "pipe", "inherit"],
    timeout,
    env: environment(env),
  });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  const code = await new Promise((resolve, reject) =>
    child.on("error", reject).on("close", resolve),
  );
  if (code !== 0) throw new Error(`exit ${code}: ${[file, ...args].join(" ")}`);
  return Buffer.concat(chunks).toString("utf8");
};

/** Seconds that a Node program computed: a preload prints them when the process ends. */
export const computing = async (
  bench: Bench,
  { args, env }: Omit<Command, "file">,
): Promise<number> => {
  const preload = join(bench.folder, "print-time.cjs");
  writeFileSync(preload, printTime);
  const words = ["--require", preload, ...args];
  const text = await output({ file: bench.node, args: words, ...(env && { env }) });
  return Number(text.slice(text.lastIndexOf("computed=") + 9)) / 1e6;
};

const printTime = `process.on("exit", () => {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  process.stdout.write("\\ncomputed=" + (userCPUTime + systemCPUTime));
});\n`;

/** The largest resident memory of a Node program, in MiB: a preload prints it when the process ends. */
export const memory = async (
  bench: Bench,
  { args, env }: Omit<Command, "file">,
): Promise<number> => {
  const preload = join(bench.folder, "print-memory.cjs");
  writeFileSync(preload, printMemory);
  const text = await output({
    file: bench.node,
    args: ["--require", preload, ...args],
    ...(env && { env }),
  });
  return Number(text.slice(text.lastIndexOf("maxrss=") + 7)) / 1024;
};

const printMemory = `process.on("exit", () => process.stdout.write("\\nmaxrss=" + process.resourceUsage().maxRSS));\n`;

/** Runs all cases once per round, in turn, and answers what each found, round by round. */
export const foundInTurn = async <Found>(
  rounds: number,
  cases: Readonly<Record<string, () => Promise<Found>>>,
): Promise<Record<string, readonly Found[]>> => {
  const found: Record<string, Found[]> = {};
  for (let round = 0; round < rounds; round++)
    for (const [name, measure] of Object.entries(cases)) {
      found[name] ??= [];
      found[name].push(await measure());
    }
  return found;
};

/** The same for cases that each find one number: the median of each. */
export const inTurn = async (
  rounds: number,
  cases: Readonly<Record<string, () => Promise<number>>>,
): Promise<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(await foundInTurn(rounds, cases)).map(([name, found]) => [name, median(found)]),
  );

/** Seconds that the rounds of a row of whole runs may take together. */
const mostSeconds = 170;
const mostRounds = 3;

/**
 * The same for rows whose every round takes many seconds: three rounds at most, and none is begun that
 * would probably end too late. The first is always measured.
 */
export const inFewTurns = async (
  rounds: number,
  cases: Readonly<Record<string, () => Promise<number>>>,
): Promise<{ readonly medians: Record<string, number>; readonly rounds: number }> => {
  const found: Record<string, number>[] = [];
  const started = performance.now();
  const seconds = (): number => (performance.now() - started) / 1_000;
  do found.push(await inTurn(1, cases));
  while (
    found.length < Math.min(rounds, mostRounds) &&
    seconds() * (1 + 1 / found.length) < mostSeconds
  );
  const medians = Object.fromEntries(
    Object.keys(cases).map((name) => [name, median(found.map((it) => it[name] ?? Number.NaN))]),
  );
  return { medians, rounds: found.length };
};

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
};

/** Starts a program that prints its port and runs until it is stopped. */
export const server = async (
  bench: Bench,
  program: string,
  ...args: readonly string[]
): Promise<{ readonly url: string; readonly port: string; readonly stop: () => Promise<void> }> => {
  const child = spawn(bench.node, [join(bench.programs, program), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    env: environment(),
  });
  const port = await new Promise<string>((resolve, reject) => {
    child.once("error", reject).once("exit", () => reject(new Error(`${program} ended at once`)));
    child.stdout.once("data", (chunk: Buffer) => resolve(chunk.toString("utf8").trim()));
  });
  const stop = async (): Promise<void> => {
    const ended = once(child, "exit");
    child.kill();
    await ended;
  };
  return { url: `http://127.0.0.1:${port}`, port, stop };
};
