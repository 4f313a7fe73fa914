// Builds dist/ in four steps:
//   1. esbuild divides the source into chunks, one for each place that is imported late;
//   2. a rehearsal of a few command lines tells which chunks each of them needs;
//   3. chunks that are needed together become one file, a part;
//   4. a second rehearsal keeps the code that V8 compiled for each part.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chunksOf } from "./chunks.mjs";
import { partsOf, textOf } from "./parts.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = `${root}dist/`;

const write = (parts) => {
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist);
  copyFileSync(`${root}.build/start.cjs`, `${dist}start.cjs`);
  for (const name of Object.keys(parts)) writeFileSync(`${dist}${name}.cjs`, textOf(name, parts));
};

/** Which chunks the command lines of each part evaluated. */
const rehearse = () => {
  const { status, stdout } = spawnSync(process.execPath, [`${root}.build/rehearse.cjs`], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) throw new Error(`the rehearsal ended with ${status}`);
  return JSON.parse(stdout);
};

const chunks = await chunksOf(root);
const whole = { main: chunks };
write(whole);
write(partsOf(chunks, rehearse()));
rehearse();
