/** `#{name}` in a text: which names it asks for, and the text with values in their place. */

export interface Filled {
  readonly text: string;
  /** Names in the text without a given value, in order, each once. */
  readonly unfilled: readonly string[];
  /** Names whose value is blank: the text says "님, …" there. */
  readonly empty: readonly string[];
}

/** By the names of variables. */
type Values = Readonly<Record<string, string>>;

/** A text cut at its variables once, to be filled for many rows. */
export interface Template {
  /** The names, in order, each once. */
  readonly names: readonly string[];
  /** The text cut at its variables: every second part is a name. */
  readonly parts: readonly string[];
  /** One pass: a value that itself holds `#{…}` stays as it is. */
  readonly fill: (values: Values) => Filled;
}

/** Blanks after a name are cut off later: matching a long row of them here would take quadratic time. */
const variable = /#\{\s*(?![\s}])([^{}]+)\}/;

/** Cuts a text at its variables. Blanks around a name do not count; `#{}` is not a variable. */
export const template = (text: string): Template => {
  const parts = text.split(variable).map((part, at) => (at % 2 === 1 ? part.trimEnd() : part));
  const names = [...new Set(parts.filter((_, at) => at % 2 === 1))];
  if (names.length === 0) {
    const same: Filled = { text, unfilled: [], empty: [] };
    return { names, parts, fill: () => same };
  }
  return { names, parts, fill: (values) => fillParts(parts, names, values) };
};

const fillParts = (parts: readonly string[], names: readonly string[], values: Values): Filled => {
  const lacks = (name: string) => !Object.hasOwn(values, name);
  let text = parts[0] ?? "";
  for (let at = 1; at < parts.length; at += 2) {
    const name = parts[at] ?? "";
    text += (lacks(name) ? `#{${name}}` : (values[name] ?? "")) + (parts[at + 1] ?? "");
  }
  const isEmpty = (name: string) => !lacks(name) && values[name]?.trim() === "";
  return { text, unfilled: names.filter(lacks), empty: names.filter(isEmpty) };
};

/** A row's values over those of every row; a blank one does not replace another. */
export const mergeValues = (all: Values | undefined, own: Values): Values => {
  if (all === undefined) return own;
  const given = Object.entries(own).filter(
    ([name, value]) => value.trim() || !Object.hasOwn(all, name),
  );
  return { ...all, ...Object.fromEntries(given) };
};
