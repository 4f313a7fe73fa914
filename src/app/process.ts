/** The parts of a real process that `msg` uses; the only place that reads them. */

import type { Network, NetworkOptions } from "../client/transport/network.ts";
import type { UserPort } from "../config/store.ts";
import type { Files } from "../durable/files.ts";
import { exitCodes } from "../errors.ts";
import { t, translated } from "../locale/locale.ts";
import type { OutStream } from "../output/out.ts";
import type { ClockPort, EnvironmentPort } from "../ports.ts";
import type { Ask } from "../prompt/prompt.ts";
import {
  controllingTerminal,
  leaveTerminals,
  type TerminalPort,
  tolerateClosedTerminal,
} from "./terminal.ts";

/** The parts of a process that `msg` uses, as one argument: a test hands in its own. */
export interface Io
  extends ClockPort,
    TerminalPort,
    Pick<EnvironmentPort, "env" | "versions" | "user" | "random"> {
  readonly argv: readonly string[];
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
  /** Whose line this is: one whose profile was logged in anew since is refused. Left out: whoever is logged in. */
  readonly caller?: { readonly login: string | undefined };
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
