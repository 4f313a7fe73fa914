// src/ → dist/: our code is one file. A large package is one of its own, which only the commands that use it read.
import { readFileSync, rmSync } from "node:fs";
import { build } from "esbuild";
import { notices } from "./.notices.mjs";

const large = ["iconv-lite", "jose"];
const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const leaveOut = ({ path, kind }) =>
  kind !== "entry-point" && large.includes(path) ? { path: `./${path}.cjs`, external: true } : null;
rmSync("dist", { recursive: true, force: true });
await build({
  entryPoints: { main: "src/main.ts", ...Object.fromEntries(large.map((it) => [it, it])) },
  outdir: "dist",
  outExtension: { ".js": ".cjs" },
  bundle: true,
  minifyWhitespace: true, // but not names: V8 reads these sooner, and a stack trace says where
  minifySyntax: true,
  platform: "node",
  target: "node20.18",
  supported: { "dynamic-import": false },
  external: ["libsql"],
  loader: { ".sql": "text", ".css": "text", ".browser.js": "text" },
  define: { MSG_VERSION: `'${version}'`, "import.meta.url": "__filename" },
  plugins: [{ name: "large", setup: (it) => it.onResolve({ filter: /^\w/ }, leaveOut) }, notices],
});
