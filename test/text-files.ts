/** Imports SQL, styles and scripts of pages as text, as `.build.mjs` has esbuild do. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Plugin } from "vitest/config";

const prefix = "\0text:";

/** The name of the module does not end like the file's, or Vite would read it as a style or a script. */
export const textFiles: Plugin = {
  name: "text-files",
  enforce: "pre",
  resolveId: (source, importer = "") =>
    /\.(sql|css|client\.js)$/.test(source)
      ? `${prefix}${resolve(importer, "..", source)}.text`
      : undefined,
  load: (id) =>
    id.startsWith(prefix)
      ? `export default ${JSON.stringify(readFileSync(id.slice(prefix.length, -".text".length), "utf8"))}`
      : undefined,
};
