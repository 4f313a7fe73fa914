/** What may stand next on a command line: words, flags, values, profiles. Asks no network. */

import { settingKeys } from "../../config/profiles.ts";
import { sandboxProfiles } from "../../config/sandbox.ts";
import type { ConfigStore } from "../../config/store.ts";
import type { Context } from "../../context.ts";
import type { Verb } from "../command.ts";
import type { Tree } from "../entry.ts";
import { splitArgv } from "./argv.ts";
import { type Option, optionsOf, placeholder } from "./flags.ts";
import { globalFlags } from "./globals.ts";
import { flagsOf } from "./parse.ts";

export interface Candidate {
  readonly word: string;
  readonly words: string;
}

/** Candidates for the last of the words, which may be empty. */
export const candidatesFor = async (
  words: readonly string[],
  { config, tree }: Pick<Context, "config" | "tree">,
): Promise<readonly Candidate[]> => {
  const { table } = tree;
  const isCommandWord = (path: string): boolean =>
    Object.hasOwn(table, path) || Object.keys(table).some((name) => name.startsWith(`${path} `));
  const typed = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  const { path } = splitArgv(before, isCommandWord);
  const verb = table[path] && (await table[path].load()).default;
  const found = await inPlace({ typed, previous: before.at(-1) ?? "", path, verb, config, tree });
  return found.filter(({ word }) => word.startsWith(typed));
};

interface Place {
  readonly typed: string;
  readonly previous: string;
  readonly path: string;
  readonly verb: Verb | undefined;
  readonly config: ConfigStore;
  readonly tree: Tree;
}

const inPlace = async (place: Place): Promise<readonly Candidate[]> => {
  const { typed, previous, path, verb, config, tree } = place;
  const values = await valuesAfter(previous, verb, config);
  if (values) return values;
  if (typed.startsWith("-")) return flagsFor(verb);
  return verb ? argumentsOf(place, verb) : below(path, tree);
};

/** Values of the flag that stands before; undefined where none does that takes one. */
const valuesAfter = async (
  previous: string,
  verb: Verb | undefined,
  config: ConfigStore,
): Promise<readonly Candidate[] | undefined> => {
  if (previous === "-p" || previous === "--profile") return profiles(config);
  if (previous === "-o" || previous === "--output") return plain(formats);
  if (!previous.startsWith("-")) return undefined;
  const option = (verb ? flagsOf(verb) : []).find((it) =>
    [it.name, ...it.aliases].includes(previous.replace(/^--/, "")),
  );
  if (option) return option.isSwitch ? undefined : choicesOf(option);
  return globalFlags.some((it) => `--${it.name}` === previous && "value" in it) ? [] : undefined;
};

const formats = ["table", "tsv", "csv", "json", "jsonl"];

const profiles = async (config: ConfigStore): Promise<Candidate[]> => {
  try {
    const stored = Object.keys((await config.read()).profiles);
    return plain([...new Set([...stored, ...sandboxProfiles])]);
  } catch {
    // A file that cannot be read is told by the command itself, not while it is typed.
    return plain(sandboxProfiles);
  }
};

const flagsFor = (verb: Verb | undefined): Candidate[] => [
  ...(verb ? flagsOf(verb) : []).map(({ name, words }) => ({ word: `--${name}`, words })),
  ...globalFlags.map(({ name, words }) => ({ word: `--${name}`, words })),
];

/** Commands that take the name of a profile, and those that take the name of a setting. */
const takesProfile = /^profile (use|show|remove|rename)$/;
const takesSetting = /^profile (set|unset)$/;

const argumentsOf = async (
  { path, config, tree }: Place,
  verb: Verb,
): Promise<readonly Candidate[]> => {
  if (takesProfile.test(path)) return profiles(config);
  if (takesSetting.test(path)) return plain(settingKeys);
  if (path === "auth can")
    return Object.entries(tree.table)
      .filter(([, it]) => !it.hidden)
      .map(asCandidate);
  return [...below(path, tree), ...optionsOf(verb.args).flatMap(choicesOf)];
};

const choicesOf = (option: Option): Candidate[] => {
  const text = placeholder(option.schema);
  return text.includes("|") ? plain(text.split("|")) : [];
};

/** The words that come next behind a group. */
const below = (path: string, { table, groups }: Tree): Candidate[] => {
  const prefix = path === "" ? "" : `${path} `;
  const next = Object.entries(table)
    .filter(([name, it]) => name.startsWith(prefix) && name !== path && !it.hidden)
    .map(([name]) => name.slice(prefix.length).split(" ")[0] ?? "");
  return [...new Set(next)].map((word) => ({
    word,
    words: table[prefix + word]?.summary ?? groups[prefix + word] ?? "",
  }));
};

const asCandidate = ([word, { summary }]: [string, { readonly summary: string }]): Candidate => ({
  word,
  words: summary,
});

const plain = (words: readonly string[]): Candidate[] => words.map((word) => ({ word, words: "" }));
