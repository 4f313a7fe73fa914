// The source as chunks, each with what is always needed together.
import { readFileSync } from "node:fs";
import { build } from "esbuild";

/** What a library imports always and needs never here: library → what it imports → what it gets. */
const instead = {
  chalk: { "#supports-color": ".build/instead/supports-color.cjs" },
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

const replace = (root) => ({
  name: "replace",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^(ajv|node:|#)/ }, ({ path, importer }) => {
      const library = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(importer)?.[1];
      const file = instead[library]?.[path];
      return file && { path: root + file };
    }),
});

/** Chunks by name, the one that `msg` begins with first: `code`, and the `library` that it is made of. */
export const chunksOf = async (root) => {
  const { version } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: ["src/main.ts"],
    outdir: "dist",
    write: false,
    metafile: true,
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    platform: "node",
    target: "node20.18",
    legalComments: "none",
    loader: { ".sql": "text", ".css": "text", ".browser.js": "text" },
    external: ["libsql"],
    define: { MSG_VERSION: `'${version}'` },
    plugins: [replace(root)],
    logLevel: "warning",
  });
  const chunks = outputFiles.map(({ path, text }) => ({
    name: path.slice(`${root}dist/`.length),
    code: text,
    library: libraryOf(metafile.outputs[path.slice(root.length)]),
  }));
  return chunks.sort((a, b) => (b.name === "main.js") - (a.name === "main.js"));
};

/** The npm package that gives a chunk most of its bytes, if one does. */
const libraryOf = ({ inputs }) => {
  const [largest = ""] = Object.keys(inputs).sort((a, b) => inputs[b].bytesInOutput - inputs[a].bytesInOutput);
  return /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(largest)?.[1].replace("@", "").replace("/", "-");
};
