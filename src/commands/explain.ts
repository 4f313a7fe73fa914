import { tool } from "../cli/command.ts";
import { required, text } from "../contract/fields.ts";
import { MsgError } from "../errors.ts";
import { t } from "../locale/locale.ts";
import { type Explanation, explain, similarCodes } from "../message/explain.ts";
import type { View } from "../output/view.ts";

const todoFor = (code: string): string =>
  /^\d{4}$/.test(code)
    ? t`a message with an unpublished code has failed; ask the service what the code means`
    : t`status codes have four digits; error codes are words such as NotEnoughBalance`;

/** A screen says it in words of its language, a program reads the same in each. */
const columnsIn = ({ format }: Pick<View, "format">) => [
  { name: "code", value: (row: Explanation) => row.code },
  { name: "meaning", value: (row: Explanation) => row.meaning },
  {
    name: "charged",
    value: ({ charged }: Explanation) => charged ?? (format === "table" ? t`unknown` : "unknown"),
  },
  { name: "todo", value: (row: Explanation) => row.todo },
];

export default tool({
  args: { code: required(text("status code of a message, or error code of the service")) },
  columns: columnsIn({ format: "tsv" }),
  fields: [],
  examples: ["msg explain 1062", "msg explain NotEnoughBalance", "msg explain 3041 --json"],
  run: async ({ view }, { args }) => {
    const record = explain(args.code);
    if (record)
      return view.fields === undefined ? { record, columns: columnsIn(view) } : { record };
    const near = similarCodes(args.code);
    throw new MsgError("missing", t`"${args.code}" is not a published code`, {
      todo: near.length > 0 ? t`did you mean ${near.join(", ")}?` : todoFor(args.code),
    });
  },
});
