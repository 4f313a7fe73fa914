/** The built `msg` as a process, in a home of its own. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";

export const root = fileURLToPath(new URL("../..", import.meta.url));
export const binary = join(root, "bin/msg.js");

const preload = join(tmpdir(), "compiled/compile-cache.cjs");
/** What Node is started with before the words of a command; with what the run keeps compiled, where it does. */
export const entry = [...(existsSync(preload) ? ["--require", preload] : []), binary] as const;

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Program {
  (args: readonly string[], options?: RunOptions): Promise<Ended>;
  /** A process that is not waited for. */
  readonly start: (args: readonly string[], options?: RunOptions) => ChildProcessWithoutNullStreams;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

const opened: string[] = [];
afterAll(() => {
  for (const folder of opened.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export const freshFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "msg-e2e-"));
  opened.push(folder);
  return folder;
};

/** `msg` with an empty home. The environment is only what a process needs to start. */
export const program = (): Program => {
  if (!existsSync(join(root, "dist/main.cjs"))) throw new Error("npm run build first");
  const folder = freshFolder();
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    TZ: "Asia/Seoul",
    XDG_CONFIG_HOME: join(folder, "config"),
    XDG_STATE_HOME: join(folder, "state"),
  };
  const start = (args: readonly string[], options: RunOptions = {}) => {
    const child = spawn(process.execPath, [...entry, ...args], {
      env: { ...env, ...options.env },
      cwd: folder,
    });
    child.stdin.on("error", () => undefined).end(options.stdin ?? "");
    return child;
  };
  const run = async (args: readonly string[], options?: RunOptions): Promise<Ended> =>
    ended(start(args, options));
  return Object.assign(run, { start, folder, env });
};

/** Waits for the end of a process and what it said. */
export const ended = async (child: ChildProcessWithoutNullStreams): Promise<Ended> => {
  const out = textOf(child.stdout);
  const err = textOf(child.stderr);
  const [code]: readonly unknown[] = await once(child, "close");
  return { code: typeof code === "number" ? code : null, out: out(), err: err() };
};

const textOf = (stream: NodeJS.ReadableStream): (() => string) => {
  const chunks: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString("utf8");
};

/** The words of one send in the sandbox. */
export const sendTo = (to: string, ...more: readonly string[]): readonly string[] => [
  ..."send --sandbox --from 0200000000 --text 안녕하세요 --to".split(" "),
  to,
  ...more,
];

/** `msg sandbox start` on a free port; ends by `stop`, or by `kill` as in a power cut. */
export const sandboxServer = async (msg: Program, more: readonly string[] = []) => {
  const child = msg.start(["sandbox", "start", "--port", "0", "--json", ...more]);
  const [first]: readonly unknown[] = await once(child.stdout, "data");
  const { baseUrl } = addresses(String(first).split("\n")[0] ?? "");
  const end = async (signal: "SIGTERM" | "SIGKILL"): Promise<Ended> => {
    const done = ended(child);
    child.kill(signal);
    return done;
  };
  return { baseUrl, stop: () => end("SIGTERM"), kill: () => end("SIGKILL") };
};

const addresses = (line: string): { readonly baseUrl: string } => {
  const value: unknown = JSON.parse(line);
  if (
    typeof value === "object" &&
    value !== null &&
    "baseUrl" in value &&
    typeof value.baseUrl === "string"
  )
    return { baseUrl: value.baseUrl };
  throw new Error(`no baseUrl in: ${line}`);
};
