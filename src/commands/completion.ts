import { dirname, join } from "node:path";
import { tool } from "../cli/command.ts";
import { type Env, homeFolder } from "../config/paths.ts";
import { choice, flag, required } from "../contract/fields.ts";
import { writeAll, writeFirst } from "../durable/atomic-write.ts";
import { diskFiles } from "../durable/files.ts";
import { t } from "../locale/locale.ts";
import { saveBytes } from "../output/save-file.ts";
import bash from "./completion/bash.txt";
import fish from "./completion/fish.txt";
import pwsh from "./completion/pwsh.txt";
import zsh from "./completion/zsh.txt";

/** Each passes the words up to the cursor to `complete-line` of the typed program: it prints a candidate per line. */
const scripts = { bash, zsh, fish, pwsh };

type Shell = keyof typeof scripts;

export default tool({
  args: { shell: required(choice(["bash", "zsh", "fish", "pwsh"], "the shell")) },
  flags: { install: flag("install the script for the shell instead of printing it") },
  columns: ["shell", "file", "startup"],
  examples: [
    "msg completion bash --install",
    'eval "$(msg completion bash)"',
    "msg completion zsh > ~/.zfunc/_msg",
    "msg completion pwsh >> $PROFILE",
  ],
  run: async (ctx, { args: { shell }, flags }) => {
    if (!flags.install) return { text: scripts[shell] };
    const place = placesOf(ctx.environment.env)[shell];
    if (ctx.consent.dryRun) await ctx.note(t`dry run: nothing was changed`);
    else {
      await install(scripts[shell], place);
      await ctx.note(place.note ?? t`completion works in new shells`);
    }
    return { record: { shell, file: place.files[0], startup: place.startup?.file ?? null } };
  },
});

interface Place {
  /** Where the script is written; a shell that looks it up by the command's name needs one for each name. */
  readonly files: readonly string[];
  /** A file that the shell reads at its start, and the line that it needs there. */
  readonly startup?: { readonly file: string; readonly line: string };
  readonly note?: string;
}

const placesOf = (env: Env): Readonly<Record<Shell, Place>> => {
  const home = homeFolder(env);
  const data = env.XDG_DATA_HOME || join(home, ".local/share");
  const config = env.XDG_CONFIG_HOME || join(home, ".config");
  const named = (name: (program: string) => string): string[] => ["msg", "msgop"].map(name);
  const profile = env.APPDATA ? join(home, "Documents/PowerShell") : join(config, "powershell");
  const [zsh, pwsh] = [join(data, "msg/completion.zsh"), join(data, "msg/completion.ps1")];
  return {
    bash: {
      files: named((it) => join(data, "bash-completion/completions", it)),
      note: t`completion works in new shells if the package bash-completion is installed`,
    },
    zsh: {
      files: [zsh],
      startup: {
        file: join(env.ZDOTDIR || home, ".zshrc"),
        line: `(( $+functions[compdef] )) || { autoload -Uz compinit; compinit }; source '${zsh}'`,
      },
    },
    fish: { files: named((it) => join(config, "fish/completions", `${it}.fish`)) },
    pwsh: {
      files: [pwsh],
      startup: { file: join(profile, "Microsoft.PowerShell_profile.ps1"), line: `. '${pwsh}'` },
    },
  };
};

const install = async (script: string, { files, startup }: Place): Promise<void> => {
  for (const file of files) {
    diskFiles.makeFolder(dirname(file), 0o755);
    await saveBytes(file, Buffer.from(script), { force: true });
  }
  if (startup) addLine(startup.file, startup.line);
};

/** Appends in place: the file keeps its mode, and may be a link. Does nothing if the line exists. */
const addLine = (file: string, line: string): void => {
  diskFiles.makeFolder(dirname(file), 0o755);
  if (!diskFiles.stat(file)) writeFirst(diskFiles, file, Buffer.alloc(0));
  const text = Buffer.from(diskFiles.read(file)).toString();
  if (text.split(/\r?\n/).includes(line)) return;
  const descriptor = diskFiles.openWrite(diskFiles.real(file));
  try {
    const gap = text === "" || text.endsWith("\n") ? "" : "\n";
    writeAll(diskFiles, descriptor, Buffer.from(`${gap}${line}\n`), diskFiles.size(descriptor));
  } finally {
    diskFiles.close(descriptor);
  }
};
