/**
 * The objects that most lists of JSON are made of, read the quick way: the same names in the same order,
 * each with a text that needs no escape or with a whole number. The first such object makes a pattern;
 * those like it are read by it, and only those: what JSON.parse would not read as the pattern does is
 * left to it (json-value.ts).
 */

/** How such objects are laid out. */
export interface Layout {
  readonly names: readonly string[];
  /** Which of the members are numbers; all others are texts. */
  readonly numbers: readonly boolean[];
}

/** An object that was read the quick way: its members as text, in the order of the names. */
export interface LaidOut {
  readonly layout: Layout;
  readonly cells: readonly string[];
  /** The index behind it. */
  readonly end: number;
}

interface Known {
  readonly layout: Layout;
  readonly pattern: RegExp;
}

/** Lists with more kinds of objects than this are read the slow way, but for these kinds. */
const mostKnown = 4;

const text = '"([^"\\\\\\u0000-\\u001f]*)"';
/** Written as JavaScript writes them, and small enough to be kept exactly. */
const wholeNumber = "(0|-?[1-9]\\d{0,14})";

/** The layouts that a source was found to have. */
export class Layouts {
  readonly #blank: string;
  readonly #close: string;
  readonly #known: Known[] = [];

  /** Patterns: of the blanks that may stand inside an object, and of what has to follow it. */
  constructor(blank: string, close: string) {
    this.#blank = blank;
    this.#close = close;
  }

  /** The object at this index; undefined where it is none of those that are known. */
  read(source: string, at: number): LaidOut | undefined {
    for (const { layout, pattern } of this.#known) {
      pattern.lastIndex = at;
      const found = pattern.exec(source);
      if (!found) continue;
      const cells: string[] = [];
      for (let group = 1; group < found.length; group += 1) cells.push(found[group] ?? "");
      return { layout, cells, end: pattern.lastIndex };
    }
    return undefined;
  }

  /** Takes in the layout of a value that was read the slow way, where it has one. */
  learn(value: unknown): void {
    if (this.#known.length >= mostKnown) return;
    const layout = layoutOf(value);
    if (layout && !this.#known.some((it) => isSame(it.layout, layout)))
      this.#known.push({ layout, pattern: this.#patternOf(layout) });
  }

  #patternOf({ names, numbers }: Layout): RegExp {
    const blank = this.#blank;
    const members = names.map((name, at) => {
      const value = numbers[at] ? wholeNumber : text;
      return `"${name.replaceAll(special, "\\$&")}"${blank}:${blank}${value}${blank}`;
    });
    return new RegExp(`\\{${blank}${members.join(`,${blank}`)}\\}${this.#close}`, "y");
  }
}

const special = /[\\^$.*+?()[\]{}|/-]/g;

/** The value of an object that was read the quick way. */
export const valueOfCells = ({ names, numbers }: Layout, cells: readonly string[]): unknown =>
  Object.fromEntries(
    names.map((name, at) => [name, numbers[at] ? Number(cells[at]) : (cells[at] ?? "")]),
  );

const layoutOf = (value: unknown): Layout | undefined => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const members = Object.entries(value);
  const isPlain = members.every(([name, it]) => isPlainName(name) && isPlainValue(it));
  if (members.length === 0 || !isPlain) return undefined;
  return {
    names: members.map(([name]) => name),
    numbers: members.map(([, it]) => typeof it === "number"),
  };
};

const longestName = 100;
const isPlainName = (name: string): boolean =>
  name.length <= longestName && JSON.stringify(name) === `"${name}"`;
const isPlainValue = (value: unknown): boolean =>
  typeof value === "string" || Number.isSafeInteger(value);

const isSame = (one: Layout, other: Layout): boolean =>
  one.names.length === other.names.length &&
  one.names.every((name, at) => name === other.names[at] && one.numbers[at] === other.numbers[at]);
