/** JSON: the service's own record, names and values untouched, always indented by two. */
import { membersOf, type Reader } from "../fields.ts";
import type { View } from "../view.ts";
import type { Renderer } from "./delimited.ts";

/** A record or an array of rows, written row by row; with `--envelope` `{items, nextKey}`. */
export const json = (view: View, readers: readonly Reader[]): Renderer => {
  const shown = membersOf(view, readers);
  const indent = view.envelope ? "    " : "  ";
  const open = view.envelope ? '{\n  "items": [' : "[";
  let empty = true;
  const item = (row: unknown): string =>
    `\n${indent}${jsonText(shown(row), 2).replaceAll("\n", `\n${indent}`)}`;
  return {
    page(rows) {
      if (rows.length === 0) return "";
      const before = empty ? open : ",";
      empty = false;
      return before + rows.map(item).join(",");
    },
    end(nextKey) {
      const close = empty ? `${open}]` : `\n${indent.slice(2)}]`;
      return view.envelope
        ? `${close},\n  "nextKey": ${jsonText(nextKey ?? null)}\n}\n`
        : `${close}\n`;
    },
    record: (record) => `${jsonText(shown(record), 2)}\n`,
  };
};

/** One JSON text per line. */
export const jsonl = (view: View, readers: readonly Reader[]): Renderer => {
  const shown = membersOf(view, readers);
  const line = (row: unknown): string => `${jsonText(shown(row))}\n`;
  return { page: (rows) => rows.map(line).join(""), end: () => "", record: line };
};

/**
 * The JSON text of a value with every control escaped: JSON itself leaves DEL, C1 and the
 * separators U+2028 and U+2029 as they are.
 */
export const jsonText = (value: unknown, indent = 0): string =>
  (JSON.stringify(value, null, indent) ?? "null").replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
