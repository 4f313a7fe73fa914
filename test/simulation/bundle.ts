/**
 * The simulation as one program: the way from one module to another takes no time in it, which the loader of
 * the tests does not promise. The same seed would give other histories.
 */
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";
import { textLoaders } from "../support/text-files.ts";
import { type Break, breakOf, type Edit } from "./breaks.ts";

type Simulation = typeof import("./simulate.ts");

const root = fileURLToPath(new URL("../..", import.meta.url));

/** `broken`: the id of a break that is put back into it. */
export const bundledSimulation = async (broken?: string): Promise<Simulation> => {
  // Below node_modules: what is not bundled is found from there.
  const folder = join(root, "node_modules/.cache/msg-simulation");
  mkdirSync(folder, { recursive: true });
  const name = broken === undefined ? "" : `-${broken.replaceAll(" ", "-")}`;
  const outfile = join(folder, `simulate-${process.pid}${name}.cjs`);
  await build({
    ...{ entryPoints: [join(root, "test/simulation/simulate.ts")], outfile },
    ...{ bundle: true, platform: "node", format: "cjs", target: "node20.18" },
    supported: { "dynamic-import": false },
    external: ["libsql"],
    loader: textLoaders,
    define: { MSG_VERSION: "'0'", "import.meta.url": "__filename" },
    plugins: broken === undefined ? [] : [breaking(breakOf(broken))],
    logLevel: "error",
  });
  const simulation: Simulation = createRequire(import.meta.url)(outfile);
  return simulation;
};

const breaking = ({ edits }: Break): Plugin => ({
  name: "breaking",
  setup: (it) => {
    it.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const file = relative(root, path).replaceAll(sep, "/");
      const own = edits.filter((edit) => edit.file === file);
      if (own.length === 0) return undefined;
      return { contents: own.reduce(edited, readFileSync(path, "utf8")), loader: "ts" };
    });
  },
});

const edited = (text: string, { find, put }: Edit): string => text.replace(find, () => put);

/** How often the text that a break replaces is in its file. */
export const countOf = ({ file, find }: Edit): number =>
  readFileSync(join(root, file), "utf8").split(find).length - 1;
