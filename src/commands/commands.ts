import { type CommandEntry, type CommandTable, tool } from "../cli/command.ts";
import { topics } from "../cli/help/help-text.ts";
import { type Option, optionsOf, placeholder } from "../cli/parse/flags.ts";
import { type GlobalFlag, globalFlags } from "../cli/parse/global-flags.ts";
import { flagsOf } from "../cli/parse/verb-flags.ts";
import { needsOfVerb } from "../cli/permissions.ts";
import { factsOf } from "../contract/fields.ts";
import { exitCodes } from "../errors.ts";
import { translated } from "../locale/locale.ts";

export default tool({
  columns: ["command", "summary"],
  fields: [
    "args",
    "flags",
    "writes",
    "endpoint",
    "needs",
    "secondFactor",
    "examples",
    "commands",
    "globalFlags",
    "exitCodes",
    "topics",
  ],
  examples: ["msg commands", "msg commands --json | jq '.commands[].command'"],
  run: async (ctx, _given, tree) => {
    const commands = await listCommands(tree);
    if (ctx.view.format !== "json") return { rows: commands };
    const flags = globalFlags.map(globalRecord);
    const codes = { ok: 0, ...exitCodes };
    return { record: { commands, globalFlags: flags, exitCodes: codes, topics } };
  },
});

const listCommands = async ({ table }: CommandTable) =>
  Promise.all(
    Object.entries(table)
      .filter(([, it]) => !it.hidden)
      .map(([path, entry]) => recordOf(path, entry)),
  );

const recordOf = async (path: string, entry: CommandEntry) => {
  const verb = (await entry.load()).default;
  const { endpoint } = verb;
  return {
    command: path,
    summary: translated(entry.summary),
    args: optionsOf(verb.args).map(flagRecord),
    flags: flagsOf(verb).map(flagRecord),
    writes: verb.writes !== false,
    endpoint: endpoint ? `${endpoint.method} ${endpoint.path}` : null,
    needs: needsOfVerb(verb),
    secondFactor: endpoint?.secondFactor === true,
    examples: verb.examples,
  };
};

const flagRecord = (option: Option) => ({
  name: option.name,
  aliases: option.aliases,
  /** Null for a switch. */
  value: option.isSwitch ? null : placeholder(option.schema),
  required: option.required,
  repeats: option.repeats,
  /** A switch that help shows as `--no-…`. */
  isOnByDefault: factsOf(option.schema).isOnByDefault === true,
  words: translated(option.description),
});

const globalRecord = (flag: GlobalFlag) => ({
  name: flag.name,
  short: flag.short ?? null,
  value: flag.value ?? null,
  words: translated(flag.description),
});
