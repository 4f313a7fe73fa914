import { command } from "../../cli/command.ts";
import { download, downloadColumns } from "../../cli/save-document.ts";
import { file, flag } from "../../contract/fields.ts";
import { exportMessages } from "../../contract/messages.ts";

export default command({
  endpoint: exportMessages,
  args: { file: file("the spreadsheet to write, .xlsx") },
  flags: { force: flag("replace the file when it is there") },
  columns: downloadColumns,
  examples: [
    "msg message export messages.xlsx --since 7d --sandbox",
    "msg message export failed.xlsx --criteria statusCode --cond ne --value 4000",
    "msg message export messages.xlsx --limit 50000 --force",
  ],
  run: (ctx, input, { args, flags }) =>
    download(args.file, flags, async () =>
      (await ctx.session.client()).call(exportMessages, input),
    ),
});
