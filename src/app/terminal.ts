/** The terminal of a process: its keyboard, and what becomes of the process when it is closed. */

import type { Readable } from "node:stream";
import type { IoPort } from "../ports.ts";

export interface TerminalPort {
  /** Opened on the first read: opening a terminal or a pipe costs time. */
  readonly stdin: () => Readable;
  readonly stdinIsTTY: boolean;
  /** The terminal that the process belongs to, whatever its standard input is; undefined if it has none. */
  readonly terminal?: () => Readable | undefined;
}

export type Keyboard = ReturnType<typeof createKeyboard>;

/** An open terminal keeps the process alive. */
export const createKeyboard = (io: TerminalPort) => {
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

/** Answers come from here if rows come from standard input. */
export const controllingTerminal = (process: NodeJS.Process): Readable | undefined => {
  const { openSync } = process.getBuiltinModule("node:fs");
  const { ReadStream } = process.getBuiltinModule("node:tty");
  try {
    return new ReadStream(openSync(process.platform === "win32" ? "CONIN$" : "/dev/tty", "r+"));
  } catch {
    return undefined;
  }
};

/** If the terminal is gone, its mode cannot be restored, and nothing could catch an error here. */
export const tolerateClosedTerminal = (stdin: NodeJS.Process["stdin"]): NodeJS.Process["stdin"] => {
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
export const leaveTerminals = (process: NodeJS.Process): void => {
  const { closeSync } = process.getBuiltinModule("node:fs");
  const { isatty } = process.getBuiltinModule("node:tty");
  for (const descriptor of [0, 1, 2])
    try {
      if (!isatty(descriptor)) closeSync(descriptor);
    } catch {
      // The terminal was closed before.
    }
};
