/** What `msg` alone prints for a user who has stored nothing yet. */
import { join } from "node:path";
import { alignColumns } from "../cli/help/group-help.ts";
import { hasCredentials } from "../config/environment-credentials.ts";
import { configFolder } from "../config/paths.ts";
import { diskFiles, quietly } from "../durable/files.ts";
import { t } from "../locale/locale.ts";
import type { Io } from "./process.ts";

/** Whether no word was typed and no profile is stored; an unreadable folder means a known user. */
export const isFirstCall = ({ argv, env, files = diskFiles }: Io): boolean => {
  const hasWords = argv.some((it, at) => !it.startsWith("--lang") && argv[at - 1] !== "--lang");
  if (hasWords || env.MSG_PROFILE || hasCredentials(env)) return false;
  return quietly(() => files.lstat(join(configFolder(env), "config.json")) === undefined) ?? false;
};

/** Three commands to try. */
export const greeting = (columns: number): string => {
  const commands: [string, string][] = [
    [
      `msg send --sandbox --from 0200000000 --to 01000000001 --text "${t`Hello`}"`,
      t`send a message in the built-in sandbox: no account, no charge`,
    ],
    ["msg sandbox start --open", t`see the sandbox and its phones in a browser`],
    ["msg auth login --base-url https://…", t`log in to your account`],
  ];
  const lines = [
    t`msg sends messages from the terminal. Three commands to try:`,
    "",
    ...alignColumns(commands, columns),
    "",
    t`All commands: msg --help`,
  ];
  return `${lines.join("\n")}\n`;
};
