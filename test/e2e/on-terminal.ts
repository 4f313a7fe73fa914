/** The built `msg` in a real terminal, with somebody who types. */
import { stripVTControlCharacters } from "node:util";
import { spawn } from "@lydell/node-pty";
import { readToEnd } from "../support/read-to-end.ts";
import { entry, type program } from "./program.ts";

export interface Dialogue {
  readonly code: number;
  /** All that the terminal was sent, escape sequences included. */
  readonly screen: string;
}

/** What is typed when this has appeared; a function finds it out then. */
export type Step = readonly [question: RegExp, answer: string | (() => Promise<string>)];

/** Runs `msg` in a terminal; types each answer when its question has appeared. */
export const onTerminal = (
  msg: Pick<ReturnType<typeof program>, "env" | "folder">,
  args: readonly string[],
  options: {
    readonly columns?: number;
    readonly env?: Record<string, string>;
    readonly answers?: readonly Step[];
    /** A file whose bytes stand on standard input, by a pipe. */
    readonly stdin?: string;
    /** The window gets so many columns when this has appeared. */
    readonly resized?: readonly [RegExp, number];
    /** The window is closed when this has appeared. */
    readonly closed?: RegExp;
  } = {},
): Promise<Dialogue> =>
  new Promise((resolve) => {
    const env = { ...msg.env, TERM: "xterm-256color", ...options.env };
    const piped = ["-c", `cat "$0" | "$@"`, options.stdin ?? "", process.execPath];
    const [file, first] = options.stdin ? ["/bin/sh", piped] : [process.execPath, []];
    const terminal = readToEnd(
      spawn(file, [...first, ...entry, ...args], {
        cols: options.columns ?? 120,
        rows: 40,
        env,
        cwd: msg.folder,
      }),
    );
    const waiting = [...(options.answers ?? [])];
    const type = async (answer: Step[1]): Promise<void> =>
      terminal.write(typeof answer === "string" ? answer : await answer());
    const seen = { all: "", since: 0 };
    let resize = options.resized;
    terminal.onData((chunk) => {
      seen.all += chunk;
      if (options.closed?.test(seen.all) && isClosable(terminal)) terminal.destroy();
      if (resize?.[0].test(seen.all)) {
        terminal.resize(resize[1], 40);
        resize = undefined;
      }
      const [question, answer = ""] = waiting[0] ?? [];
      if (!question?.test(stripVTControlCharacters(seen.all.slice(seen.since)))) return;
      seen.since = seen.all.length;
      waiting.shift();
      void type(answer);
    });
    // Ended by a signal it has no code; a shell says 128 and the signal's number.
    terminal.onExit(({ exitCode, signal }) =>
      resolve({ code: signal ? 128 + signal : exitCode, screen: seen.all }),
    );
  });

/** The declared type leaves it out. */
const isClosable = (terminal: object): terminal is { readonly destroy: () => void } =>
  "destroy" in terminal && typeof terminal.destroy === "function";

export const plain = (screen: string): string =>
  stripVTControlCharacters(screen).replaceAll("\r", "");

/** What stood on a screen that is redrawn, one after the other. */
export const framesOf = (screen: string): readonly string[] =>
  screen
    .split("\u001b[?2026h")
    .slice(1)
    .map((frame) => plain(frame.split("\u001b[?2026l")[0] ?? ""));
