import * as v from "valibot";
import { tool } from "../../cli/command.ts";
import type { Context } from "../../cli/context.ts";
import { trimLineBreak } from "../../cli/parse/input.ts";
import { file, flag, pairs, text } from "../../contract/fields.ts";
import { messageTypes } from "../../contract/message-records.ts";
import { MsgError, usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { type Examined, outsideCode } from "../../message/examine.ts";
import { bareVariables } from "../../message/kakao-template.ts";
import type { Result } from "../../output/view.ts";
import { examineFilled, findWorstRow, type SharedText } from "../../send/messages/worst-row.ts";
import { readRows } from "../../send/sources/rows.ts";

const columns = [
  "characters",
  "bytes",
  "type",
  { name: "priceClass", value: (row: Examined) => row.type.toLowerCase() },
  "subjectBytes",
  {
    name: "problems",
    value: (row: Examined) => row.problems.map((it) => `${it.code} ${it.text}`).join("; "),
  },
] as const;

export default tool({
  args: { text: v.optional(text("the text, @file for a file, or - for standard input")) },
  flags: {
    type: text("SMS, LMS, MMS, ATA, CTA, CTI …; default: detected", {
      offers: messageTypes,
    }),
    subject: text("title of an LMS or MMS, up to 40 bytes"),
    ad: flag("advertising text: requires (광고) and a free 080 number"),
    strict: flag("refuse characters outside KS X 1001 (완성형), as a strict call does"),
    var: pairs("value of a #{variable}; the value of a row overrides it"),
    csv: file("CSV, TSV or JSONL file whose rows fill the text; shows the worst row"),
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
    const { csv, strict = false } = flags;
    const typed = args.text ?? (csv === undefined ? await readPiped(ctx) : undefined);
    const shared: SharedText = {
      text: typed,
      subject: flags.subject,
      type: flags.type?.toUpperCase(),
      values: bareVariables(flags.var ?? {}),
      isAdvertising: flags.ad ?? false,
    };
    if (csv === undefined) return resultOf(examineFilled(shared, describeUnfilled), strict);
    const rows = readRows(ctx.io.read(csv), { name: csv });
    const worst = await findWorstRow(rows, shared, strict);
    return { ...resultOf(worst, strict), columns: ["row", ...columns] };
  },
});

/** If omitted, the text is standard input when something is piped there. */
const readPiped = async (ctx: Context): Promise<string> => {
  if (ctx.io.stdinIsTTY)
    throw usageError(t`msg text check needs a text`, {
      code: "MissingValue",
      todo: t`give it as an argument, as @file, or on standard input`,
    });
  return trimLineBreak(await ctx.io.text("-"));
};

const describeUnfilled = (name: string): string =>
  t`${`#{${name}}`} has no value; give one with --var ${name}=…`;

/** Exit 2 if the service would refuse it; a problem only under strict is just noted. */
const resultOf = (record: Examined, strict: boolean): Result & { readonly record: unknown } => {
  const wrong = record.problems.filter((it) => strict || it.code !== outsideCode);
  const [first] = wrong;
  if (first === undefined) return { record };
  const ending = new MsgError("usage", t`the service would refuse this text: ${first.text}`, {
    code: first.code,
    where: "row" in record ? t`row ${String(record.row)}` : undefined,
    todo: /^\d{4}$/.test(first.code)
      ? t`details: msg explain ${first.code}`
      : t`change the text or its values`,
  });
  return { record, ending };
};
