/** Which commands an assistant may run, as tools: those that read, found by what they declare. */
import type { CommandTable, Verb } from "../cli/command.ts";
import { formatTyped, type Option, optionsOf, placeholder } from "../cli/parse/flags.ts";
import { flagsOf } from "../cli/parse/verb-flags.ts";
import { factsOf, itemOf, unwrap } from "../contract/fields.ts";
import { didYouMean, usageError } from "../errors.ts";
import type { ToolFacts } from "./protocol.ts";

/** A tool, and the line of msg that it is. */
export interface CommandTool {
  readonly facts: ToolFacts;
  readonly lineOf: (input: Readonly<Record<string, unknown>>) => readonly string[];
}

/** Tools of this machine, which ask no service. */
const local: ReadonlySet<string> = new Set(["run list", "run show", "text check", "explain"]);

/** Who calls and how, the sandbox's own levers, accounts of banks; and what waits, or writes documents. */
const kept =
  /^(auth|profile|api|sandbox|doctor|payment bank|balance (quote|statement))\b|\b(wait|watch|export|download)$/;

/** Rows that one answer may have. */
const maxRows = 500;

/** Every command that only reads, by the order of help. */
export const readingTools = async ({ table }: CommandTable): Promise<readonly CommandTool[]> => {
  const tools: CommandTool[] = [];
  for (const [path, { summary, load, hidden }] of Object.entries(table)) {
    if (hidden || kept.test(path)) continue;
    const { default: verb } = await load();
    if (isReading(path, verb)) tools.push(toolOf(path, summary, verb));
  }
  return tools;
};

const isReading = (path: string, verb: Verb): boolean => {
  const endpoints = [verb.endpoint, ...verb.additionalEndpoints].filter((it) => it !== undefined);
  const asks = endpoints.length > 0 && endpoints.every(({ effect }) => effect === "safe");
  const needsFile = [...optionsOf(verb.args), ...flagsOf(verb)].some(
    (it) => isFile(it) && (it.required || it.key in verb.args),
  );
  return !verb.writes && !needsFile && (asks || local.has(path));
};

const isFile = ({ schema }: Option): boolean => factsOf(schema).kind === "file";

/** `message list` → `list_message`: no tool that reads begins like one that sends. */
const toolOf = (path: string, summary: string, verb: Verb): CommandTool => {
  const args = optionsOf(verb.args);
  const flags = flagsOf(verb).filter((it) => !isFile(it) && it.key !== "all");
  const options = [...args, ...flags];
  const required = options.filter((it) => it.required || isGiven(it, args)).map(({ key }) => key);
  return {
    facts: {
      name: path.split(" ").reverse().join("_").replaceAll("-", "_"),
      description: `${summary}. The same as: msg ${path}`,
      inputSchema: {
        type: "object",
        properties: Object.fromEntries(options.map((it) => [it.key, schemaOf(it)])),
        required,
        additionalProperties: false,
      },
      annotations: { readOnlyHint: true },
    },
    lineOf: (input) => [
      ...path.split(" "),
      ...assertKnown(options, input),
      ...flags.flatMap((it) => valuesOf(it, input).map((value) => `--${it.name}=${value}`)),
      "--json",
      "--no-input",
      // With the key at which the list goes on.
      ...(verb.endpoint?.page ? ["--envelope"] : []),
      // Behind this every word is literal: no value becomes a flag.
      "--",
      ...args.flatMap((it) => valuesOf(it, input)),
    ],
  };
};

/** An argument that is passed over would be a filter that does not filter. Throws usage; adds nothing. */
const assertKnown = (options: readonly Option[], input: object): readonly string[] => {
  const unknown = Object.keys(input).find((name) => !options.some(({ key }) => key === name));
  if (unknown === undefined) return [];
  const known = options.map(({ key }) => key);
  throw usageError(`there is no argument '${unknown}'${didYouMean(unknown, known)}`);
};

/** A positional that a command does not ask for when it is missing is optional by its schema. */
const isGiven = ({ schema }: Option, args: readonly Option[]): boolean =>
  args.some((it) => it.schema === schema) && schema.type !== "optional";

const schemaOf = (option: Option): Readonly<Record<string, unknown>> => {
  const { schema, description, isSwitch, repeats, key } = option;
  if (isSwitch) return { type: "boolean", description };
  if (repeats)
    return {
      type: "array",
      items: { type: "string" },
      description: `${description} (${placeholder(schema)})`,
    };
  const inner = unwrap(schema);
  if (inner.type === "picklist")
    return { type: "string", enum: placeholder(schema).split("|"), description };
  if (inner.type === "number")
    return { type: "number", description, ...(key === "limit" && { maximum: maxRows }) };
  return {
    type: "string",
    description: `${description} (${placeholder(itemOf(schema) ?? schema)})`,
  };
};

/** The values as they would be typed; `@` and `-` in front of a text stay what they are. */
const valuesOf = (option: Option, input: Readonly<Record<string, unknown>>): readonly string[] => {
  const given = input[option.key];
  if (given === undefined || given === null) return [];
  const values = (Array.isArray(given) ? given : [given]).map(String);
  if (option.key === "limit") return values.map((it) => (Number(it) > maxRows ? `${maxRows}` : it));
  return values.map((it) => formatTyped(option, it));
};
