/** The language that the operator of a process reads. */
import { join } from "node:path";
import { configFolder } from "../config/paths.ts";
import { diskFiles } from "../durable/files.ts";
import { asRecord, memberOf, readJson } from "../json/read-json.ts";
import {
  chosenLanguage,
  isLanguage,
  systemLanguage,
  typedValue,
} from "../locale/choose-language.ts";
import { type Language, speak } from "../locale/locale.ts";
import type { Io } from "./process.ts";

/** Speaks that language from the first sentence on, until the answer is called. */
export const speakTo = async (io: Io): Promise<() => void> => {
  const { argv, env } = io;
  const language = chosenLanguage(argv, env) ?? storedLanguage(io) ?? systemLanguage(env);
  if (language === "en") return speak({ language, catalogs: [], topics: {} });
  const { korean, koreanTopics } = await import("../locale/ko/korean.ts");
  return speak({ language, catalogs: korean, topics: koreanTopics });
};

/** That of the profile which the line, the environment or the settings name. Their errors are reported later. */
const storedLanguage = ({ argv, env, files = diskFiles }: Io): Language | undefined => {
  try {
    const config = asRecord(readJson(files.read(join(configFolder(env), "config.json"))));
    const typed = argv.includes("--sandbox") ? "sandbox" : typedValue(argv, "--profile", "-p");
    const named = typed ?? (env.MSG_PROFILE || config.current);
    const stored = memberOf(memberOf(config.profiles, String(named ?? "default")), "lang");
    return isLanguage(stored) ? stored : undefined;
  } catch {
    return undefined;
  }
};
