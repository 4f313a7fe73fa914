/** argv → exit code: find the command, build its context, run it; the one place that catches. */

import { createIo, type Io } from "./app/process.ts";
import type { CommandEntry, CommandTable, Verb } from "./cli/command.ts";
import type { Context } from "./cli/context.ts";
import { splitArgv, takeGlobalFlags } from "./cli/parse/argv.ts";
import { groups, table } from "./commands/table.ts";
import { didYouMean, exitCodes, MsgError, usageError } from "./errors.ts";
import { version } from "./version.ts";

const tree: CommandTable = { table, groups };

/** Runs `msg` as a program: the exit code is set, and the process ends when its work is done. */
export const run = async (process: NodeJS.Process): Promise<void> => {
  // Until the command says otherwise: a process that ends without it must not look like a success.
  process.exitCode = exitCodes.fault;
  process.exitCode = await main(createIo(process));
};

/** Runs one command line and answers the exit code. Writes to the streams of `io` only. */
export const main = async (io: Io): Promise<number> => {
  if (io.argv[0] === "--version" || io.argv[0] === "-v") return print(io, `${version}\n`);
  try {
    return await dispatch(io);
  } catch (error) {
    return await fail(io, error);
  }
};

const dispatch = async (io: Io): Promise<number> => {
  const { path, rest } = splitArgv(io.argv, isCommandWord);
  const entry = table[path];
  if (!entry) return await groupOrNothing(io, path, rest);
  // All at once: one after the other they would wait for each other's files.
  const [{ default: verb }, { parseLine: parseWords }, { buildContext }, { runCommand: runVerb }] =
    await Promise.all([
      entry.load(),
      import("./cli/parse/parse.ts"),
      import("./app/build-context.ts"),
      import("./cli/run-command.ts"),
    ]);
  const typed = parseWords(path, verb, rest);
  if (typed.globals.help) return await help(io, path, entry, verb);
  const built = await buildContext(io, typed.globals, verb);
  try {
    await runVerb(built.context, tree, path, verb, typed);
    return outputCode(built.context, verb);
  } catch (error) {
    return await built.fail(error);
  } finally {
    await built.close();
  }
};

/**
 * A reader that went away is no error (EPIPE). Data that could not be written for another reason is
 * one; but what was done stays done, so a write keeps its exit code.
 */
const outputCode = (
  {
    io: {
      out: { failure },
    },
  }: Context,
  verb: Verb,
): number => (!failure || isReader(failure) || verb.writes ? 0 : exitCodes.fault);

const isReader = (failure: Error): boolean => "code" in failure && failure.code === "EPIPE";

/** Help and the version need no context. Answers the exit code. */
const print = (io: Io, text: string): Promise<number> =>
  new Promise((resolve) => {
    // Without a listener of its own the stream would end the process with what the write is told.
    io.stdout.once("error", () => undefined);
    io.stdout.write(text, (error) => {
      if (!error || isReader(error)) return resolve(0);
      io.stderr.write(`the output could not be written: ${error.message}\n`);
      resolve(exitCodes.fault);
    });
  });

const isCommandWord = (path: string): boolean =>
  Object.hasOwn(table, path) || Object.keys(table).some((name) => name.startsWith(`${path} `));

const groupOrNothing = async (io: Io, path: string, line: readonly string[]): Promise<number> => {
  const { rest } = takeGlobalFlags(line, () => false);
  const words = rest.filter((word) => !word.startsWith("-"));
  const flag = rest.find((word) => word.startsWith("-"));
  const asked = path === "" && words[0] === "help" ? words.slice(1).join(" ") : undefined;
  if (asked !== undefined && Object.hasOwn(table, asked))
    return dispatch({ ...io, argv: [...words.slice(1), "--help"] });
  if (asked) return await topic(io, asked);
  if (words.length > 0 && asked === undefined)
    throw unknownCommand([path, words[0]].join(" ").trim());
  if (flag !== undefined)
    throw usageError(`msg${path && ` ${path}`} has no flag ${flag}`, {
      code: "UnknownFlag",
      todo: `msg${path && ` ${path}`} --help lists ${path === "" ? "commands and flags" : "its commands"}`,
    });
  const { renderGroupHelp: groupHelp } = await import("./cli/help/group-help.ts");
  if (path !== "") return print(io, groupHelp(tree, path));
  const { topics } = await import("./cli/help/topics.ts");
  const names = Object.keys(topics).join(", ");
  return print(io, `${groupHelp(tree, path)}msg help <topic> tells of ${names}.\n`);
};

const unknownCommand = (typed: string): Error =>
  usageError(
    `there is no command '${typed}'${didYouMean(typed, [...Object.keys(table), ...Object.keys(groups)])}`,
    { code: "UnknownCommand", todo: "msg --help lists the commands" },
  );

/** `msg help <topic>`, or the help of a group of commands. */
const topic = async (io: Io, asked: string): Promise<number> => {
  const { topics } = await import("./cli/help/topics.ts");
  const text = Object.hasOwn(topics, asked) ? topics[asked] : undefined;
  const names = Object.keys(topics);
  if (text === undefined && !isCommandWord(asked))
    throw usageError(`there is no topic or command '${asked}'${didYouMean(asked, names)}`, {
      code: "UnknownTopic",
      todo: `topics: ${names.join(", ")}; msg --help lists the commands`,
    });
  const { renderGroupHelp: groupHelp } = await import("./cli/help/group-help.ts");
  return print(io, text ?? groupHelp(tree, asked));
};

const help = async (io: Io, path: string, entry: CommandEntry, verb: Verb): Promise<number> => {
  const { renderCommandHelp: commandHelp } = await import("./cli/help/command-help.ts");
  return print(io, commandHelp(tree, path, entry, verb));
};

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
  const out = createOut(stderr, { isTTY, columns: stderr.columns, colour, redact: (text) => text });
  await renderError(out, error, { json: wantsJson(io), debug: argv.includes("--debug") });
  return error instanceof MsgError ? error.exitCode : exitCodes.fault;
};

/**
 * Read off the line itself: it could not be parsed, or its context could not be built. The last one
 * wins, and the line goes before the environment, as everywhere.
 */
const wantsJson = ({ argv, env }: Io): boolean => {
  const typed = argv.flatMap((word, at) => {
    if (word === "--json") return ["json"];
    if (word === "-o" || word === "--output") return [argv[at + 1] ?? ""];
    return /^(?:-o|--output=)(.+)$/.exec(word)?.slice(1) ?? [];
  });
  return /^jsonl?$/.test(typed.at(-1) ?? env.MSG_OUTPUT ?? "");
};
