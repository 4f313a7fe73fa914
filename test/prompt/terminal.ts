/** A program in a real pseudo-terminal: what it prints, what a person types. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { spawn } from "@lydell/node-pty";
import { build } from "esbuild";
import { readToEnd } from "../support/read-to-end.ts";

/** The questions of a program, and where what it writes to standard output ends up. */
export interface Program {
  readonly run: (options?: { readonly env?: Readonly<Record<string, string>> }) => Session;
  readonly remove: () => void;
}

export interface Session {
  /** Resolves when the text has appeared on the screen after what was waited for before. */
  readonly see: (text: string) => Promise<void>;
  readonly type: (keys: string) => void;
  /** Sends a signal to the program. */
  readonly signal: (name: string) => void;
  readonly end: () => Promise<Ended>;
}

export interface Ended {
  readonly code: number;
  /** Everything that reached the terminal, raw and as text. */
  readonly raw: string;
  readonly screen: string;
  /** Standard output, which is a file and not the terminal. */
  readonly stdout: string;
}

/**
 * Builds a program around `body`, which has `ask`; what it returns is printed to standard output as
 * JSON, a MsgError as its kind and message with its exit code.
 */
export const program = async (body: string): Promise<Program> => {
  const folder = mkdtempSync(join(tmpdir(), "msg-prompt-"));
  const file = join(folder, "program.mjs");
  const contents = `
    import { createAsk } from "./src/prompt/prompt.ts";
    import { sanitize } from "./src/output/text/safe.ts";
    const stop = new AbortController();
    process.on("SIGTERM", () => stop.abort());
    const ask = createAsk({
      input: process.stdin, output: process.stderr, signal: stop.signal, clean: sanitize,
      colour: process.env.COLOUR === "yes",
    });
    const body = async () => { ${body} };
    const print = (value) => process.stdout.write(JSON.stringify(value));
    body().then(print, (error) => {
      print({ kind: error.kind, message: error.message });
      process.exitCode = error.exitCode ?? 99;
    });
  `;
  const stdin = { contents, resolveDir: process.cwd(), loader: "ts" } as const;
  const banner = {
    js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
  };
  const options = { bundle: true, format: "esm", platform: "node", write: false } as const;
  const result = await build({ ...options, stdin, banner });
  writeFileSync(file, result.outputFiles[0]?.contents ?? "");
  return {
    run: ({ env = {} } = {}) => session(file, join(folder, "stdout"), env),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};

const session = (file: string, stdout: string, env: Readonly<Record<string, string>>): Session => {
  writeFileSync(stdout, "");
  const command = `exec "$0" "$1" >"$2"`;
  const pty = readToEnd(
    spawn("/bin/sh", ["-c", command, process.execPath, file, stdout], {
      cols: 80,
      rows: 24,
      env: { PATH: process.env.PATH, TERM: "xterm-256color", ...env },
    }),
  );
  let raw = "";
  let seen = 0;
  let look = (): void => undefined;
  pty.onData((text) => {
    raw += text;
    look();
  });
  const ended = new Promise<Ended>((resolve) => {
    pty.onExit(({ exitCode }) => {
      const screen = stripVTControlCharacters(raw);
      resolve({ code: exitCode, raw, screen, stdout: readFileSync(stdout, "utf8") });
      look();
    });
  });
  const see = (text: string): Promise<void> =>
    new Promise((resolve) => {
      look = () => {
        const at = raw.indexOf(text, seen);
        if (at < 0) return;
        seen = at + text.length;
        look = () => undefined;
        resolve();
      };
      look();
    });
  return {
    see,
    type: (keys) => pty.write(keys),
    signal: (name) => pty.kill(name),
    end: () => ended,
  };
};
