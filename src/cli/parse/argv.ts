/** argv → which command is meant, and the global flags. The only import of commander. */
import { Command, CommanderError, Option } from "commander";
import { usageError } from "../../errors.ts";
import type { Option as Flag } from "./flags.ts";
import { type Globals, globalFlags } from "./globals.ts";

/** A parser that stops at the first word that is neither a flag nor the value of one. */
export const createParser = (command = "msg"): Command =>
  new Command(command)
    .helpOption(false)
    .passThroughOptions()
    .exitOverride()
    .configureOutput({ outputError: () => undefined });

/** Declares `-x, --xx <value>`, or a switch: `--xx`, `--no-xx`, `--xx=true` and `--xx=false`. */
export const declareFlag = (
  parser: Command,
  { name, short, aliases = [], isSwitch = false }: Partial<Flag> & Pick<Flag, "name">,
  take: (value: string) => void,
): void => {
  const spelling = short ? `-${short}, --${name}` : `--${name}`;
  const forms = [spelling, `--${name}=true`, `--${name}=false`, `--no-${name}`];
  for (const [at, form] of (isSwitch ? forms : [`${spelling} <value>`]).entries())
    parser.addOption(new Option(form).preset(String(at < 2)).argParser(take));
  for (const alias of aliases) declareFlag(parser, { name: alias, isSwitch }, take);
};

const missingValue = "commander.optionMissingArgument";

/** Reads flags up to the first other word; answers the words from there on. */
export const readFlags = (parser: Command, words: readonly string[]): string[] => {
  try {
    const { operands, unknown } = parser.parseOptions([...words]);
    const left = [...operands, ...unknown];
    const [name, value] = left[0]?.split("=") ?? [];
    if (value === undefined || !parser.options.some((it) => it.long === name && !it.required))
      return left;
    throw usageError(`${name} is a switch and takes no value, got '${value}'`);
  } catch (error) {
    const isMissing = error instanceof CommanderError && error.code === missingValue;
    if (!isMissing) throw error;
    // A value can only be missing at the end of a line.
    const todo = `${parser.name()} --help shows what it takes`;
    throw usageError(`${words.at(-1)} needs a value`, { todo });
  }
};

/** A line up to `--`, whose words may be flags, and what stands behind it. */
export const splitLiteral = (words: readonly string[]): readonly [string[], string[]] => {
  const end = words.includes("--") ? words.indexOf("--") : words.length;
  return [words.slice(0, end), words.slice(end)];
};

/**
 * Which command a line names. `path` is the longest run of words that names a command or a group,
 * `message list`; global flags may stand between them. `rest` is everything else, global flags
 * included: only the command itself knows which words are values of its own flags.
 */
export const splitArgv = (
  argv: readonly string[],
  isCommandWord: (path: string) => boolean,
): { readonly path: string; readonly rest: readonly string[] } => {
  const parser = globalParser({});
  const rest = [...argv];
  for (let path = "", at = 0; ; ) {
    at = rest.length - readFlags(parser, rest.slice(at)).length;
    const longer = `${path} ${rest[at]}`.trim();
    if (at === rest.length || !isCommandWord(longer)) return { path, rest };
    rest.splice(at, 1);
    path = longer;
  }
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
  const parser = globalParser(globals);
  const rest: string[] = [];
  let [left, literal] = splitLiteral(args);
  while (left.length > 0) {
    left = readFlags(parser, left);
    rest.push(...left.splice(0, takesValue(left[0] ?? "") ? 2 : 1));
  }
  return { globals, rest: [...rest, ...literal] };
};

const globalParser = (globals: Record<string, string | true>): Command => {
  const parser = createParser();
  for (const { name, short, value } of globalFlags)
    declareFlag(parser, { name, short, isSwitch: !value }, (typed) => {
      if (!value && typed === "false") delete globals[name];
      // The last of --json and -o wins.
      else if (name === "json") globals.output = "json";
      else globals[name] = value ? typed : true;
    });
  return parser;
};
