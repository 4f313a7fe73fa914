/** HTML, SVG and XML from templates: every value is escaped, except markup. */
import { currentLanguage } from "../locale/locale.ts";

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

/** A whole page in the language of this process; `head` is what it loads. */
export const htmlDocument = (title: string, head: Html, body: Html): Html => html`<!doctype html>
<html lang="${currentLanguage()}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
${head}
</head>
<body>
${body}
</body>
</html>
`;

const shown = (value: unknown): string => {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(shown).join("");
  return String(value ?? "").replaceAll(/[&<>"']/g, (it) => `&#${it.charCodeAt(0)};`);
};
