import { id } from "../../contract/fields.ts";
import { deleteFile } from "../../contract/storage.ts";
import { command } from "../command.ts";
import { fileColumns } from "./columns.ts";

export default command({
  endpoint: deleteFile,
  args: { fileId: id("the file") },
  confirm: ({ params }) => ({ question: `Delete the file ${params.fileId}?` }),
  columns: fileColumns,
  examples: [
    "msg files delete ST01FZ260104090000000000016A1B2C --sandbox",
    "msg files delete <fileId> -y -q",
    "msg files delete <fileId> -n",
  ],
});
