/** The parts of a real process that `msg` uses, its keyboard too; the only place that reads them. */

import type { Readable } from "node:stream";
import type { Network, NetworkOptions } from "../client/transport/network.ts";
import type { UserPort } from "../config/store.ts";
import type { Files } from "../durable/files.ts";
import { exitCodes } from "../errors.ts";
import { t, translated } from "../locale/locale.ts";
import type { OutStream } from "../output/out.ts";
import type { ClockPort, EnvironmentPort, IoPort } from "../ports.ts";
import type { Ask } from "../prompt/prompt.ts";

/** The parts of a process that `msg` uses, as one argument: a test hands in its own. */
export interface Io
  extends ClockPort,
    Pick<EnvironmentPort, "env" | "versions" | "user" | "random"> {
  readonly argv: readonly string[];
  /** Opened on the first read: opening a terminal or a pipe costs time. */
  readonly stdin: () => Readable;
  readonly stdinIsTTY: boolean;
  /** The terminal that the process belongs to, whatever its standard input is; undefined if it has none. */
  readonly terminal?: () => Readable | undefined;
  readonly stdout: OutStream;
  readonly stderr: OutStream;
  /** Where settings and runs are kept; the file system of this machine when left out. */
  readonly files?: Files;
  /** Carries requests to the service; connections over HTTP when left out. */
  readonly network?: (options: NetworkOptions) => Network;
  readonly signal: AbortSignal;
  /** Opens an address in a browser. */
  readonly open?: (address: string) => Promise<void>;
  /** Answers questions in place of a terminal. */
  readonly person?: Ask | undefined;
  /** False: a line may not name files, or its author could read them through what msg prints. */
  readonly readsFiles?: false;
  /** The sandbox compares each of its answers with the contract. */
  readonly checkAnswers?: boolean;
}

/**
 * Modules of Node are loaded when they are first needed: `import` of three of them costs a quarter of
 * the time that `msg --version` takes.
 */
export const createIo = (process: NodeJS.Process): Io => {
  reportWarnings(process);
  reportFaults(process);
  return {
    argv: process.argv.slice(2),
    env: takeEnvironment(process),
    versions: process.versions,
    stdin: () => {
      // A closed terminal reports its end before the signal arrives.
      process.once("exit", () => leaveTerminals(process));
      return tolerateClosedTerminal(process.stdin);
    },
    get stdinIsTTY() {
      return process.getBuiltinModule("node:tty").isatty(0);
    },
    terminal: () => controllingTerminal(process),
    get stdout() {
      return process.stdout;
    },
    get stderr() {
      return process.stderr;
    },
    user: {
      pid: process.pid,
      kill: (pid, signal) => process.kill(pid, signal),
      every,
      uid: process.getuid?.(),
    },
    now: () => new Date(),
    ticks: () => performance.now(),
    random: (size) => process.getBuiltinModule("node:crypto").randomBytes(size),
    wait: async (ms, signal) => {
      const timers = process.getBuiltinModule("node:timers/promises");
      await timers.setTimeout(ms, undefined, signal ? { signal } : {});
    },
    signal: stopped(process),
    open: (address) => openBrowser(address, process),
  };
};

const secretVariables = ["MSG_API_SECRET", "MSG_ACCESS_TOKEN"];

/** Takes the secrets out of the environment: crash reports and programs that msg starts would show them. */
const takeEnvironment = ({ env }: NodeJS.Process): Io["env"] => {
  const taken = { ...env };
  for (const name of secretVariables) delete env[name];
  return taken;
};

/** Answers come from here if rows come from standard input. */
const controllingTerminal = (process: NodeJS.Process): Readable | undefined => {
  const { openSync } = process.getBuiltinModule("node:fs");
  const { ReadStream } = process.getBuiltinModule("node:tty");
  try {
    return new ReadStream(openSync(process.platform === "win32" ? "CONIN$" : "/dev/tty", "r+"));
  } catch {
    return undefined;
  }
};

const every: UserPort["every"] = (ms, action) => {
  const timer = setInterval(action, ms).unref();
  return () => clearInterval(timer);
};

/** `timeout` and some launchers send a signal to the process and to its group, so it comes twice. */
const onceMs = 50;

/** Ctrl-C and SIGTERM ask a command to end; the second one ends the process at once. */
const stopped = (process: NodeJS.Process): AbortSignal => {
  const stop = new AbortController();
  const first = { ticks: 0 };
  const onSignal = (): void => {
    if (!stop.signal.aborted) {
      first.ticks = performance.now();
      stop.abort();
      return;
    }
    if (performance.now() - first.ticks < onceMs) return;
    process.stderr.write(`${translated(leftAtOnce)}\n`);
    process.exit(exitCodes.interrupted);
  };
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, onSignal);
  process.once("SIGHUP", () => process.once("exit", () => leaveTerminals(process)));
  return stop.signal;
};

/** If the terminal is gone, its mode cannot be restored, and nothing could catch an error here. */
const tolerateClosedTerminal = (stdin: NodeJS.Process["stdin"]): NodeJS.Process["stdin"] => {
  if (!stdin.isTTY) return stdin;
  const set = stdin.setRawMode.bind(stdin);
  stdin.setRawMode = (mode) => {
    try {
      return set(mode);
    } catch {
      return stdin;
    }
  };
  return stdin;
};

/** Node resets terminals when it ends, and aborts if one is closed: a core dump would hold secrets. */
const leaveTerminals = (process: NodeJS.Process): void => {
  const { closeSync } = process.getBuiltinModule("node:fs");
  const { isatty } = process.getBuiltinModule("node:tty");
  for (const descriptor of [0, 1, 2])
    try {
      if (!isatty(descriptor)) closeSync(descriptor);
    } catch {
      // The terminal was closed before.
    }
};

/** The command can no longer report, and an operator who pressed Ctrl-C twice wants to know what to do. */
const leftAtOnce =
  "left at once: what was under way may have happened; msg run list shows the open runs";

/**
 * Uses the program of this system, with the address as an argument and without a shell. The browser gets no variable
 * that may hold a secret of msg. If none can be started, nothing happens: the address was printed.
 */
const openBrowser = async (address: string, { env, platform }: NodeJS.Process): Promise<void> => {
  const { spawn } = await import("node:child_process");
  const [file, ...args] = env.BROWSER ? [env.BROWSER] : (openers[platform] ?? ["xdg-open"]);
  if (file === undefined) return;
  const clean = Object.fromEntries(
    Object.entries(env).filter(([name]) => !name.startsWith("MSG_")),
  );
  const child = spawn(file, [...args, address], { env: clean, stdio: "ignore", detached: true });
  child.on("error", () => undefined).unref();
};

const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** As Node prints them, except one: Node 22 calls its SQLite experimental at every start. */
const reportWarnings = (process: NodeJS.Process): void => {
  process.removeAllListeners("warning");
  process.on("warning", ({ name, message }) => {
    if (name === "ExperimentalWarning" && message.startsWith("SQLite")) return;
    process.stderr.write(`${name}: ${message}\n`);
  });
};

/**
 * Handles an error that no one waited for. Node would end the process at once with exit code 1, and an
 * answered send would look like a failed one. Calls under way continue and report how they ended.
 */
const reportFaults = (process: NodeJS.Process): void => {
  const reportFault = (error: unknown): void => {
    const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    process.stderr.write(
      `${t`fault in msg itself: ${text.replace(/\p{Cc}+/gu, " ").slice(0, 200)}`}\n`,
    );
  };
  process.on("uncaughtException", reportFault);
  process.on("unhandledRejection", reportFault);
};

export type Keyboard = ReturnType<typeof createKeyboard>;

/** An open terminal keeps the process alive. */
export const createKeyboard = (io: Pick<Io, "terminal" | "stdin" | "stdinIsTTY">) => {
  const opened: Readable[] = [];
  const open = (): Readable | undefined => {
    if (io.stdinIsTTY) return io.stdin();
    const terminal = io.terminal?.();
    if (terminal) opened.push(terminal);
    return opened.at(-1);
  };
  const keys: IoPort["keys"] = (pressed) => {
    const input = open();
    if (input === undefined || !hasModes(input)) return undefined;
    const take = (bytes: Buffer): void => {
      for (const key of bytes.toString("utf8")) pressed(key);
    };
    // Keys arrive one by one and are not shown.
    input.setRawMode(true);
    input.on("data", take);
    return () => {
      input.off("data", take);
      input.setRawMode(false);
      input.pause();
    };
  };
  const close = (): void => {
    for (const it of opened) it.destroy();
  };
  /** `open` returns undefined if there is none. */
  return { open, keys, close };
};

const hasModes = (
  input: Readable,
): input is Readable & { readonly setRawMode: (isRaw: boolean) => unknown } =>
  "setRawMode" in input && typeof input.setRawMode === "function";
