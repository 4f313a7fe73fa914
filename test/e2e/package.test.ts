/** What is published installs in an empty folder and runs, and a clone runs by npx. */
import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { expect, test } from "vitest";
import { freshFolder, root } from "./program.ts";

const slow = 120_000;

/** npm of this machine, without what the parent npm hands down, and with a home of its own. */
const npm = (
  program: "npm" | "npx",
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): string => {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|MSG_|INIT_CWD|NODE_OPTIONS)/i.test(name),
  );
  return execFileSync(program, [...args], {
    cwd,
    env: { ...Object.fromEntries(kept), ...env },
    stdio: ["ignore", "pipe", "pipe"],
    // Where the registry cannot be reached npm tries for minutes, and the runner could not end it.
    timeout: slow,
  }).toString();
};

/** A copy of what a clone holds: packing rewrites the manifest, which the other tests read. */
const copyOfClone = (): string => {
  const folder = freshFolder();
  const left = /^(node_modules|dist|test|\.git)$/;
  for (const name of readdirSync(root).filter((it) => !left.test(it)))
    cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  return folder;
};

const Packed = v.array(
  v.object({ filename: v.string(), files: v.array(v.object({ path: v.string() })) }),
);

const pack = () => {
  const folder = copyOfClone();
  const before = readFileSync(join(folder, "package.json"), "utf8");
  const [packed] = v.parse(Packed, JSON.parse(npm("npm", ["pack", "--json"], folder)));
  const after = readFileSync(join(folder, "package.json"), "utf8");
  const paths = packed?.files.map((it) => it.path) ?? [];
  return { tarball: join(folder, packed?.filename ?? ""), paths, before, after };
};

const Commands = v.object({
  commands: v.array(
    v.object({ command: v.string(), flags: v.array(v.object({ name: v.string() })) }),
  ),
});

test("npm pack gives a package that installs without a compiler, sends, and holds its manual", {
  timeout: slow,
}, () => {
  const { tarball, paths, before, after } = pack();
  expect(after).toBe(before);
  const known =
    /^(dist\/[\w-]+\.cjs|bin\/(msg\.js|package\.json)|man\/msg[\w-]*\.[17]|(README|CHANGELOG|REFERENCE)\.md|LICENSE|THIRD-PARTY-NOTICES|package\.json)$/;
  expect(paths.filter((path) => !known.test(path))).toEqual([]);
  const prefix = freshFolder();
  npm("npm", ["install", "-g", "--prefix", prefix, "--no-audit", "--no-fund", tarball], prefix);
  const home = freshFolder();
  const msg = (...line: string[]): string => {
    const env = { PATH: process.env.PATH ?? "", HOME: home };
    return execFileSync(join(prefix, "bin/msgop"), line, { cwd: home, env }).toString();
  };
  const message = ["--to", "01000000001", "--from", "0200000000", "--text", "안녕하세요"];
  expect(JSON.parse(msg("send", "--sandbox", ...message, "--json"))).toMatchObject({
    statusCode: "2000",
  });
  const installed = join(prefix, "lib/node_modules/msgop");
  const text = (path: string): string => readFileSync(join(installed, path), "utf8");
  expect(JSON.parse(text("package.json"))).not.toHaveProperty("scripts");
  const { commands } = v.parse(Commands, JSON.parse(msg("commands", "--json")));
  const sections = text("REFERENCE.md").split(/^# /m);
  const missing = commands.flatMap(({ command, flags }) => {
    const page = `msg-${command.replaceAll(" ", "-")}`;
    const inMan = readFileSync(join(prefix, `share/man/man1/${page}.1`), "utf8");
    const inReference = sections.find((it) => it.startsWith(`${page}(1)`)) ?? "";
    return flags
      .map(({ name }) => new RegExp(`--(no-)?${name}\\b`))
      .filter((it) => !it.test(inMan.replaceAll("\\-", "-")) || !it.test(inReference))
      .map((it) => `${command} ${it}`);
  });
  expect(missing).toEqual([]);
});

test("npx msg in a clone runs the clone, without the registry and without a question", {
  timeout: slow,
}, () => {
  const env = {
    HOME: freshFolder(),
    npm_config_offline: "true",
    npm_config_yes: "false",
    npm_config_ignore_scripts: "true",
    npm_config_cache: freshFolder(),
  };
  const manifest: unknown = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const { version } = v.parse(v.object({ version: v.string() }), manifest);
  expect(npm("npx", ["msg", "--version"], root, env)).toBe(`${version}\n`);
});
