// The source as chunks: functions in the form of CommonJS, each with all that is always needed together.
import { readFileSync } from "node:fs";
import { build, transform } from "esbuild";

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

const replace = (root) => ({
  name: "replace",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^(ajv|node:)/ }, ({ path, importer }) => {
      const library = /.*node_modules\/([^/]+)/.exec(importer)?.[1];
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
    external: ["libsql"],
    define: { MSG_VERSION: `'${version}'` },
    plugins: [replace(root)],
    logLevel: "warning",
  });
  const chunks = outputFiles.map(async ({ path, text }) => ({
    name: path.slice(`${root}dist/`.length),
    code: await inCommonJs(text),
    library: libraryOf(metafile.outputs[path.slice(root.length)]),
  }));
  return (await Promise.all(chunks)).sort((a, b) => (b.name === "main.js") - (a.name === "main.js"));
};

const inCommonJs = async (text) => {
  const { code } = await transform(text, {
    format: "cjs",
    platform: "node",
    target: "node20.18",
    minify: true,
    supported: { "dynamic-import": false },
    define: { "import.meta.url": "__filename" },
  });
  // Regular expressions are left with their characters. All in ASCII, a file is read without decoding.
  return code.replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
};

/** The npm package that gives a chunk most of its bytes, if one does. */
const libraryOf = ({ inputs }) => {
  const [largest = ""] = Object.keys(inputs).sort((a, b) => inputs[b].bytesInOutput - inputs[a].bytesInOutput);
  return /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(largest)?.[1].replace("@", "").replace("/", "-");
};
