/**
 * The simulation as one program: the way from one module to another takes no time in it, which the loader of
 * the tests does not promise. The same seed would give other histories.
 */
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { textLoaders } from "../support/text-files.ts";

type Simulation = typeof import("./simulate.ts");

export const bundledSimulation = async (): Promise<Simulation> => {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  // Below node_modules: what is not bundled is found from there.
  const folder = join(root, "node_modules/.cache/msg-simulation");
  mkdirSync(folder, { recursive: true });
  const outfile = join(folder, `simulate-${process.pid}.cjs`);
  await build({
    ...{ entryPoints: [join(root, "test/simulation/simulate.ts")], outfile },
    ...{ bundle: true, platform: "node", format: "cjs", target: "node20.18" },
    supported: { "dynamic-import": false },
    external: ["libsql"],
    loader: textLoaders,
    define: { MSG_VERSION: "'0'", "import.meta.url": "__filename" },
    logLevel: "error",
  });
  const simulation: Simulation = createRequire(import.meta.url)(outfile);
  return simulation;
};
