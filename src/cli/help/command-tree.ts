/** The whole tree of commands with flags, needs and exit codes, for scripts, completion and documents. */
import { exitCodes } from "../../errors.ts";
import type { CommandEntry, CommandTable } from "../command.ts";
import { type Option, optionsOf, placeholder } from "../parse/flags.ts";
import { globalFlags } from "../parse/globals.ts";
import { flagsOf } from "../parse/verb-flags.ts";
import { describeNeeds } from "./describe-needs.ts";

export interface FlagRecord {
  readonly name: string;
  readonly aliases: readonly string[];
  /** Null for a switch. */
  readonly value: string | null;
  readonly required: boolean;
  readonly repeats: boolean;
  readonly words: string;
}

/** Every command, in the order of help. */
export const listCommands = async ({ table }: CommandTable) =>
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
    summary: entry.summary,
    args: optionsOf(verb.args).map(flagRecord),
    flags: flagsOf(verb).map(flagRecord),
    writes: verb.writes,
    endpoint: endpoint ? `${endpoint.method} ${endpoint.path}` : null,
    needs: endpoint ? describeNeeds(endpoint) : null,
    secondFactor: endpoint?.secondFactor === true,
    examples: verb.examples,
  };
};

const flagRecord = (option: Option): FlagRecord => ({
  name: option.name,
  aliases: option.aliases,
  value: option.isSwitch ? null : placeholder(option.schema),
  required: option.required,
  repeats: option.repeats,
  words: option.description,
});

/** The flags that every command takes. */
export const listGlobalFlags = () =>
  globalFlags.map((it) => ({
    name: it.name,
    short: it.short ?? null,
    value: it.value ?? null,
    words: it.description,
  }));

/** Exit codes by name. */
export const listExitCodes = () => ({ ok: 0, ...exitCodes });
