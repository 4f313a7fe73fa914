/** The scripts of `msg completion`: by their shape, and read by those of the shells that are on this machine. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { atHome } from "../faults/at-home.ts";
import { binary } from "./program.ts";

const msg = atHome();

const folder = join(msg.folder, "bin");
mkdirSync(folder);
symlinkSync(binary, join(folder, "msg"));
const env = { ...msg.env, PATH: `${folder}:${msg.env.PATH}` };

/** Written in this process: the shells ask the built program for the words. */
const scriptOf = async (shell: string): Promise<{ text: string; file: string }> => {
  const { code, out, err } = await msg(["completion", shell]);
  expect([code, err]).toEqual([0, ""]);
  const file = join(msg.folder, `completion.${shell === "pwsh" ? "ps1" : shell}`);
  writeFileSync(file, out);
  return { text: out, file };
};

const shells = ["bash", "zsh", "fish", "pwsh"] as const;
type Shell = (typeof shells)[number];

/** Reads a script without running it, and ends with something other than 0 where it is no script. */
const reading: Readonly<Record<Shell, (file: string) => readonly string[]>> = {
  bash: (file) => ["-n", file],
  zsh: (file) => ["-n", file],
  fish: (file) => ["--no-config", "--no-execute", file],
  pwsh: (file) => [
    "-NoProfile",
    "-Command",
    `$e = $null; [void][Management.Automation.Language.Parser]::ParseFile('${file}', [ref]$null, [ref]$e); exit $e.Count`,
  ],
};

const isHere = (shell: Shell): boolean =>
  spawnSync("sh", ["-c", `command -v ${shell}`]).status === 0;

const pairs: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };

/** What is left open, or closed without having been opened, outside of quotes and comments. */
const unbalanced = (text: string): string => {
  const bare = text
    .replaceAll(/^\s*#.*$/gm, "")
    .replaceAll(/'[^']*'/g, "")
    .replaceAll(/[\\`]./g, "");
  const open: string[] = [];
  for (const mark of bare.replaceAll(/[^()[\]{}]/g, "")) {
    const partner = pairs[mark];
    if (partner !== undefined && open.at(-1) === partner) open.pop();
    else open.push(mark);
  }
  const quotes = bare.split('"').length - 1;
  return open.join("") + (quotes % 2 === 0 ? "" : '"');
};

/** How each of them is told who completes `msg`. */
const registers: Readonly<Record<Shell, RegExp>> = {
  bash: /^complete -F _msg msg msgop$/m,
  zsh: /^#compdef msg msgop\n[\s\S]*compdef _msg msg msgop/,
  fish: /^complete -c msg /m,
  pwsh: /^Register-ArgumentCompleter -Native -CommandName msg, msgop /m,
};

describe.each(shells)("completion %s", (shell) => {
  test("has every quote and bracket closed, registers for both names, and asks the one that is typed for the words", async () => {
    const { text } = await scriptOf(shell);
    expect(unbalanced(text)).toBe("");
    expect(text).toMatch(registers[shell]);
    expect(text.match(/ complete-line -- /g)).toHaveLength(1);
    expect(text).not.toMatch(/undefined|\[object/);
    const blocks = text.match(/^\s*(function|if|for|while|begin)\b/gm) ?? [];
    if (shell === "fish") expect(text.match(/^\s*end$/gm)).toHaveLength(blocks.length);
  });
});

test.each(shells.filter(isHere))("completion %s is a script to the shell itself", async (shell) => {
  const { file } = await scriptOf(shell);
  const { status, stderr } = spawnSync(shell, reading[shell](file), { env });
  expect([status, String(stderr)]).toEqual([0, ""]);
});

/** Where nothing fits, a file may be meant; where something does, no file is offered with it. */
const files: Readonly<Record<Exclude<Shell, "pwsh">, RegExp>> = {
  bash: /\$\{#COMPREPLY\[@\]\} -gt 0 \] \|\| compopt -o default/,
  zsh: /_describe 'msg' lines\n +else\n +compset -P '--\*='\n +_files\n/,
  fish: /count \$__msg_found >\/dev\/null\nend\n[\s\S]*complete -c msg -n __msg_complete -f -a/,
};

test.each(["bash", "zsh", "fish"] as const)(
  "completion %s offers files in place of nothing only",
  async (shell) => {
    expect((await scriptOf(shell)).text).toMatch(files[shell]);
  },
);

test("completion zsh shows no empty description", async () => {
  expect((await scriptOf("zsh")).text).toContain(String.raw`-e $'s/\t$//' -e $'s/\t/:/'`);
});

test.each([
  [["auth", "logi"], "login"],
  [["balance", "--output", "=", "js"], "json"],
  [["balance", "--output", "="], "jsonl"],
  [["-p", "sandbox", ":", "dev"], "developer"],
  [["-p", "sandbox", ":"], "member"],
  [["send", "--te"], "--text"],
  [["completion", ""], "fish"],
])("completion bash, in bash: %j offers %s", async (words, expected) => {
  const { file } = await scriptOf("bash");
  const line = `source "$1"; shift; COMP_WORDS=(msg "$@"); COMP_CWORD=$#; _msg; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync("bash", ["-c", line, "bash", file, ...words], { env });
  expect(String(stderr)).toBe("");
  expect(String(stdout).split("\n")).toContain(expected);
});

const asks: Readonly<Record<Exclude<Shell, "pwsh">, string>> = {
  bash: 'source "$XDG_DATA_HOME/bash-completion/completions/msgop"; COMP_WORDS=(msgop completion ""); COMP_CWORD=2; _msg; echo $COMPREPLY',
  zsh: "source ~/.zshrc; echo $_comps[msgop]",
  fish: 'complete -C "msgop completion "',
};

test.each(["bash", "zsh", "fish"] as const)(
  "completion %s --install, run twice, puts the script where the shell finds it",
  async (shell) => {
    const own = atHome();
    const home = { ...env, ...own.env, PATH: env.PATH, XDG_DATA_HOME: join(own.folder, "data") };
    symlinkSync(binary, join(own.folder, "msgop"));
    home.PATH = `${own.folder}:${home.PATH}`;
    for (const line of [["-n"], [], []])
      expect((await own(["completion", shell, "--install", ...line], { env: home })).code).toBe(0);
    if (!isHere(shell)) return;
    const { stdout } = spawnSync(shell, ["-c", asks[shell]], { env: home });
    expect(String(stdout)).toContain(shell === "zsh" ? "_msg" : "bash");
    if (shell !== "zsh") return;
    const startup = readFileSync(join(own.folder, ".zshrc"), "utf8");
    expect(startup.match(/completion\.zsh/g)).toHaveLength(1);
  },
);
