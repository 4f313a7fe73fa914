/** argv → which command is meant, the global flags, and the words that are the command's own. */
import { didYouMean, usageError } from "../../errors.ts";
import { type GlobalFlag, type Globals, globalFlags } from "./globals.ts";

/**
 * Which command a line names. `path` is the longest run of words that names a command or a group,
 * `message list`; global flags may stand between them. `rest` is everything else, global flags
 * included: only the command itself knows which words are values of its own flags.
 */
export const splitArgv = (
  argv: readonly string[],
  isCommandWord: (path: string) => boolean,
): { readonly path: string; readonly rest: readonly string[] } => {
  const words: string[] = [];
  const rest: string[] = [];
  let open = true;
  for (let index = 0; index < argv.length; index += 1) {
    const arg = argv[index] ?? "";
    const path = [...words, arg].join(" ");
    if (open && !arg.startsWith("-") && isCommandWord(path)) {
      words.push(arg);
      continue;
    }
    rest.push(arg);
    const value = globalOf(arg)?.value;
    if (value && !arg.includes("=") && !isShortWithValue(arg)) {
      index += 1;
      const next = argv[index];
      if (next !== undefined) rest.push(next);
    } else if (!globalOf(arg)) open = false;
  }
  return { path: words.join(" "), rest };
};

/**
 * Takes the global flags out of a line. `takesValue` knows the flags of the command, so that
 * `--text --json` keeps `--json` as the text.
 */
export const takeGlobalFlags = (
  args: readonly string[],
  takesValue: (flag: string) => boolean,
): { readonly globals: Globals; readonly rest: readonly string[] } => {
  const globals: Record<string, string | true> = {};
  const rest: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? "";
    if (arg === "--") {
      rest.push(...args.slice(index));
      break;
    }
    const flag = globalOf(arg);
    if (!flag) {
      rest.push(arg);
      if (takesValue(arg) && index + 1 < args.length) {
        index += 1;
        rest.push(args[index] ?? "");
      }
      continue;
    }
    const inline = inlineValue(arg);
    if (flag.value === undefined) setSwitch(globals, flag, inline);
    else if (inline !== undefined) globals[flag.name] = inline;
    else {
      index += 1;
      globals[flag.name] = valueAfter(args[index], flag);
    }
  }
  return { globals, rest };
};

const valueAfter = (value: string | undefined, flag: GlobalFlag): string => {
  if (value === undefined)
    throw usageError(`--${flag.name} needs a value: --${flag.name} <${flag.value}>`);
  return value;
};

const setSwitch = (
  globals: Record<string, string | true>,
  flag: GlobalFlag,
  inline: string | undefined,
): void => {
  if (inline !== undefined && inline !== "true" && inline !== "false")
    throw usageError(`--${flag.name} is a switch and takes no value, got '${inline}'`);
  // The last of --json and -o wins.
  if (flag.name === "json" && inline !== "false") globals.output = "json";
  else if (inline === "false") delete globals[flag.name];
  else globals[flag.name] = true;
};

const globalOf = (arg: string): GlobalFlag | undefined => {
  if (arg.startsWith("--")) {
    const name = arg.slice(2).split("=")[0];
    return globalFlags.find((flag) => flag.name === name);
  }
  if (!/^-[a-zA-Z]/.test(arg)) return undefined;
  const short = globalFlags.find((flag) => "short" in flag && flag.short === arg[1]);
  if (!short) return undefined;
  return arg.length === 2 || "value" in short ? short : undefined;
};

const isShortWithValue = (arg: string): boolean => !arg.startsWith("--") && arg.length > 2;

const inlineValue = (arg: string): string | undefined => {
  if (!arg.startsWith("--")) return arg.length > 2 ? arg.slice(2) : undefined;
  const at = arg.indexOf("=");
  return at < 0 ? undefined : arg.slice(at + 1);
};

/** The error for words that name no command. */
export const unknownCommand = (typed: string, known: readonly string[]): Error =>
  usageError(`there is no command '${typed}'${didYouMean(typed, known)}`, {
    code: "UnknownCommand",
    todo: "msg --help lists the commands",
  });
