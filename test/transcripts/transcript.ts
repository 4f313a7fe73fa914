/**
 * Transcripts: terminal dialogues that read like the manual and run as tests. `$ msg …` is a command,
 * what follows is its standard output; `[2] stderr: …` is an exit code and what standard error says;
 * `…` stands for any text of a line, and a line `…` for any number of lines.
 */
import { readFileSync, writeFileSync } from "node:fs";
import iconv from "iconv-lite";
import { expect } from "vitest";
import { hurriedWorld } from "../support/clock.ts";
import { type Options, type Shell, shell } from "../support/msg.ts";

/** One command with what a person expects to see. */
export interface Step {
  /** From 1, where the command stands in the file. */
  readonly line: number;
  readonly command: string;
  readonly out: readonly string[];
  readonly code: number;
  /** Undefined: whatever stands on standard error. */
  readonly err: readonly string[] | undefined;
}

/** Reads the steps of a transcript. Lines that start with `# ` between steps are remarks. */
export const stepsOf = (text: string): readonly Step[] => {
  const lines = text.replace(/\n$/, "").split("\n");
  const starts = lines.flatMap((line, at) => (line.startsWith("$ ") ? [at] : []));
  return starts.map((start, index) => stepAt(lines.slice(start, starts[index + 1]), start + 1));
};

const stepAt = (lines: readonly string[], line: number): Step => {
  const [command = "", ...rest] = lines;
  const said = rest.findIndex((it) => ending.test(it));
  const until = said < 0 ? rest.length : said;
  const match = ending.exec(rest[until] ?? "");
  return {
    line,
    command: command.slice(2),
    out: withoutRemarks(rest.slice(0, until)),
    code: Number(match?.[1] ?? 0),
    err:
      match?.[2] === undefined ? undefined : [match[2], ...withoutRemarks(rest.slice(until + 1))],
  };
};

const ending = /^\[(\d+)\](?: stderr: (.*))?$/;

/** A blank line ends what is expected; remarks may follow it. */
const withoutRemarks = (lines: readonly string[]): readonly string[] => {
  const remark = lines.findIndex(
    (it, at) => it === "" && lines.slice(at).every((rest) => rest === "" || rest.startsWith("# ")),
  );
  return remark < 0 ? lines : lines.slice(0, remark);
};

/** Runs all steps of a file without its pauses in one fresh folder, which is their `~`, in order, and compares what is said. */
export const runTranscript = async (path: string, env: Environment = {}): Promise<void> => {
  const at = shell(hurriedWorld());
  for (const step of stepsOf(readFileSync(path, "utf8"))) await runStep(at, step, env);
};

type Environment = Readonly<Record<string, string>>;

const runStep = async (at: Shell, step: Step, env: Environment): Promise<void> => {
  // Files are named as a person at home would.
  const command = step.command.replaceAll(/(?<= )~\/|\$HOME\//g, `${at.folder}/`);
  if (wroteFile(command)) return;
  const { line, options } = partsOf(command);
  const ran = await at(line, { ...options, env: { ...options.env, ...env } });
  const [code, out, err] = [ran.code, homely(at, ran.out), homely(at, ran.err)];
  expect({ command: step.command, code, err: code === step.code ? "" : err }).toEqual({
    command: step.command,
    code: step.code,
    err: "",
  });
  compare(step, "stdout", out, step.out);
  if (step.err) compare(step, "stderr", err.replace(progress, ""), step.err);
};

const homely = ({ folder }: Shell, text: string): string => text.replaceAll(`${folder}/`, "~/");

/** Lines that are rewritten: they are there only where a machine takes its time. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what rewrites them
const progress = /(?:\r[^\r\n]*\u001b\[K)+\n?/g;

const compare = (step: Step, stream: string, text: string, expected: readonly string[]): void => {
  if (patternOf(expected).test(text)) return;
  expect(`$ ${step.command}\n${stream}: ${text}`).toBe(
    `$ ${step.command}\n${stream}: ${expected.join("\n")}\n`,
  );
};

/** The expected lines as one pattern: `…` inside a line is any text, alone it is any lines. */
export const patternOf = (expected: readonly string[]): RegExp => {
  const lines = expected.map((line) => (line === "…" ? "(?:.*\\n)*?" : `${quoted(line)}\\n`));
  return new RegExp(`^${lines.join("")}$`);
};

const quoted = (line: string): string =>
  line
    .split("…")
    .map((it) => it.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join(".*");

/** `printf 'text' | iconv -t CP949 > file`: writes it in that encoding; false for any other command. */
const wroteFile = (command: string): boolean => {
  const [, text = "", encoding, path] =
    /^printf '([^']*)' \| iconv -t (\S+) > (\S+)$/.exec(command) ?? [];
  if (encoding === undefined || path === undefined) return false;
  writeFileSync(path, iconv.encode(text.replaceAll("\\n", "\n"), encoding, { addBOM: true }));
  return true;
};

/**
 * What is piped in, the words for `msg`, and whether a terminal looks on. In front of `msg` may stand
 * `echo 'a' |`, `printf 'a\nb' |`, or `(echo to; seq -f '010%08g' 1 500) |` for many rows.
 */
const partsOf = (command: string): { readonly line: string; readonly options: Options } => {
  const [, input, line, pipe] = commandLine.exec(command) ?? [];
  if (line === undefined) throw new Error(`not a command of msg: ${command}`);
  const stdin = input === undefined ? {} : { stdin: printed(input) };
  const terminal = pipe === undefined ? { tty: 100 } : {};
  return { line, options: { ...stdin, ...terminal, env: { NO_COLOR: "1" } } };
};

const commandLine = /^(?:((?:echo|printf) '[^']*'|\([^)]*\)) \| )?msg (.*?)( \| cat)?$/;

/** What a shell would print. */
const printed = (input: string): string => {
  const [, program, text = ""] = /^(echo|printf) '(.*)'$/.exec(input) ?? [];
  if (program === "echo") return `${text}\n`;
  if (program === "printf") return text.replaceAll("\\n", "\n");
  const [, head, begin = "", width, first, last] =
    /^\(echo (\S+); seq -f '(\d*)%0(\d)g' (\d+) (\d+)\)$/.exec(input) ?? [];
  if (head === undefined) throw new Error(`not known here: ${input}`);
  const count = Number(last) - Number(first) + 1;
  const rows = Array.from(
    { length: count },
    (_, at) => `${begin}${String(Number(first) + at).padStart(Number(width), "0")}`,
  );
  return `${[head, ...rows].join("\n")}\n`;
};
