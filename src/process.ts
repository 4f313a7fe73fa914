/** The parts of a real process that `msg` uses; the only place that takes them from there. */
import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { isatty } from "node:tty";
import type { Io } from "./context.ts";
import { exitCodes } from "./errors.ts";

/** Ctrl-C and SIGTERM ask a command to end; the second one ends the process at once. */
export const ioOf = (process: NodeJS.Process): Io => {
  const stop = new AbortController();
  const onSignal = (): void => {
    if (stop.signal.aborted) process.exit(exitCodes.interrupted);
    stop.abort();
  };
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, onSignal);
  return {
    argv: process.argv.slice(2),
    env: process.env,
    stdin: () => process.stdin,
    stdinIsTTY: isatty(0),
    stdout: process.stdout,
    stderr: process.stderr,
    user: {
      pid: process.pid,
      kill: (pid, signal) => process.kill(pid, signal),
      user: process.getuid?.(),
    },
    now: () => new Date(),
    random: (size) => randomBytes(size),
    wait: async (ms, signal) => {
      await delay(ms, undefined, signal ? { signal } : {});
    },
    signal: stop.signal,
  };
};
