/** Text in lines that the terminal has room for, broken between words. */
import { displayWidth } from "./width.ts";

/** Words in lines of at most so many columns; one that is longer has a line of its own. */
export const wrapWords = (words: string | readonly string[], columns: number): string[] => {
  const lines: string[] = [];
  for (const word of typeof words === "string" ? words.split(" ") : words) {
    const last = lines.at(-1);
    const longer = `${last} ${word}`;
    if (last === undefined || displayWidth(longer) > columns) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
};

/**
 * A sentence for a terminal of so many columns; `cost      38 won …` goes on below its words. One with a
 * command stays whole, so that it can be copied.
 */
export const wrapSentence = (text: string, columns: number | undefined): string => {
  if (columns === undefined || displayWidth(text) <= columns || text.includes("msg ")) return text;
  const label = /^\S.{0,12}? {2,}(?=\S)/.exec(text)?.[0] ?? "";
  const indent = displayWidth(label);
  const [first = "", ...more] = wrapWords(text.slice(label.length), columns - indent);
  return [label + first, ...more.map((it) => " ".repeat(indent) + it)].join("\n");
};
