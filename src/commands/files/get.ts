import { command } from "../../cli/command.ts";
import { id } from "../../contract/fields.ts";
import { getFile, type StoredFile } from "../../contract/storage.ts";
import { fileColumns } from "./list.ts";

const usedBy = ({ references }: StoredFile): string =>
  references.map(({ category, handleKey }) => `${category} ${handleKey}`).join(", ");

export default command({
  endpoint: getFile,
  args: { fileId: id("the file") },
  columns: [
    ...fileColumns,
    { name: "usedBy", value: usedBy },
    "originalName",
    "link",
    "url",
    "dateUpdated",
  ],
  examples: [
    "msg files get ST01FZ260104090000000000016A1B2C --sandbox",
    "msg files get <fileId> --json --fields references,url",
  ],
});
