import { command } from "../../cli/command.ts";
import { id } from "../../contract/fields.ts";
import { deleteFile } from "../../contract/storage.ts";
import { t } from "../../locale/locale.ts";
import { fileColumns } from "./list.ts";

export default command({
  endpoint: deleteFile,
  args: { fileId: id("the file") },
  confirm: (_ctx, { params }) => ({ question: t`Delete the file ${params.fileId}?` }),
  columns: fileColumns,
  examples: [
    "msg files delete <fileId> --sandbox",
    "msg files delete <fileId> -y -q",
    "msg files delete <fileId> -n",
  ],
});
