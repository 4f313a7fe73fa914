import { tool } from "../cli/command.ts";
import { choice, required } from "../contract/fields.ts";

/** Each hands the words up to the cursor to `msg complete-line` and takes a candidate a line from it. */
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
  COMPREPLY=($(msg complete-line -- "\${words[@]}" 2>/dev/null | cut -f1))
  COMPREPLY=("\${COMPREPLY[@]#"$head"}")
  [ \${#COMPREPLY[@]} -gt 0 ] || compopt -o default
}
complete -F _msg msg
`,
  zsh: `#compdef msg
_msg() {
  local -a lines
  lines=("\${(@f)$(msg complete-line -- "\${(@)words[2,CURRENT]}" 2>/dev/null | sed -e 's/:/\\\\:/g' -e $'s/\\t$//' -e $'s/\\t/:/')}")
  if (( \${#lines} )) && [[ -n "\${lines[1]}" ]]; then
    _describe 'msg' lines
  else
    compset -P '--*='
    _files
  fi
}
# Loaded from fpath this file is the body of _msg; read by eval it only defines it.
if [[ "\${funcstack[1]}" = _msg ]]; then _msg; else compdef _msg msg; fi
`,
  fish: `function __msg_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l found (msg complete-line -- $words[2..-1] 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    set -l flag (string match -r '^--[^=]*=' -- $words[-1])
    for path in (__fish_complete_path (string replace -r '^--[^=]*=' '' -- $words[-1]))
      echo "$flag$path"
    end
  end
end
complete -c msg -f -a '(__msg_complete)'
`,
  pwsh: `Register-ArgumentCompleter -Native -CommandName msg -ScriptBlock {
  param($word, $ast, $cursor)
  $words = @($ast.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($word -eq '') { $words += '' }
  msg complete-line -- @words 2>$null | ForEach-Object {
    $name, $help = $_ -split "\`t", 2
    if (-not $help) { $help = $name }
    [System.Management.Automation.CompletionResult]::new($name, $name, 'ParameterValue', $help)
  }
}
`,
} as const;

export default tool({
  args: { shell: required(choice(["bash", "zsh", "fish", "pwsh"], "the shell")) },
  examples: [
    'eval "$(msg completion bash)"',
    "msg completion zsh > ~/.zfunc/_msg",
    "msg completion fish > ~/.config/fish/completions/msg.fish",
    "msg completion pwsh >> $PROFILE",
  ],
  run: async (_ctx, { args }) => ({ text: scripts[args.shell] }),
});
