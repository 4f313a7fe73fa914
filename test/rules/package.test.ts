/** What is shipped: few packages, none that runs at install, nothing of one machine in the text. */
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { expect, test } from "vitest";
import { filesIn, root } from "./sources.ts";

const Versions = v.optional(v.record(v.string(), v.string()), {});

const manifest = v.parse(
  v.object({
    dependencies: Versions,
    optionalDependencies: Versions,
    peerDependencies: Versions,
    devDependencies: Versions,
    scripts: Versions,
    files: v.array(v.string()),
  }),
  JSON.parse(readFileSync(join(root, "package.json"), "utf8")),
);

const lockText = readFileSync(join(root, "package-lock.json"), "utf8");

const Locked = v.object({
  version: v.optional(v.string()),
  dev: v.optional(v.boolean()),
  hasInstallScript: v.optional(v.boolean()),
  optionalDependencies: Versions,
});

const locked = Object.entries(
  v.parse(v.object({ packages: v.record(v.string(), Locked) }), JSON.parse(lockText)).packages,
).filter(([path]) => path !== "");

const shipped = {
  ...manifest.dependencies,
  ...manifest.optionalDependencies,
  ...manifest.peerDependencies,
};

test("at most 8 packages are needed to run, 40 with those that they bring", () => {
  expect(Object.keys(shipped).length).toBeLessThanOrEqual(8);
  expect(locked.filter(([, it]) => !it.dev).length).toBeLessThanOrEqual(40);
});

test("no package that is needed to run has an install script", () => {
  expect(locked.filter(([, it]) => !it.dev && it.hasInstallScript).map(([path]) => path)).toEqual(
    [],
  );
});

test("the package itself runs nothing when it is installed from a registry", () => {
  expect(Object.keys(manifest.scripts).filter((it) => /^(pre|post)?install$/.test(it))).toEqual([]);
});

test("every version is exact", () => {
  const all = { ...shipped, ...manifest.devDependencies };
  expect(
    Object.entries(all).filter(
      ([, version]) => !/^(npm:solapi@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
    ),
  ).toEqual([]);
});

test("the lock file holds the package of every platform: npm ci refuses one with gaps", () => {
  const names = new Set(locked.map(([path]) => path.slice(path.lastIndexOf("node_modules/") + 13)));
  const gaps = locked.flatMap(([, it]) =>
    Object.keys(it.optionalDependencies).filter((name) => !names.has(name)),
  );
  expect(gaps).toEqual([]);
});

test("the lock file names no host", () => {
  expect(lockText.match(/"resolved"|https?:\/\/[^"]*\.tgz/g) ?? []).toEqual([]);
});

const written = ["src", "test", "bin", ".ci"]
  .flatMap(filesIn)
  .concat(
    "README.md",
    "LICENSE",
    ".build.mjs",
    "package.json",
    "tsconfig.json",
    ".biome.jsonc",
    ".npmrc",
    ".gitignore",
  )
  .filter((path) => !/\.(png|jpe?g|xlsx|zip|gz|db|bin)$/.test(path));

test("no path of one machine stands anywhere", () => {
  const here = [root, `${homedir()}/`].filter((it) => it.split("/").length > 3);
  const anywhere = /\/(home|Users)\/[a-z][\w.-]*\//;
  const found = written.filter((path) => {
    const text = readFileSync(join(root, path), "utf8");
    return anywhere.test(text) || here.some((it) => text.includes(it));
  });
  expect(found).toEqual([]);
});

test("no remark leaves something for later", () => {
  const words = new RegExp(["TODO", "FIXME", "XXX:", "HACK"].join("|"));
  const own = "test/rules/package.test.ts";
  const found = written.filter(
    (path) => path !== own && words.test(readFileSync(join(root, path), "utf8")),
  );
  expect(found).toEqual([]);
});
