/** Files of src that are taken in as text (src/cli/text-files.d.ts), for those who run or bundle the source. */
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

const extensions = [".sql", ".css", ".browser.js", ".txt"] as const;

/** For esbuild. */
export const textLoaders = Object.fromEntries(extensions.map((it) => [it, "text" as const]));

const prefix = "\0text:";
/** Vite would take a name that ends in .css for a style sheet of its own. */
const suffix = ".text";

/** For Vitest. */
export const textFiles = {
  name: "text-files",
  enforce: "pre" as const,
  resolveId: (source: string, importer: string | undefined): string | undefined =>
    importer !== undefined && extensions.some((it) => source.endsWith(it))
      ? `${prefix}${resolve(dirname(importer), source)}${suffix}`
      : undefined,
  load: (id: string): string | undefined => {
    if (!id.startsWith(prefix)) return undefined;
    const text = readFileSync(id.slice(prefix.length, -suffix.length), "utf8");
    return `export default ${JSON.stringify(text)}`;
  },
};
