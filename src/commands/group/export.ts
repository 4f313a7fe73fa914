import { command } from "../../cli/command.ts";
import { download, downloadColumns } from "../../cli/save-document.ts";
import { file, flag } from "../../contract/fields.ts";
import { exportGroups } from "../../contract/groups.ts";

export default command({
  endpoint: exportGroups,
  args: { file: file("the spreadsheet to write, .xlsx") },
  flags: { force: flag("replace the file when it is there") },
  columns: downloadColumns,
  examples: [
    "msg group export groups.xlsx --sandbox",
    "msg group export groups.xlsx --since 30d --force",
    "msg group export failed.xlsx --criteria status --cond eq --value FAILED",
  ],
  run: (ctx, input, { args, flags }) =>
    download(args.file, flags, async () => (await ctx.session.client()).call(exportGroups, input)),
});
