// Builds dist/: one file with all of msg, each command evaluated when it is run; the libraries that only
// some commands need in files of their own; and the code that was compiled for the usual commands.
import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const { version } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));

/** Loaded late and large: name of the file in dist/lib → what is imported. */
const apart = {
  "hono-node-server": "@hono/node-server",
  hono: "hono",
  "iconv-lite": "iconv-lite",
  prompts: "@inquirer/prompts",
  table: "cli-table3",
  "undici-client": "undici/lib/dispatcher/client.js",
};

/** What a library imports always and needs never here: library → what it imports → what it gets. */
const instead = {
  conf: {
    "ajv/dist/2020.js": "src/config/without-validator.ts",
    "ajv-formats": "src/config/without-validator.ts",
  },
  undici: {
    "node:assert": ".build/instead/assert.cjs",
    "node:http": ".build/instead/http.cjs",
    "node:http2": ".build/instead/http2.cjs",
  },
};

const replace = {
  name: "replace",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^(ajv|node:)/ }, ({ path, importer }) => {
      const library = /.*node_modules\/([^/]+)/.exec(importer)?.[1];
      const file = instead[library]?.[path];
      return file && { path: root + file };
    }),
};

const shared = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  format: "cjs",
  platform: "node",
  target: "node20.18",
  supported: { "dynamic-import": false },
  legalComments: "none",
  external: ["libsql"],
  define: { MSG_VERSION: `'${version}'`, "import.meta.url": "fileAddress" },
  banner: { js: "const fileAddress=require('node:url').pathToFileURL(__filename).href;" },
  logLevel: "warning",
};

const keepApart = {
  name: "keep-apart",
  setup: ({ onResolve }) => {
    const files = new Map(Object.entries(apart).map(([file, name]) => [name, file]));
    onResolve({ filter: /^[@a-z]/ }, ({ path }) =>
      files.has(path) ? { path: `./lib/${files.get(path)}.cjs`, external: true } : undefined,
    );
  },
};

rmSync(`${root}dist`, { recursive: true, force: true });
await build({ ...shared, entryPoints: ["src/main.ts"], outfile: "dist/main.cjs", plugins: [replace, keepApart] });
await build({
  ...shared,
  entryPoints: apart,
  outdir: "dist/lib",
  outExtension: { ".js": ".cjs" },
  plugins: [replace],
});

// Regular expressions are left with their characters. All in ASCII, the file is read without decoding.
const file = `${root}dist/main.cjs`;
const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
writeFileSync(file, readFileSync(file, "utf8").replace(/[^\x00-\x7f]/g, escaped));
copyFileSync(`${root}.build/start.cjs`, `${root}dist/start.cjs`);
const { status } = spawnSync(process.execPath, [`${root}.build/cache.cjs`], { stdio: "inherit" });
process.exitCode = status ?? 1;
