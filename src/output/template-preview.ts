/** Previews a template before it is written: as a phone shows it, and how a change affects its text. */

import type { Template } from "../contract/kakao.ts";
import { t } from "../locale/locale.ts";
import { fillTemplate } from "../message/kakao-template.ts";
import type { Out } from "./out.ts";
import { sanitize } from "./text/safe.ts";
import { aligned, displayWidth } from "./text/width.ts";
import type { View } from "./view.ts";

/** The terminal of a person. */
interface Viewer {
  readonly io: { readonly err: Out };
  readonly view: View;
  readonly note: (line: string) => Promise<void>;
}

/** Draws the bubble on a terminal; lists the variables on any standard error. */
export const showTemplate = async (
  ctx: Viewer,
  template: Pick<Template, "name" | "content" | "buttons">,
  values?: Readonly<Record<string, string>>,
): Promise<void> => {
  const { text, buttons, missing, unused } = fillTemplate(template, values ?? {});
  const { err } = ctx.io;
  const labels = buttons.map(({ buttonName }) => buttonName);
  if (err.isTTY && !ctx.view.quiet)
    await err.write(bubble({ title: template.name, text, buttons: labels }, err.columns));
  const named = (names: readonly string[]) => names.map((name) => `#{${name}}`).join(", ");
  if (missing.length > 0)
    await ctx.note(
      values ? t`without a value: ${named(missing)}` : t`variables: ${named(missing)}`,
    );
  if (unused.length > 0) await ctx.note(t`not in the template: ${named(unused)}`);
};

export interface Bubble {
  readonly title: string;
  readonly text: string;
  readonly buttons: readonly string[];
}

/** Columns inside the frame; a phone shows about this many. */
const widest = 34;

/** The lines of a bubble that fits into this many columns. */
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

/** The text cut into lines of this many columns; its own line breaks stay. */
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

/** Leaves out the lines that both share at the beginning and the end; equal texts have no lines. */
export const changes = (before: string, after: string): string[] => {
  const [old, now] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start += 1;
  let end = 0;
  const max = Math.min(old.length, now.length) - start;
  while (end < max && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const changed = (lines: readonly string[], mark: string) =>
    lines.slice(start, lines.length - end).map((line) => `${mark} ${sanitize(line)}`);
  return [...changed(old, "-"), ...changed(now, "+")];
};

const linesOf = (text: string): string[] => (text === "" ? [] : text.split(/\r?\n/));
