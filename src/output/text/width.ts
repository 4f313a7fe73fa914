/** The terminal columns that a text takes; cutting, padding and wrapping to a width. */
import stringWidth from "fast-string-width";

/** Columns taken by one line of safe text; Hangul and emoji take two. */
export const displayWidth = (text: string): number => stringWidth(text);

/** A text of exactly `columns` columns: cut with `…` if it is longer, else padded. */
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
  // A column holds at most 16 UTF-16 units of safe text: the rest of a long text is ignored.
  for (const { segment } of new Intl.Segmenter().segment(text.slice(0, columns * 16))) {
    taken += displayWidth(segment);
    if (taken > columns - 1) break;
    kept.push(segment);
  }
  while (displayWidth(`${kept.join("")}…`) > columns) kept.pop();
  return `${kept.join("")}…`;
};

/** Words in lines of at most this many columns; a longer one has a line of its own. */
export const wrapWords = (
  words: string | readonly string[],
  columns: number,
  gap = " ",
): string[] => {
  const lines: string[] = [];
  for (const word of typeof words === "string" ? words.split(" ") : words) {
    const last = lines.at(-1);
    const longer = last + gap + word;
    if (last === undefined || displayWidth(longer) > columns) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
};

/**
 * A sentence for a terminal of this many columns; `cost 38 won …` continues below its words. A command in
 * it is not broken, so that it can be copied.
 */
export const wrapSentence = (text: string, columns: number | undefined): string => {
  if (columns === undefined || displayWidth(text) <= columns) return text;
  const label = /^\S.{0,12}? {2,}(?=\S)/.exec(text)?.[0] ?? "";
  const margin = displayWidth(label);
  const [first = "", ...more] = wrapWords(
    withCommandsWhole(text.slice(label.length)),
    columns - margin,
  );
  return [label + first, ...more.map((it) => " ".repeat(margin) + it)].join("\n");
};

/** The words of a sentence, each command among them as one. */
const withCommandsWhole = (text: string): string[] => {
  const parts: string[][] = [];
  for (const word of text.split(" ")) {
    const last = parts.at(-1);
    if (last?.[0] === "msg" && isOfCommand(last, word)) last.push(word);
    else parts.push([word]);
  }
  return parts.map((it) => it.join(" "));
};

/** Nouns and verb, flags with their values, ids, files: one prose word too many only moves the line break. */
const isOfCommand = (command: readonly string[], word: string): boolean => {
  const last = command.at(-1) ?? "";
  // A line break within quotes would be part of the value.
  if (/ '[^']*$/.test(command.join(" ").replaceAll("'\\''", ""))) return true;
  if (/[;:,)]$/.test(last)) return false;
  const own = command.filter(
    (it, at) => it !== "--sandbox" && it !== "-p" && command[at - 1] !== "-p",
  );
  const isNamed = own.length < 4 && !own.some((it) => it.startsWith("-"));
  return isNamed || last.startsWith("-") || /^[-<@"'~…]|[\d/]|^last\b/.test(word);
};
