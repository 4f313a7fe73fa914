/** What is published installs in an empty folder and runs, and a clone runs by npx. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
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

const Packed = v.array(
  v.object({ filename: v.string(), files: v.array(v.object({ path: v.string() })) }),
);

test("npm pack gives a package that installs without a compiler and sends", {
  timeout: slow,
}, () => {
  const folder = freshFolder();
  // The program is built already, and a build during the other tests would pull it away from them.
  const list = npm(
    "npm",
    ["pack", "--ignore-scripts", "--json", "--pack-destination", folder],
    root,
  );
  const [packed] = v.parse(Packed, JSON.parse(list));
  const paths = packed?.files.map((it) => it.path) ?? [];
  expect(
    paths.filter(
      (path) =>
        !/^(dist\/([\w-]+\.cjs|THIRD-PARTY-NOTICES)|bin\/(msg\.js|package\.json)|README\.md|LICENSE|package\.json)$/.test(
          path,
        ),
    ),
  ).toEqual([]);
  npm("npm", ["install", "--no-audit", "--no-fund", join(folder, packed?.filename ?? "")], folder);
  const home = freshFolder();
  const env = {
    HOME: home,
    XDG_CONFIG_HOME: join(home, "config"),
    XDG_STATE_HOME: join(home, "state"),
  };
  const words = [
    "send",
    "--sandbox",
    "--to",
    "01000000001",
    "--from",
    "0200000000",
    "--text",
    "안녕하세요",
    "--json",
  ];
  const out = execFileSync(
    process.execPath,
    [join(folder, "node_modules/msgop/bin/msg.js"), ...words],
    {
      cwd: folder,
      env: { PATH: process.env.PATH ?? "", ...env },
    },
  );
  expect(JSON.parse(out.toString())).toMatchObject({ statusCode: "2000" });
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
