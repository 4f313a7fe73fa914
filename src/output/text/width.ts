/** How many columns of a terminal a text takes, and texts of so many columns. */
import stringWidth from "fast-string-width";

/** Columns taken by one line of safe text; Hangul and emoji take two. */
export const displayWidth = (text: string): number => stringWidth(text);

/** A text of exactly `columns` columns: cut with `…` where it is longer, else padded. */
export const aligned = (text: string, columns: number, side: "left" | "right" = "left"): string => {
  const shown = truncateToWidth(text, columns);
  const space = " ".repeat(Math.max(0, columns - displayWidth(shown)));
  return side === "left" ? shown + space : space + shown;
};

/** A text of at most `columns` columns, cut between characters as a person sees them. */
export const truncateToWidth = (text: string, columns: number): string => {
  if (displayWidth(text) <= columns) return text;
  if (columns < 1) return "";
  const kept: string[] = [];
  let taken = 0;
  // A column holds at most 16 UTF-16 units of safe text: the rest of a long text is not looked at.
  for (const { segment } of new Intl.Segmenter().segment(text.slice(0, columns * 16))) {
    taken += displayWidth(segment);
    if (taken > columns - 1) break;
    kept.push(segment);
  }
  while (displayWidth(`${kept.join("")}…`) > columns) kept.pop();
  return `${kept.join("")}…`;
};
