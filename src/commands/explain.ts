import { tool } from "../cli/command.ts";
import { required, text } from "../contract/fields.ts";
import { MsgError } from "../errors.ts";
import { type Explanation, explain, similarCodes } from "../message/explain.ts";

const todoFor = (code: string): string =>
  /^\d{4}$/.test(code)
    ? "a message with a code that is not published has failed: ask the service what it means"
    : "status codes have four digits, error codes are words such as NotEnoughBalance";

export default tool({
  args: { code: required(text("a status code of a message, or an error code of the service")) },
  columns: [
    { name: "code", value: (row: Explanation) => row.code },
    { name: "meaning", value: (row: Explanation) => row.meaning },
    { name: "charged", value: (row: Explanation) => row.charged ?? "not known" },
    { name: "todo", value: (row: Explanation) => row.todo },
  ],
  fields: [],
  examples: ["msg explain 1062", "msg explain NotEnoughBalance", "msg explain 3041 --json"],
  run: async (_ctx, { args }) => {
    const record = explain(args.code);
    if (record) return { record };
    const near = similarCodes(args.code);
    throw new MsgError("missing", `"${args.code}" is not a published code`, {
      todo: near.length > 0 ? `did you mean ${near.join(", ")}?` : todoFor(args.code),
    });
  },
});
