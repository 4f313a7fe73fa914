/** A template before it is written: as a phone shows it, with its variables named. */
import type { Template } from "../contract/kakao-templates.ts";
import { fillTemplate } from "../message/kakao-template.ts";
import { bubble } from "./formats/bubble.ts";
import type { Out } from "./out.ts";
import type { View } from "./view.ts";

/** Where a person looks on. */
interface Screen {
  readonly io: { readonly err: Out };
  readonly view: View;
  readonly note: (line: string) => Promise<void>;
}

type Parts = Pick<Template, "name" | "content" | "buttons">;

/** Draws the bubble where a person looks on, and names variables on every standard error. */
export const showTemplate = async (
  ctx: Screen,
  template: Parts,
  values?: Readonly<Record<string, string>>,
): Promise<void> => {
  const { text, buttons, missing, unused } = fillTemplate(template, values ?? {});
  if (ctx.io.err.isTTY && !ctx.view.quiet) {
    const labels = buttons.map(({ buttonName }) => buttonName);
    await ctx.io.err.write(
      bubble({ title: template.name, text, buttons: labels }, ctx.io.err.columns || 80),
    );
  }
  const named = (names: readonly string[]) => names.map((name) => `#{${name}}`).join(", ");
  if (values === undefined) {
    if (missing.length > 0) await ctx.note(`variables: ${named(missing)}`);
    return;
  }
  if (missing.length > 0) await ctx.note(`without a value: ${named(missing)}`);
  if (unused.length > 0) await ctx.note(`not in the template: ${named(unused)}`);
};
