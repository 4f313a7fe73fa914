import { dirname, join } from "node:path";
import { tool } from "../cli/command.ts";
import { type Env, homeFolder } from "../config/paths.ts";
import { choice, flag, required } from "../contract/fields.ts";
import { writeAll, writeFirst } from "../durable/atomic-write.ts";
import { diskFiles } from "../durable/files.ts";
import { t } from "../locale/locale.ts";
import { saveBytes } from "../output/files.ts";

/** Each hands the words up to the cursor to `complete-line` of the program that is typed, and takes a candidate a line from it. */
const scripts = {
  bash: `_msg() {
  local IFS=$'\\n' words=() word head part joined=
  # bash takes --output=js and sandbox:a apart at = and :, and puts in place of the last piece.
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if [[ \${#words[@]} -gt 0 && ( -n $joined || $word =~ ^[=:]+$ ) ]]; then
      words[\${#words[@]}-1]+=$word
    else
      words+=("$word")
    fi
    if [[ $word =~ ^[=:]+$ ]]; then joined=1; part=; else joined=; part=$word; fi
  done
  word=\${words[\${#words[@]}-1]}
  head=\${word%"$part"}
  COMPREPLY=($("\${COMP_WORDS[0]}" complete-line -- "\${words[@]}" 2>/dev/null | cut -f1))
  COMPREPLY=("\${COMPREPLY[@]#"$head"}")
  [ \${#COMPREPLY[@]} -gt 0 ] || compopt -o default
}
complete -F _msg msg msgop
`,
  zsh: `#compdef msg msgop
_msg() {
  local -a lines
  lines=("\${(@f)$("\${words[1]}" complete-line -- "\${(@)words[2,CURRENT]}" 2>/dev/null | sed -e 's/:/\\\\:/g' -e $'s/\\t$//' -e $'s/\\t/:/')}")
  if (( \${#lines} )) && [[ -n "\${lines[1]}" ]]; then
    _describe 'msg' lines
  else
    compset -P '--*='
    _files
  fi
}
# Loaded from fpath this file is the body of _msg; read by eval it only defines it.
if [[ "\${funcstack[1]}" = _msg ]]; then _msg; else compdef _msg msg msgop; fi
`,
  fish: `function __msg_complete
  set -l words (commandline -opc) (commandline -ct)
  set -g __msg_found ($words[1] complete-line -- $words[2..-1] 2>/dev/null)
  count $__msg_found >/dev/null
end
# Where nothing is found, fish offers files by itself.
complete -c msg -n __msg_complete -f -a '(printf "%s\\n" $__msg_found)'
complete -c msgop -n __msg_complete -f -a '(printf "%s\\n" $__msg_found)'
`,
  pwsh: `Register-ArgumentCompleter -Native -CommandName msg, msgop -ScriptBlock {
  param($word, $ast, $cursor)
  $words = @($ast.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($word -eq '') { $words += '' }
  & $ast.CommandElements[0].ToString() complete-line -- @words 2>$null | ForEach-Object {
    $name, $help = $_ -split "\`t", 2
    if (-not $help) { $help = $name }
    [System.Management.Automation.CompletionResult]::new($name, $name, 'ParameterValue', $help)
  }
}
`,
} as const;

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
  /** Where the script is written; a shell that finds it by the command's name needs one for each name. */
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

/** At the end, in place: the file keeps its mode, and may be a link. Nothing happens where the line is there. */
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
