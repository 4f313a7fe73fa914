// Chunks → parts: the files of dist/. A chunk is called by its part and its place in it: `line/7`.
import { build } from "esbuild";

/** From this size on a library is a part of its own. */
const largeBytes = 50_000;

const nameOf = ({ name }) => name.replace(".js", "");

/** Every chunk as a part of its own: to see which are needed. */
export const apart = (chunks) => Object.fromEntries(chunks.map((it) => [nameOf(it), [it]]));

/**
 * Parts by name. `needed` says which chunks each rehearsed line needs: those that the same lines need
 * are a part and have these lines' names. What all need is `main`, what none needs is `rest`.
 */
export const together = (chunks, needed) => {
  const parts = {};
  const all = Object.keys(needed);
  for (const chunk of chunks) {
    const by = all.filter((name) => needed[name].includes(`${nameOf(chunk)}/0`));
    const alone = chunk.library && chunk.code.length > largeBytes && chunk.library;
    const part = alone || (by.length === all.length && "main") || by.join("-") || "rest";
    (parts[part] ??= []).push(chunk);
  }
  return parts;
};

/** The text of a part, for `require` as for `vm.Script`: a function that gives a list of its chunks. */
export const textOf = async (part, parts) => {
  const own = parts[part].map(({ name }) => `() => require("./${name}")`);
  const { outputFiles } = await build({
    stdin: { contents: `export const chunks = [${own}]`, resolveDir: "/" },
    write: false,
    bundle: true,
    minify: true,
    format: "cjs",
    platform: "node",
    target: "node20.18",
    supported: { "dynamic-import": false },
    define: { "import.meta.url": "__filename" },
    plugins: [among(part, parts)],
    logLevel: "warning",
  });
  // Regular expressions are left with their characters. All in ASCII, a file is read without decoding.
  const text = outputFiles[0].text.replace(/[^\x00-\x7f]/g, escaped);
  return `(typeof module==="object"?module:{}).exports=function(module,require,__filename){${text}return module.exports.chunks}\n`;
};

const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** What a part imports is a chunk of its own, one of another part, or not ours. */
const among = (part, parts) => ({
  name: "among",
  setup: ({ onResolve, onLoad }) => {
    const own = new Map(parts[part].map((it) => [it.name, it.code]));
    const places = Object.entries(parts).flatMap(([name, chunks]) =>
      chunks.map((it, place) => [it.name, `${name}/${place}`]),
    );
    const others = new Map(places);
    onResolve({ filter: /./ }, ({ path }) => {
      const name = path.replace("./", "");
      if (own.has(name)) return { path: name, namespace: "chunk" };
      return { path: others.get(name) ?? path, external: true };
    });
    onLoad({ filter: /./, namespace: "chunk" }, ({ path }) => ({ contents: own.get(path) }));
  },
});
