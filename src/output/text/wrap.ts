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
 * A sentence for a terminal of so many columns; `cost      38 won …` goes on below its words. A command
 * in it is not broken, so that it can be copied.
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
  const words: string[] = [];
  let command: string[] = [];
  for (const word of text.split(" ")) {
    if (command.length > 0 ? isOfCommand(command, word) : word === "msg") command.push(word);
    else {
      words.push(...(command.length > 0 ? [command.join(" ")] : []));
      command = word === "msg" ? [word] : [];
      if (word !== "msg") words.push(word);
    }
  }
  return command.length > 0 ? [...words, command.join(" ")] : words;
};

/** Nouns and verb, flags with their values, ids, files: a word of prose too many is only broken before. */
const isOfCommand = (command: readonly string[], word: string): boolean => {
  const last = command.at(-1) ?? "";
  if (/[;:,)]$/.test(last)) return false;
  const own = command.filter(
    (it, at) => it !== "--sandbox" && it !== "-p" && command[at - 1] !== "-p",
  );
  const isNamed = own.length < 4 && !own.some((it) => it.startsWith("-"));
  return isNamed || last.startsWith("-") || /^[-<@"'~…]|[\d/]|^last\b/.test(word);
};
