import * as v from "valibot";
import { type Messages, toMessages } from "../bulk/messages.ts";
import { readRows } from "../bulk/rows.ts";
import { encodings, formats } from "../bulk/sniff.ts";
import type { Context } from "../context.ts";
import { choice, file, flag, number, pairs } from "../contract/fields.ts";
import { listMessages, sendMany } from "../contract/messages.ts";
import { getPrice } from "../contract/pricing.ts";
import { MsgError, usage } from "../errors.ts";
import { tool } from "./command.ts";
import {
  type MessageFlags,
  messageDefaults,
  messageFlags,
  sendAll,
  summaryColumns,
} from "./sending.ts";

const sourceFlags = {
  format: choice(formats, "format of the source; found by its content when left out"),
  encoding: choice(encodings, "encoding of the source; found by its content when left out"),
  map: pairs("which column is what: --map to=phone --map name=customer"),
  csvHeader: flag("--no-csv-header: the first line is a row already"),
  fixLeadingZero: flag("put back the zero that a spreadsheet took from Korean numbers"),
  var: pairs("value of a #{variable} for every row; a row's own value wins"),
  dedupe: choice(["to", "to+text", "off"], "which later rows are skipped; 'to' when left out"),
  onInvalid: choice(["stop", "skip"], "what a wrong row does; 'stop' when left out"),
  maxRecipients: number("stop before sending when there are more recipients"),
} as const;

type Flags = MessageFlags & {
  readonly [K in keyof typeof sourceFlags]?: v.InferOutput<(typeof sourceFlags)[K]> | undefined;
};

export default tool({
  also: [sendMany, listMessages, getPrice],
  writes: true,
  args: { file: v.optional(file("a file, or - for standard input")) },
  flags: { ...sourceFlags, ...messageFlags },
  columns: summaryColumns,
  examples: [
    'msg send-many customers.csv --from 0200000000 --text "#{name}님, 안녕하세요" --sandbox',
    "msg send-many customers.csv --map to=휴대폰 --text @notice.txt -n",
    `echo '[{"to":"01000000001","text":"a"}]' | msg send-many - --from 0200000000 --json`,
    "msg send-many messages.jsonl --max-cost 50000 --on-invalid skip",
  ],
  run: async (ctx, { args, flags }) => {
    const found = await collect(ctx, sourceOf(ctx, args.file), flags);
    if (found.problems.length > 0 && flags.onInvalid !== "skip") throw refused(found);
    for (const problem of found.problems)
      await ctx.note(`row ${problem.row ?? "?"} is skipped: ${problem.text} (${problem.code})`);
    for (const { row, to, reason } of found.skipped)
      await ctx.note(
        `row ${row} is skipped: ${to} is ${reason === "duplicate" ? "a duplicate" : "excluded"}`,
      );
    const messages = found.messages.map((it) => it.message);
    const most = flags.maxRecipients ?? ctx.settings.maxRecipients.value;
    if (most !== undefined && messages.length > most)
      throw new MsgError(
        "stopped",
        `${messages.length} recipients are more than the ${most} allowed`,
        {
          code: "TooManyRecipients",
          todo: "nothing was sent; raise --max-recipients or send less",
        },
      );
    if (messages.length === 0) throw usage("there is no row left to send", { code: "NoRows" });
    const skipped = found.total - new Set(found.messages.map((it) => it.row)).size;
    return sendAll(ctx, messages, flags, skipped);
  },
});

/** Left out, it is standard input when something is piped there. */
const sourceOf = (ctx: Context, file: string | undefined): string => {
  if (file !== undefined) return file;
  if (!ctx.stdinIsTTY) return "-";
  throw usage("msg send-many needs a source", {
    code: "MissingValue",
    todo: "name a file, or pipe rows into it",
  });
};

const collect = (ctx: Context, source: string, flags: Flags): Promise<Messages> => {
  const name = source === "-" ? "standard input" : source;
  const { format, encoding } = flags;
  const rows = readRows(ctx.read(source), { name, format, encoding, header: flags.csvHeader });
  return toMessages(rows, {
    name,
    defaults: messageDefaults(ctx, flags),
    variables: flags.var,
    map: flags.map,
    header: flags.csvHeader,
    fixLeadingZero: flags.fixLeadingZero,
    strict: flags.strict,
    dedupe: flags.dedupe,
  });
};

const refused = ({ problems, total }: Messages): Error => {
  const rows = new Set(problems.map((it) => it.row)).size;
  return usage(`${rows} of ${total} rows cannot be sent`, {
    code: "InvalidRows",
    todo: "nothing was sent; mend the rows, or leave them out with --on-invalid skip",
    details: problems,
  });
};
