/** The one writer of `msg`: standard output and standard error, and nothing else writes to them. */
import type { Writable } from "node:stream";
import { sanitize } from "./text/safe.ts";
import { wrapSentence } from "./text/width.ts";
import type { View } from "./view.ts";

/** Writes one line; `-q` silences it. Errors never go this way. */
export const printNotice = async (err: Out, view: View, text: string): Promise<void> => {
  if (!view.quiet) await err.write(`${wrapSentence(sanitize(text), err.columns)}\n`);
};

/** A place to write to. The secrets of this process are redacted from everything written. */
export interface Out {
  readonly isTTY: boolean;
  /** Width of the terminal in columns; undefined when this is no terminal. */
  readonly columns: number | undefined;
  /** Its height in lines. */
  readonly rows: number | undefined;
  readonly colour: boolean;
  /** Takes the whole window until it is closed. */
  screen(): Screen;
  /** Resolves when the stream has taken it. A reader that went away (EPIPE) is not an error. */
  write(text: string): Promise<void>;
  /** The same with every control as it is: for a file whose reader wants the exact text. */
  writeExact(text: string): Promise<void>;
  /** For the two commands whose purpose is to print a secret into a pipe. */
  writeSecret(text: string): Promise<void>;
  writeBytes(bytes: Uint8Array): Promise<void>;
  /** The first failure of the stream (ENOSPC, EPIPE): reported by `main`, never a crash. */
  readonly failure: Error | undefined;
}

/** A stream, with its size if it is a terminal. */
export type OutStream = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
};

export interface OutOptions {
  readonly colour: boolean;
  /** Redacts secrets: `clean` of the process's redactor. */
  readonly redact: (text: string) => string;
}

/** A writer over a stream. Never throws and never rejects; after a failure all writes are dropped. */
export const createOut = (stream: OutStream, { colour, redact }: OutOptions): Out => {
  const isTTY = stream.isTTY === true;
  let failure: Error | undefined;
  const fail = (error: Error | null | undefined): void => {
    failure ??= error ?? undefined;
  };
  stream.on("error", fail);
  // Every write under way listens for the end of the stream; a trace writes many at once.
  stream.setMaxListeners(0);
  const put = async (chunk: string | Uint8Array): Promise<void> => {
    if (!failure && chunk.length > 0) fail(await writeTo(stream, chunk));
  };
  const safe = (text: string): string => guard(redact(text), colour, isTTY);
  return {
    isTTY,
    colour,
    // Read each time: they follow the window. A terminal that does not know its width reports 0.
    get columns() {
      return isTTY ? stream.columns || 80 : undefined;
    },
    get rows() {
      return stream.rows;
    },
    get failure() {
      return failure;
    },
    screen: () => createScreen(put, safe, stream),
    write: (text) => put(safe(text)),
    writeExact: (text) => put(redact(text)),
    writeSecret: put,
    writeBytes: put,
  };
};

/**
 * Writes a chunk and waits until the stream has finished with it, so that a failure is known before
 * the next step. A stream that is closed meanwhile may forget its callback.
 */
const writeTo = (stream: Writable, chunk: string | Uint8Array): Promise<Error | null | undefined> =>
  new Promise((resolve) => {
    const done = (error?: Error | null): void => {
      stream.off("close", closed);
      resolve(error);
    };
    const closed = (): void => done(stream.errored ?? new Error("the stream was closed"));
    stream.on("close", closed);
    stream.write(chunk, done);
  });

/** Every control but LF, TAB and CR LF; a style or redraw sequence matches as one. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what is looked for
const controls = /\x1b\[[0-9;]*[mK]|(?!\n|\t|\r\n)\p{Cc}/gu;

/**
 * The second guard: a control that no renderer should have let through is shown, not executed.
 * Styles pass if colours are on, redraw sequences on a terminal.
 */
const guard = (text: string, colour: boolean, isTTY: boolean): string =>
  text.replace(controls, (found) => {
    if (found.endsWith("m") ? colour : isTTY && /[K\r]$/.test(found)) return found;
    const code = found.charCodeAt(0).toString(16).padStart(2, "0");
    return `\\x${code}${found.slice(1)}`;
  });

/**
 * An alternate screen on a terminal, as in pagers: the earlier content returns at the end. Each frame is written
 * at once over the one before, so that nothing flickers, whatever the window's new size.
 */
export interface Screen {
  /** Replaces the lines on the screen by these, which fit; resolves when the terminal has taken them. */
  readonly draw: (lines: readonly string[]) => Promise<void>;
  /** Restores the terminal. */
  readonly close: () => Promise<void>;
}

const codes = {
  enter: "\x1b[?1049h\x1b[?25l",
  leave: "\x1b[?25h\x1b[?1049l",
  /** Shows the following output only when it is complete, if the terminal supports that. */
  begin: "\x1b[?2026h\x1b[H",
  end: "\x1b[J\x1b[?2026l",
  restOfLine: "\x1b[K",
} as const;

const createScreen = (
  put: (text: string) => Promise<void>,
  safe: (text: string) => string,
  stream: OutStream,
): Screen => {
  const last = { frame: "", size: "", isOpen: false };
  return {
    draw: async (lines) => {
      const rows = lines.map((it) => safe(it) + codes.restOfLine);
      const frame = `${codes.begin}${rows.join("\r\n")}${codes.end}`;
      const opening = last.isOpen ? "" : codes.enter;
      // After a resize the same frame has to be drawn again.
      const size = `${stream.columns} ${stream.rows}`;
      if (frame === last.frame && size === last.size) return;
      Object.assign(last, { frame, size, isOpen: true });
      await put(opening + frame);
    },
    close: async () => {
      if (last.isOpen) await put(codes.leave);
      last.isOpen = false;
    },
  };
};
