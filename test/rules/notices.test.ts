/** A build ends where it would ship a package whose licence is not allowed, or is missing. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import * as v from "valibot";
import { afterAll, expect, test } from "vitest";
import { root } from "./sources.ts";

const folder = mkdtempSync(join(tmpdir(), "msg-notices-"));
afterAll(() => rmSync(folder, { recursive: true }));

const hasSetup = (it: unknown): boolean => typeof it === "object" && it !== null && "setup" in it;
const loaded: unknown = await import(pathToFileURL(join(root, ".notices.mjs")).href);
const { notices } = v.parse(v.object({ notices: v.custom<Plugin>(hasSetup) }), loaded);

/** Bundles one package of this licence; answers the errors of the build. */
const bundling = async (name: string, license: string, text?: string): Promise<string[]> => {
  const home = join(folder, "node_modules", name);
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "package.json"), JSON.stringify({ name, version: "1.2.3", license }));
  writeFileSync(join(home, "index.js"), "console.log(1);");
  if (text !== undefined) writeFileSync(join(home, "LICENSE.md"), text);
  const stdin = { contents: `import "${name}";`, resolveDir: folder };
  const plugins = [notices];
  return build({ stdin, plugins, bundle: true, outdir: folder, logLevel: "silent" }).then(
    () => [],
    (error: { errors: { text: string }[] }) => error.errors.map((it) => it.text),
  );
};

test("a package of an allowed licence goes in with its text", async () => {
  expect(await bundling("free", "ISC", "Copyright (c) Someone")).toEqual([]);
  const written = readFileSync(join(folder, "THIRD-PARTY-NOTICES"), "utf8");
  expect(written).toContain("free@1.2.3 (ISC)\n\nCopyright (c) Someone\n");
});

test("any other licence, and one without its text, end the build", async () => {
  const [error, ...others] = await bundling("copyleft", "GPL-3.0-only", "GNU");
  expect(error).toBe("copyleft@1.2.3 has no licence that msg may ship: GPL-3.0-only");
  expect(others).toEqual([]);
  expect(await bundling("either", "(MIT OR GPL-3.0-only)", "MIT")).toHaveLength(1);
  expect(await bundling("bare", "MIT")).toHaveLength(1);
});
