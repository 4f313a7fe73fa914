/** A line of msg that another command runs: with streams of its own, and no one to ask. */
import { Readable, Writable } from "node:stream";
import type { Context } from "../cli/context.ts";
import type { Globals } from "../cli/parse/globals.ts";
import type { Io } from "./process.ts";

/** Flags of the command that hold for its lines too: which account, and where. */
const carried = ["profile", "sandbox", "base-url", "auth-url", "timeout", "tz"] as const;

/** `main` is handed in: it stands above all of this. */
export const lineRunner =
  (io: Io, globals: Globals, main: (io: Io) => Promise<number>): Context["runLine"] =>
  async (argv, stdin = "") => {
    const [out, err] = [collector(), collector()];
    // What belongs to the sandbox names its profile by itself.
    const same = argv[0] === "sandbox" ? [] : flagsIn(globals);
    const code = await main({
      ...facts(io),
      argv: [...same, ...argv],
      stdin: () => Readable.from(stdin === "" ? [] : [Buffer.from(stdin)]),
      stdinIsTTY: false,
      stdout: out.stream,
      stderr: err.stream,
      readsFiles: false,
    });
    return { code, out: out.text(), err: err.text() };
  };

/** The clocks, the environment and the signal are the same; the terminal and its person are not there. */
const facts = ({ versions, env, user, now, ticks, random, wait, signal, checkAnswers }: Io) => ({
  ...{ versions, env, user, now, ticks, random, wait, signal },
  ...(checkAnswers !== undefined && { checkAnswers }),
});

const flagsIn = (globals: Globals): readonly string[] =>
  carried.flatMap((name) => {
    const value = globals[name];
    if (value === undefined) return [];
    return value === true ? [`--${name}`] : [`--${name}=${value}`];
  });

const collector = () => {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString("utf8") };
};
