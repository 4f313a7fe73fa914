import { command } from "../../cli/command.ts";
import { download, downloadColumns } from "../../cli/save-document.ts";
import { file, flag } from "../../contract/fields.ts";
import { downloadStatistics } from "../../contract/statistics.ts";

export default command({
  endpoint: downloadStatistics,
  args: { file: file("the spreadsheet to write, .xlsx") },
  flags: { force: flag("replace the file when it is there") },
  columns: downloadColumns,
  examples: [
    "msg stats download january.xlsx --since 2026-01-01 --until 2026-01-31",
    "msg stats download statistics.xlsx --sandbox --force",
  ],
  run: (ctx, input, { args, flags }) =>
    download(args.file, flags, async () =>
      (await ctx.session.client()).call(downloadStatistics, input),
    ),
});
