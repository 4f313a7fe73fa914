/** The keyboard of a person: where answers and keys come from, whatever standard input is. */
import type { Readable } from "node:stream";
import type { IoPort } from "../ports.ts";
import type { Io } from "./process.ts";

export interface Keyboard {
  /** Undefined where there is none. */
  readonly open: () => Readable | undefined;
  readonly keys: IoPort["keys"];
  readonly close: () => void;
}

/** While the terminal itself is open the process stays. */
export const createKeyboard = (io: Pick<Io, "terminal" | "stdin" | "stdinIsTTY">): Keyboard => {
  const opened: Readable[] = [];
  const open = (): Readable | undefined => {
    if (io.stdinIsTTY) return io.stdin();
    opened.push(...[io.terminal?.()].flatMap((it) => it ?? []));
    return opened.at(-1);
  };
  return {
    open,
    keys: (pressed) => {
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
    },
    close: () => {
      for (const it of opened) it.destroy();
    },
  };
};

const hasModes = (
  input: Readable,
): input is Readable & { readonly setRawMode: (isRaw: boolean) => unknown } =>
  "setRawMode" in input && typeof input.setRawMode === "function";
