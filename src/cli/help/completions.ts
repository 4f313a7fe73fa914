/** What may come next on a command line: words, flags, values, profiles. Makes no request. */

import { readKey, settingKeys } from "../../config/profiles.ts";
import { sandboxProfiles } from "../../config/sandbox-profiles.ts";
import type { ConfigStore } from "../../config/store.ts";
import { factsOf, formats } from "../../contract/fields.ts";
import { quietly } from "../../durable/files.ts";
import { translated } from "../../locale/locale.ts";
import type { CommandTable, Verb } from "../command.ts";
import { splitArgv } from "../parse/argv.ts";
import { type Option, optionsOf, placeholder, shownName } from "../parse/flags.ts";
import { globalFlags } from "../parse/global-flags.ts";
import { parseLine } from "../parse/parse-line.ts";
import { flagsOf } from "../parse/verb-flags.ts";
import type { SeenIds } from "../seen-ids.ts";
import { isCommandPath, type NextWord, wordsBelow } from "./group-help.ts";

/** Candidates for the last of the words, which may be empty. */
export const completeWords = async (
  words: readonly string[],
  { config, tree, seenIds }: Pick<Place, "config" | "tree" | "seenIds">,
): Promise<readonly NextWord[]> => {
  const { table } = tree;
  const typed = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  // With a placeholder for the flag that still lacks its value.
  const { path, rest } = splitArgv([...before, ""], (it) => isCommandPath(tree, it));
  const verb = table[path] && (await table[path].load()).default;
  const place = { path, rest: rest.slice(0, -1), verb, config, tree, seenIds };
  // `--output=json` is one word.
  const [, flag, value = ""] = /^(--[^=]+)=(.*)$/s.exec(typed) ?? [];
  const previous = flag ?? before.at(-1) ?? "";
  const found = await inPlace({ ...place, typed: flag ? value : typed, previous });
  const prefix = flag ? `${flag}=` : "";
  return found
    .map((it) => ({ ...it, word: prefix + it.word }))
    .filter(({ word }) => word.startsWith(typed));
};

interface Place {
  readonly typed: string;
  readonly previous: string;
  readonly path: string;
  /** What follows the words of the command. */
  readonly rest: readonly string[];
  readonly verb: Verb | undefined;
  readonly config: ConfigStore;
  readonly tree: CommandTable;
  readonly seenIds: SeenIds;
}

const inPlace = async (place: Place): Promise<readonly NextWord[]> => {
  const { typed, previous, path, verb, config, tree } = place;
  const values = await valuesAfter(previous, verb, config);
  if (values) return values;
  if (typed.startsWith("-")) return flagsFor(verb);
  if (path === "" && place.rest[0] === "help") return helpOn(place.rest.slice(1), tree);
  return verb ? argumentsOf(place, verb) : wordsBelow(tree, path);
};

/** Values of the flag before; undefined if it takes none. */
const valuesAfter = async (
  previous: string,
  verb: Verb | undefined,
  config: ConfigStore,
): Promise<readonly NextWord[] | undefined> => {
  if (previous === "-p" || previous === "--profile") return profiles(config);
  if (previous === "-o" || previous === "--output") return plain(formats);
  if (!previous.startsWith("-")) return undefined;
  const option = (verb ? flagsOf(verb) : []).find((it) =>
    [it.name, ...it.aliases].includes(previous.replace(/^--/, "")),
  );
  if (option) return option.isSwitch ? undefined : choicesOf(option);
  const flag = globalFlags.find((it) => `--${it.name}` === previous);
  return flag?.value === undefined ? undefined : choicesIn(flag.value);
};

const profiles = async (config: ConfigStore): Promise<NextWord[]> => {
  try {
    const stored = Object.keys((await config.read()).profiles);
    return plain([...new Set([...stored, ...sandboxProfiles])]);
  } catch {
    // The command itself reports an unreadable file, not the completion.
    return plain(sandboxProfiles);
  }
};

const flagsFor = (verb: Verb | undefined): NextWord[] => [
  ...(verb ? flagsOf(verb) : []).map((it) => ({
    word: `--${shownName(it)}`,
    description: translated(it.description),
  })),
  ...globalFlags.map(({ name, description }) => ({
    word: `--${name}`,
    description: translated(description),
  })),
];

/** Commands that take the name of a profile, and those that take the name of a setting. */
const takesProfile = /^profile (use|show|remove|rename)$/;
const takesSetting = /^profile (set|unset)$/;

const argumentsOf = async (
  { path, rest, previous, config, tree, seenIds }: Place,
  verb: Verb,
): Promise<readonly NextWord[]> => {
  // `last` names the newest run.
  const seen = (name: string) =>
    plain([...(name === "run" ? ["last"] : []), ...(seenIds[name] ?? [])]);
  if (takesProfile.test(path)) return profiles(config);
  const isValue = / set$/.test(path) && quietly(() => readKey(previous)) !== undefined;
  if (takesSetting.test(path)) return isValue ? [] : plain(settingKeys);
  if (path === "auth can") return wordsBelow(tree, rest.join(" "));
  const given = quietly(() => parseLine(path, verb, rest).args);
  return [
    ...wordsBelow(tree, path),
    ...optionsOf(verb.args)
      .filter(({ key, repeats }) => repeats || !given?.[key]?.length)
      .flatMap((it) => [...choicesOf(it), ...seen(it.key)]),
  ];
};

const choicesOf = (option: Option): NextWord[] => {
  const { offers } = factsOf(option.schema);
  if (offers) return plain(offers);
  return choicesIn(placeholder(option.schema));
};

const choicesIn = (value: string): NextWord[] =>
  value.includes("|") ? plain(value.split("|")) : [];

/** `msg help` takes a topic or the words of a command. */
const helpOn = async (words: readonly string[], tree: CommandTable): Promise<NextWord[]> => {
  const commands = wordsBelow(tree, words.join(" "));
  if (words.length > 0) return commands;
  const { topics } = await import("./help-text.ts");
  return [...commands, ...plain(Object.keys(topics))];
};

const plain = (words: readonly string[]): NextWord[] =>
  words.map((word) => ({ word, description: "" }));
