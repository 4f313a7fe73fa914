// src/ → dist/: our code is one file. A large package is one of its own, which only the commands that use it read.
import { readFileSync, rmSync } from "node:fs";
import { build } from "esbuild";
import { notices } from "./.notices.mjs";

const large = ["iconv-lite", "jose"];
/** Our own parts that few processes read: the protocol of assistants with its library, the Korean. */
const parts = { mcp: "src/mcp/protocol.ts", korean: "src/locale/ko/korean.ts" };
const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const leaveOut = ({ path, kind }) => {
  if (kind === "entry-point") return null;
  const part = Object.keys(parts).find((it) => path.endsWith(parts[it].replace(/.*?\/.*?\//, "")));
  const name = part ?? large.find((it) => it === path);
  return name ? { path: `./${name}.cjs`, external: true } : null;
};
rmSync("dist", { recursive: true, force: true });
await build({
  entryPoints: {
    main: "src/main.ts",
    ...parts,
    ...Object.fromEntries(large.map((it) => [it, it])),
  },
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
  plugins: [
    {
      name: "large",
      setup: (it) => it.onResolve({ filter: /^\w|(protocol|korean)\.ts$/ }, leaveOut),
    },
    notices,
  ],
});
