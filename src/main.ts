/** argv → exit code: find the command, build its context, run it; the one place that catches. */

import { createIo, type Io } from "./app/process.ts";
import { setLanguageOf } from "./app/profile-and-language.ts";
import type { CommandTable, Verb } from "./cli/command.ts";
import { isCommandPath } from "./cli/help/group-help.ts";
import { groups, table } from "./commands/table.ts";
import { exitCodes, isReaderGone, MsgError } from "./errors.ts";
import { t, typedValue } from "./locale/locale.ts";
import type { Out } from "./output/out.ts";
import { version } from "./version.ts";

const tree: CommandTable = { table, groups };

/** Runs `msg` as a program: the exit code is set, and the process ends when its work is done. */
export const run = async (process: NodeJS.Process): Promise<void> => {
  // The default until the command sets it: a process that ends before that must not look like a success.
  process.exitCode = exitCodes.fault;
  process.exitCode = await main(createIo(process));
};

/** Runs one command line and returns the exit code. Writes to the streams of `io` only. */
export const main = async (io: Io): Promise<number> => {
  const resetLanguage = await setLanguageOf(io);
  try {
    return await runLine(io);
  } finally {
    resetLanguage();
  }
};

const runLine = async (io: Io): Promise<number> => {
  if (io.argv[0] === "--version" || io.argv[0] === "-v") return print(io, `${version}\n`);
  const help = async (path: string, line: readonly string[]): Promise<number> => {
    const { helpText } = await import("./cli/help/help-text.ts");
    return print(io, await helpText(tree, path, line, columnsOf(io)));
  };
  try {
    const { splitArgv } = await import("./cli/parse/argv.ts");
    const { path, rest } = splitArgv(io.argv, (it) => isCommandPath(tree, it));
    const entry = table[path];
    if (!entry) return (await greet(io)) ?? (await help(path, rest));
    // All at once: loaded one after the other, they would wait for each other's files.
    const [{ default: verb }, parsing, building, running] = await Promise.all([
      entry.load(),
      import("./cli/parse/parse-line.ts"),
      import("./app/build-context.ts"),
      import("./cli/run-command.ts"),
    ]);
    const typed = parsing.parseLine(path, verb, rest);
    if (typed.globals.help) return await help("", ["help", path]);
    const built = await building.buildContext(io, typed, main);
    try {
      await running.runCommand(built.context, tree, typed);
      assertShown(built.context.io.out, verb);
      return 0;
    } catch (error) {
      return await built.fail(running.withFlag(error, typed));
    } finally {
      await built.close();
    }
  } catch (error) {
    return await fail(io, error);
  }
};

/**
 * A reader that went away is not an error (EPIPE). Output lost for another reason is one; but a
 * write keeps its exit code, since what was done stays done.
 */
const assertShown = ({ failure }: Out, { writes }: Verb): void => {
  if (failure && !isReaderGone(failure) && !writes) throw unwrittenError(failure);
};

const unwrittenError = ({ message }: Error): MsgError =>
  new MsgError("fault", t`the output could not be written: ${message}`);

/** `msg` alone, typed by someone who has no profile; undefined for any other line. */
const greet = async (io: Io): Promise<number | undefined> => {
  const { greeting, isFirstCall } = await import("./app/greeting.ts");
  return isFirstCall(io) ? print(io, greeting(columnsOf(io))) : undefined;
};

/** As wide as the terminal, and 80 in a pipe. */
const columnsOf = ({ stdout }: Io): number => (stdout.isTTY && stdout.columns) || 80;

/** Help and the version need no context. Returns the exit code. */
const print = (io: Io, text: string): Promise<number> =>
  new Promise((resolve) => {
    // Without a listener of its own the stream would end the process with the error of the write.
    io.stdout.once("error", () => undefined);
    io.stdout.write(text, (error) => {
      resolve(!error || isReaderGone(error) ? 0 : fail(io, unwrittenError(error)));
    });
  });

/** A failure before there is a context: bad usage, a broken configuration file. */
const fail = async (io: Io, error: unknown): Promise<number> => {
  const [{ createOut }, { renderError }, { wantsColour }] = await Promise.all([
    import("./output/out.ts"),
    import("./output/error.ts"),
    import("./output/text/style.ts"),
  ]);
  const { env, argv, stderr } = io;
  const isTTY = stderr.isTTY === true;
  const colour = wantsColour({ env, isTTY, noColour: argv.includes("--no-color") });
  const out = createOut(stderr, { colour, redact: (text) => text });
  return renderError(out, error, { json: wantsJson(io), debug: argv.includes("--debug") });
};

/**
 * Read from the line itself: it could not be parsed, or its context could not be built. The last
 * flag wins, and the line overrides the environment, as everywhere.
 */
const wantsJson = ({ argv, env }: Io): boolean => {
  const words = argv.map((word) => (word === "--json" ? "--output=json" : word));
  return /^jsonl?$/.test(typedValue(words, "--output", "-o") ?? env.MSG_OUTPUT ?? "");
};
