// Builds dist/ in four steps:
//   1. esbuild divides the source into chunks, one for each place that is imported late;
//   2. a rehearsal of a few command lines tells which chunks each of them needs;
//   3. chunks that are needed together become one file, a part;
//   4. a second rehearsal keeps the code that V8 compiled for each part.
import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { chunksOf } from "./chunks.mjs";
import lines from "./lines.cjs";
import { apart, textOf, together } from "./parts.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = `${root}dist/`;

const write = async (parts) => {
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist);
  copyFileSync(`${root}.build/start.cjs`, `${dist}start.cjs`);
  const names = Object.keys(parts);
  const texts = await Promise.all(names.map((name) => textOf(name, parts)));
  for (const [at, name] of names.entries()) writeFileSync(`${dist}${name}.cjs`, texts[at]);
};

/** Runs what is rehearsed under this name, or all; answers the chunks that one needed. */
const rehearse = async (...name) => {
  const words = [`${root}.build/rehearse.cjs`, ...name];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, words, { timeout: 120_000 });
  process.stderr.write(stderr);
  return stdout.length > 0 ? JSON.parse(stdout) : [];
};

const chunks = await chunksOf(root);
await write(apart(chunks));
const needed = await Promise.all(
  Object.keys(lines).map(async (name) => [name, await rehearse(name)]),
);
await write(together(chunks, Object.fromEntries(needed)));
await rehearse();
