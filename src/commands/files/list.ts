import { listFiles } from "../../contract/storage.ts";
import { command } from "../command.ts";
import { fileColumns } from "./columns.ts";

export default command({
  endpoint: listFiles,
  columns: fileColumns,
  examples: [
    "msg files list --sandbox",
    "msg files list --type MMS --date-created gte:2026-01-01",
    "msg files list --use-provider-a --all --json",
    "msg files list --category SENDERID_APPROVAL",
  ],
});
