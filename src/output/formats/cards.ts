/** Rows as cards, `name  value` line by line: for one record, and for narrow terminals. */
import { readable } from "../columns.ts";
import type { Reader } from "../fields.ts";
import { styles } from "../text/style.ts";
import { aligned, displayWidth } from "../text/width.ts";
import type { View } from "../view.ts";
import type { Renderer } from "./renderer.ts";

/** Values are never cut: the terminal wraps them. An empty line stands between two cards. */
export const cards = (view: View, readers: readonly Reader[], colour: boolean): Renderer => {
  const style = styles(colour);
  const shown = readable(view, readers);
  const widest = Math.max(0, ...shown.map((column) => displayWidth(column.name)));
  const card = (row: unknown): string =>
    shown
      .map((column) => `${style.dim(aligned(column.name, widest))}  ${column.text(row)}`)
      .map((line) => `${line.replace(/ +$/, "")}\n`)
      .join("");
  let before = "";
  return {
    page(rows) {
      if (rows.length === 0) return "";
      const text = before + rows.map(card).join("\n");
      before = "\n";
      return text;
    },
    end: () => "",
    record: card,
  };
};
