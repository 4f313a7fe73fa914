/** Read before there is a context: the language, and the profile that a line implies without naming it. */
import { join } from "node:path";
import type { ParsedLine } from "../cli/parse/parse-line.ts";
import { configFolder, type Env, stateFolder } from "../config/paths.ts";
import { isSandboxName } from "../config/sandbox-profiles.ts";
import type { Settings } from "../config/settings.ts";
import { diskFiles, quietly } from "../durable/files.ts";
import { asRecord, asText, memberOf, readJson, tryJson } from "../json/read-json.ts";
import {
  chosenLanguage,
  isLanguage,
  type Language,
  setLanguage,
  systemLanguage,
  typedValue,
} from "../locale/locale.ts";
import type { Io } from "./process.ts";

/** The id of a run, or of the run of a key. */
const runId = /\b(\d{8}-\d{9}-[0-9a-f]{6}|[0-9a-f]{32})\b/;

/**
 * The profile of the run that is named by its id; undefined if the line or the environment names another, or if it
 * is no longer stored under that name.
 */
export const profileOfRun = (
  io: Pick<Io, "env" | "files">,
  { args, flags, globals }: ParsedLine,
): string | undefined => {
  const { env, files = diskFiles } = io;
  const named = [args.run, flags.resume, flags.retryRefused, flags.retryFailed]
    .flat()
    .find((it) => it && runId.test(it));
  const isChosen = globals.profile ?? globals.sandbox ?? globals["base-url"];
  if (named === undefined || isChosen || env.MSG_PROFILE || env.MSG_BASE_URL) return undefined;
  // The command itself reports what is wrong with the run.
  return quietly(() => {
    const run = readJson(files.read(join(stateFolder(env), "runs", named, "run.json")));
    const profile = asText(memberOf(run, "profile")) ?? "";
    const isKnown = isSandboxName(profile) || memberOf(storedConfig(io).profiles, profile);
    return isKnown ? profile : undefined;
  });
};

const suggested =
  /\bmsg ((?:send|send-many|message|group|balance|payment|quota|price|stats|template|channel|files|app|sender|doctor|auth can|profile set|run (?!list|purge))\b[^;,)]*)/g;

/** A command copied from an error or a note works: it names the account that the line named. */
export const carryProfile = (
  { profile, baseUrl }: Pick<Settings, "profile" | "baseUrl">,
  env: Env,
): ((text: string) => string) => {
  const name = profile.value === "sandbox" ? "--sandbox" : `-p ${profile.value}`;
  const isElsewhere = baseUrl.origin === "flag";
  const named = [
    ...(profile.origin === "flag" || profile.origin === "command" ? [name] : []),
    ...(isElsewhere ? [`--base-url ${baseUrl.value}`] : []),
  ];
  if (named.length === 0) return (text) => text;
  // The id of a run gives its profile, if nothing else does.
  const isKnown = !isElsewhere && !env.MSG_PROFILE && !env.MSG_BASE_URL;
  return (text) =>
    text.replace(suggested, (whole, words: string) =>
      / (-p|--profile|--sandbox|--help) /.test(` ${words} `) || (isKnown && runId.test(words))
        ? whole
        : `msg ${named.join(" ")} ${words}`,
    );
};

/** Sets the language of the first sentence and all after it, until the returned function is called. */
export const setLanguageOf = async (io: Io): Promise<() => void> => {
  const language = chosenLanguage(io.argv, io.env) ?? storedLanguage(io) ?? systemLanguage(io.env);
  if (language === "en") return setLanguage({ language, catalogs: [], topics: {} });
  const { korean, koreanTopics } = await import("../locale/ko/korean.ts");
  return setLanguage({ language, catalogs: korean, topics: koreanTopics });
};

/** The language of the profile that the line, the environment or the settings name. Errors are reported later. */
const storedLanguage = ({ argv, ...io }: Io): Language | undefined => {
  const config = quietly(() => storedConfig(io));
  const typed = argv.includes("--sandbox") ? "sandbox" : typedValue(argv, "--profile", "-p");
  const named = typed ?? (io.env.MSG_PROFILE || config?.current);
  const stored = memberOf(memberOf(config?.profiles, String(named ?? "default")), "lang");
  return isLanguage(stored) ? stored : undefined;
};

const storedConfig = ({ env, files = diskFiles }: Pick<Io, "env" | "files">) => {
  const bytes = files.read(join(configFolder(env), "config.json"));
  return asRecord(tryJson(new TextDecoder().decode(bytes)));
};
