/** The parts of a real process that `msg` uses, its keyboard too; the only place that takes them from there. */

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
  /** Opened when it is read: opening a terminal or a pipe costs time. */
  readonly stdin: () => Readable;
  readonly stdinIsTTY: boolean;
  /** The terminal that the process belongs to, whatever its standard input is; undefined where it has none. */
  readonly terminal?: () => Readable | undefined;
  readonly stdout: OutStream;
  readonly stderr: OutStream;
  /** Where settings and runs are kept; the file system of this machine when left out. */
  readonly files?: Files;
  /** What carries requests to the service; connections over HTTP when left out. */
  readonly network?: (options: NetworkOptions) => Network;
  readonly signal: AbortSignal;
  /** Opens an address in a browser. */
  readonly open?: (address: string) => Promise<void>;
  /** Who answers questions, where that is not a terminal. */
  readonly person?: Ask | undefined;
  /** False: a line may not name files, or its author could read them through what msg prints. */
  readonly readsFiles?: false;
  /** The sandbox compares each of its answers with the contract. */
  readonly checkAnswers?: boolean;
}

/**
 * Modules of Node are fetched when they are first needed: `import` of three of them costs a quarter of
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
      // A terminal that is closed reports its end before the signal arrives.
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
      user: process.getuid?.(),
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

/** Reports of a crash, and programs that msg starts, show the environment of the process: it loses its secrets. */
const takeEnvironment = ({ env }: NodeJS.Process): Io["env"] => {
  const taken = { ...env };
  for (const name of secretVariables) delete env[name];
  return taken;
};

/** Answers come from here where rows come from standard input. */
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

/** `timeout`, and some that start programs, send a signal to the process and to its group: it comes twice. */
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

/** Node sets terminals back when it ends, and aborts over one that is gone: a core would hold secrets. */
const leaveTerminals = (process: NodeJS.Process): void => {
  const { closeSync } = process.getBuiltinModule("node:fs");
  const { isatty } = process.getBuiltinModule("node:tty");
  for (const descriptor of [0, 1, 2])
    try {
      if (!isatty(descriptor)) closeSync(descriptor);
    } catch {
      // It was closed before.
    }
};

/** The command cannot speak any more, and who pressed Ctrl-C twice wants to know what to do. */
const leftAtOnce =
  "left at once: what was under way may have happened; msg run list shows the open runs";

/**
 * By the program of this system, as an argument and without a shell. The browser gets no variable
 * that may hold a secret of ours. Where none can be started nothing happens: the address was printed.
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

/** As Node tells them, but for one: Node 22 calls its SQLite experimental at every start. */
const reportWarnings = (process: NodeJS.Process): void => {
  process.removeAllListeners("warning");
  process.on("warning", ({ name, message }) => {
    if (name === "ExperimentalWarning" && message.startsWith("SQLite")) return;
    process.stderr.write(`${name}: ${message}\n`);
  });
};

/**
 * An error that no one waited for. Node would end the process with 1 on the spot: then a send that was
 * answered would look like one that failed. What is under way goes on, and says how it ended.
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

/** While the terminal itself is open the process stays. */
export const createKeyboard = (io: Pick<Io, "terminal" | "stdin" | "stdinIsTTY">) => {
  const opened: Readable[] = [];
  const open = (): Readable | undefined => {
    if (io.stdinIsTTY) return io.stdin();
    opened.push(...[io.terminal?.()].flatMap((it) => it ?? []));
    return opened.at(-1);
  };
  const keys: IoPort["keys"] = (pressed) => {
    const input = open();
    if (input === undefined || !hasModes(input)) return undefined;
    const take = (bytes: Buffer): void => {
      for (const key of bytes.toString("utf8")) pressed(key);
    };
    // Each key comes by itself, and is not shown.
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
  /** `open` answers undefined where there is none. */
  return { open, keys, close };
};

const hasModes = (
  input: Readable,
): input is Readable & { readonly setRawMode: (isRaw: boolean) => unknown } =>
  "setRawMode" in input && typeof input.setRawMode === "function";
