/** A message as a phone shows it, drawn with lines: for previews on a terminal. */
import { sanitize } from "../text/safe.ts";
import { aligned, displayWidth } from "../text/width.ts";

export interface Bubble {
  readonly title: string;
  readonly text: string;
  readonly buttons: readonly string[];
}

/** Columns inside the frame; a phone shows about this many. */
const widest = 34;

/** The lines of a bubble that fits into so many columns. */
export const bubble = ({ title, text, buttons }: Bubble, columns = 80): string => {
  const inner = Math.max(8, Math.min(widest, columns - 4));
  const bar = (left: string, right: string) => `${left}${"─".repeat(inner + 2)}${right}\n`;
  const row = (line: string) => `│ ${aligned(line, inner)} │\n`;
  const body = (lines: string) => wrapped(lines, inner).map(row).join("");
  return [
    bar("╭", "╮"),
    body(title),
    bar("├", "┤"),
    body(text),
    ...buttons.flatMap((label) => [bar("├", "┤"), row(centred(sanitize(label), inner))]),
    bar("╰", "╯"),
  ].join("");
};

const centred = (text: string, columns: number): string =>
  " ".repeat(Math.max(0, Math.floor((columns - displayWidth(text)) / 2))) + text;

/** The text cut into lines of so many columns; its own line breaks stay. */
const wrapped = (text: string, columns: number): string[] =>
  text.split(/\r?\n/).flatMap((line) => {
    const lines = [""];
    for (const { segment } of new Intl.Segmenter().segment(sanitize(line.normalize("NFC")))) {
      const last = lines.at(-1) ?? "";
      if (displayWidth(last + segment) <= columns) lines[lines.length - 1] = last + segment;
      else lines.push(segment.trimStart());
    }
    return lines;
  });
