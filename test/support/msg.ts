/** `msg("…")`: the real main in this process, on a fresh folder, with the real sandbox. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll } from "vitest";
import type { Io } from "../../src/app/process.ts";
import { main } from "../../src/main.ts";
import { type Sink, sink } from "../output/sink.ts";
import { every } from "./clock.ts";
import { laySandbox } from "./new-sandbox.ts";
import { pasting, person } from "./person.ts";

export interface Options {
  /** What stands on standard input; a pipe that is empty when left out. */
  readonly stdin?: string | Uint8Array | Readable;
  /** A terminal of this many columns instead of a pipe. */
  readonly tty?: number;
  /** What a person answers, one question after the other. */
  readonly answers?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The disk, if not that of this machine. */
  readonly files?: Io["files"];
  readonly now?: () => Date;
  readonly signal?: AbortSignal;
  /** The browser that an address is opened in. */
  readonly open?: (address: string) => Promise<void>;
  /** What a person answers who reads what was said on standard error so far. */
  readonly paste?: (said: string) => Promise<string>;
  /** How waiting is waited; for real when left out. */
  readonly wait?: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** The clock that nobody sets; the machine's when left out. */
  readonly ticks?: () => number;
}

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** The questions that were asked. */
  readonly questions: readonly string[];
  /** The questions whose answers the screen does not show. */
  readonly hidden: readonly string[];
  /** Standard output as JSON. */
  readonly json: () => unknown;
}

export interface Shell {
  (line: string | readonly string[], options?: Options): Promise<Ran>;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A home of its own: commands run one after the other share its profiles and its sandbox. */
export const shell = (base: Options = {}): Shell => {
  const folder = mkdtempSync(join(tmpdir(), "msg-test-"));
  folders.push(folder);
  const env = {
    HOME: folder,
    MSG_CONFIG_DIR: join(folder, "config"),
    MSG_STATE_DIR: join(folder, "state"),
    MSG_TZ: "Asia/Seoul",
  };
  const run = (line: string | readonly string[], options: Options = {}): Promise<Ran> =>
    runLine(words(line), { ...base, ...options, env: { ...env, ...base.env, ...options.env } });
  return Object.assign(run, { folder, env });
};

const runLine = async (argv: readonly string[], options: Options): Promise<Ran> => {
  const { MSG_STATE_DIR: state, MSG_PROFILE: profile } = options.env ?? {};
  if (state && (argv.includes("--sandbox") || argv[0] === "sandbox" || profile === "sandbox"))
    laySandbox(join(state, "sandbox/sandbox.db"), options.now);
  const out = collector(options.tty);
  const err = collector(options.tty);
  const hidden: string[] = [];
  const asked = options.answers && person(options.answers, hidden);
  const io: Io = {
    argv,
    env: options.env ?? {},
    versions: process.versions,
    stdin: () => input(options),
    stdinIsTTY: options.tty !== undefined && options.stdin === undefined,
    user: {
      pid: process.pid,
      kill: (pid, signal) => process.kill(pid, signal),
      every,
      uid: process.getuid?.(),
    },
    stdout: out.stream,
    stderr: err.stream,
    now: options.now ?? (() => new Date()),
    ticks: options.ticks ?? (() => performance.now()),
    random: (size) => randomBytes(size),
    wait: (ms, signal) => (isOfAnswer(ms) ? wait : (options.wait ?? wait))(ms, signal),
    signal: options.signal ?? new AbortController().signal,
    person: asked?.ask ?? (options.paste && pasting(options.paste, err.text, hidden)),
    checkAnswers: true,
    ...(options.open && { open: options.open }),
    ...(options.files && { files: options.files }),
  };
  const code = await main(io);
  return {
    code,
    out: out.text(),
    err: err.text(),
    questions: asked?.questions ?? [],
    hidden,
    json: () => JSON.parse(out.text()),
  };
};

const wait: NonNullable<Options["wait"]> = async (ms, signal) =>
  delay(ms, undefined, signal ? { signal } : {});

/** The limit of a large answer that comes in parts is no pause: whoever hurries does not shorten it. */
const isOfAnswer = (ms: number): boolean => ms === 600_000;

const input = ({ stdin }: Options): Readable =>
  stdin instanceof Readable
    ? stdin
    : Readable.from(stdin === undefined ? [] : [Buffer.from(stdin)]);

const collector = (columns: number | undefined): Sink => {
  const it = sink();
  if (columns !== undefined) Object.assign(it.stream, { isTTY: true, columns });
  return it;
};

/** Splits a line as a shell does, without expansion: quotes and backslashes. */
export const words = (line: string | readonly string[]): readonly string[] => {
  if (typeof line !== "string") return line;
  const found = [...line.matchAll(/(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/gs)];
  return found.map(([word]) =>
    word.replace(
      /"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/gs,
      (_all, double: string | undefined, single, escaped) =>
        double === undefined ? (single ?? escaped ?? "") : double.replace(/\\(["\\$`])/g, "$1"),
    ),
  );
};
