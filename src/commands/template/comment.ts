import * as v from "valibot";
import { command } from "../../cli/command.ts";
import type { Context } from "../../cli/context.ts";
import { id, text } from "../../contract/fields.ts";
import { commentTemplate } from "../../contract/kakao.ts";
import { usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { formatFigure } from "../../message/price.ts";
import { isJson } from "../../output/fields.ts";
import { commentColumns, commentRows } from "./list.ts";

export default command({
  endpoint: commentTemplate,
  args: {
    templateId: id("the template"),
    comment: v.optional(text("message to the reviewers; default: standard input")),
  },
  columns: ["templateId", "name"],
  examples: [
    'msg template comment <templateId> "The sender is a hospital."',
    "msg template comment <templateId> @reason.txt",
    'echo "please look again" | msg template comment <templateId>',
  ],
  input: async (ctx, { args }) => {
    const comment = args.comment ?? (await askOrRead(ctx));
    if (comment === "" || comment.length > 1000)
      throw usageError(
        t`the comment has ${formatFigure(comment.length)} characters; 1 to 1,000 are allowed`,
      );
    return { params: { templateId: args.templateId }, body: { comment } };
  },
  // A person wants the thread; JSON is the whole record.
  run: async (ctx, _input, _given, defaultRun) => {
    const { record } = await defaultRun();
    if (ctx.view.quiet || isJson(ctx.view)) return { record };
    return { rows: commentRows(record), columns: commentColumns };
  },
});

const askOrRead = async (ctx: Context): Promise<string> => {
  if (ctx.ask) return ctx.ask.text(t`message to the reviewers:`);
  if (ctx.io.stdinIsTTY)
    throw usageError(t`the comment is missing`, {
      todo: t`give it after the id, or on standard input`,
    });
  return (await ctx.io.text("-")).trim();
};
