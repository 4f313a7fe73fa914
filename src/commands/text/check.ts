import * as v from "valibot";
import { tool } from "../../cli/command.ts";
import type { Context } from "../../cli/context.ts";
import { readText, trimLineBreak } from "../../cli/parse/read-text.ts";
import { file, flag, pairs, text } from "../../contract/fields.ts";
import { messageTypes } from "../../contract/message-records.ts";
import { MsgError, usageError } from "../../errors.ts";
import { type Examined, examine, outsideCode } from "../../message/examine.ts";
import { template } from "../../message/variables.ts";
import type { Result } from "../../output/view.ts";
import { findWorstRow, type WorstRow } from "../../send/messages/worst-row.ts";
import { readRows } from "../../send/sources/rows.ts";

const columns = [
  { name: "characters", value: (row: Examined) => row.characters },
  { name: "bytes", value: (row: Examined) => row.bytes },
  { name: "type", value: (row: Examined) => row.type },
  { name: "priceClass", value: (row: Examined) => row.type.toLowerCase() },
  { name: "subjectBytes", value: (row: Examined) => row.subjectBytes },
  {
    name: "problems",
    value: (row: Examined) => row.problems.map((it) => `${it.code} ${it.text}`).join("; "),
  },
] as const;

const rowColumn = { name: "row", value: ({ row }: Examined & { readonly row: number }) => row };

export default tool({
  args: { text: v.optional(text("the text; @file reads it from a file, - from standard input")) },
  flags: {
    type: text("SMS, LMS, MMS, ATA, CTA, CTI …; found from the content when left out", {
      offers: messageTypes,
    }),
    subject: text("title of an LMS or MMS, up to 40 bytes"),
    ad: flag("an advertising text: asks for (광고) and a free 080 number"),
    strict: flag("as a strict call would: characters outside the completed set are refused"),
    var: pairs("value of a #{variable}; a row's own value wins"),
    csv: file("a CSV, TSV or JSONL whose rows fill the text: shows the worst of them"),
  },
  columns,
  fields: ["characters", "bytes", "type", "subjectBytes", "problems", "row"],
  examples: [
    'msg text check "안녕하세요"',
    "msg text check @notice.txt --subject 공지 --ad",
    'msg text check "#{name}님, 안녕하세요" --csv customers.csv',
    'echo "똠방각하" | msg text check - --strict --json',
  ],
  run: async (ctx, { args, flags }) => {
    const typed = args.text ?? (await piped(ctx, flags.csv));
    const drawn: WorstRow = {
      text: typed,
      subject: flags.subject,
      type: flags.type?.toUpperCase(),
      values: flags.var ?? {},
      isAdvertising: flags.ad ?? false,
    };
    if (flags.csv === undefined) return resultOf(examineOne(drawn), flags.strict ?? false);
    const rows = readRows(ctx.io.read(flags.csv), { name: flags.csv });
    const worst = await findWorstRow(rows, drawn, flags.strict ?? false);
    return { ...resultOf(worst, flags.strict ?? false), columns: [rowColumn, ...columns] };
  },
});

/** Left out, the text is standard input when something is piped there. */
const piped = async (ctx: Context, csv: string | undefined): Promise<string | undefined> => {
  if (csv !== undefined) return undefined;
  if (ctx.io.stdinIsTTY) {
    throw usageError("msg text check needs a text", {
      code: "MissingValue",
      todo: "give it as a word, as @file, or pipe it in",
    });
  }
  return trimLineBreak(await readText(ctx, "-"));
};

const examineOne = ({
  text: typed = "",
  subject,
  type,
  values,
  isAdvertising,
}: WorstRow): Examined => {
  const filled = template(typed).fill(values);
  const examined = examine({ text: filled.text, subject, type }, isAdvertising);
  const unfilled = filled.unfilled.map((name) => ({
    code: "UnfilledVariable",
    at: null,
    character: null,
    text: `#{${name}} has no value; give one with --var ${name}=…`,
  }));
  return { ...examined, problems: [...unfilled, ...examined.problems] };
};

/** Exit 2 where the service would refuse it; what passes unless strict is only noted. */
const resultOf = (record: Examined, strict: boolean): Result & { readonly record: unknown } => {
  const wrong = record.problems.filter((it) => strict || it.code !== outsideCode);
  const [first] = wrong;
  if (first === undefined) return { record };
  const ending = new MsgError("usage", `this text cannot be sent so: ${first.text}`, {
    code: first.code,
    where: "row" in record ? `row ${record.row}` : undefined,
    todo: /^\d{4}$/.test(first.code)
      ? `msg explain ${first.code} says more`
      : "change the text, or what fills it",
  });
  return { record, ending };
};
