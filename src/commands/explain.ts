import { tool } from "../cli/command.ts";
import { required, text } from "../contract/fields.ts";
import { MsgError } from "../errors.ts";
import { t } from "../locale/locale.ts";
import { type Explanation, explain, similarCodes } from "../message/explain.ts";

const todoFor = (code: string): string =>
  /^\d{4}$/.test(code)
    ? t`a message with an unpublished code has failed; ask the service what the code means`
    : t`status codes have four digits; error codes are words such as NotEnoughBalance`;

export default tool({
  args: { code: required(text("status code of a message, or error code of the service")) },
  columns: [
    "code",
    "meaning",
    { name: "charged", value: ({ charged }: Explanation) => charged ?? "unknown" },
    "todo",
  ],
  examples: ["msg explain 1062", "msg explain NotEnoughBalance", "msg explain 3041 --json"],
  run: async (_ctx, { args }) => {
    const record = explain(args.code);
    if (record) return { record };
    const near = similarCodes(args.code);
    throw new MsgError("missing", t`"${args.code}" is not a published code`, {
      todo: near.length > 0 ? t`did you mean ${near.join(", ")}?` : todoFor(args.code),
    });
  },
});
