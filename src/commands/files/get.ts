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
    "msg files get <fileId> --sandbox",
    "msg files get <fileId> --json --fields references,url",
  ],
});
