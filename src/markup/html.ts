/** HTML, SVG and XML from templates: every value is escaped, except markup. */

/** Text that may appear in a page as it is. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A template whose values are escaped; lists are joined, nested templates stay as they are. */
export const html = (parts: TemplateStringsArray, ...values: readonly unknown[]): Html =>
  new Html(parts.map((part, at) => part + (at < values.length ? shown(values[at]) : "")).join(""));

const shown = (value: unknown): string => {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(shown).join("");
  return String(value ?? "").replaceAll(/[&<>"']/g, (it) => `&#${it.charCodeAt(0)};`);
};
