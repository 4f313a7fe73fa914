// src/ → dist/: our code is one file. What is large and read by few commands is one of its own.
import { readFileSync, rmSync } from "node:fs";
import { build } from "esbuild";
import { notices } from "./.notices.mjs";

const packages = { iconv: "iconv-lite", xlsx: "read-excel-file/universal" };
const own = { mcp: "src/mcp/protocol.ts", korean: "src/locale/ko/korean.ts" };
const parts = { ...packages, ...own, settings: "src/config/conf.ts" };
const apart = ({ path, kind }) => {
  const name = Object.keys(parts).find((it) => parts[it].endsWith(path.replace(/^(\.+\/)+/, "/")));
  return name && kind === "dynamic-import" ? { path: `./${name}.cjs`, external: true } : null;
};
const { version } = JSON.parse(readFileSync("package.json", "utf8"));
rmSync("dist", { recursive: true, force: true });
await build({
  ...{ entryPoints: { main: "src/main.ts", ...parts }, outdir: "dist", bundle: true },
  ...{ platform: "node", target: "node20.18", outExtension: { ".js": ".cjs" } },
  // V8 reads these sooner. Names stay, for stack traces.
  ...{ minifyWhitespace: true, minifySyntax: true, supported: { "dynamic-import": false } },
  external: ["libsql"],
  loader: { ".sql": "text", ".css": "text", ".browser.js": "text" },
  define: { MSG_VERSION: `'${version}'`, "import.meta.url": "__filename" },
  plugins: [{ name: "apart", setup: (it) => it.onResolve({ filter: /./ }, apart) }, notices],
});
