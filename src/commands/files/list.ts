import { command } from "../../cli/command.ts";
import { listFiles, type StoredFile } from "../../contract/storage.ts";
import type { Column } from "../../output/view.ts";

/** Width and height of a picture: `640×480`. */
const dimensions = ({ width, height }: StoredFile): string =>
  width === null || height === null ? "" : `${width}×${height}`;

/** What a list and a card show of a file. */
export const fileColumns: readonly Column<StoredFile>[] = [
  "fileId",
  "type",
  "name",
  { name: "size", value: (row) => row.fileSize },
  { name: "dimensions", value: dimensions },
  { name: "providerA", value: (row) => (row.kakao.providerA ? "yes" : "") },
  { name: "providerB", value: (row) => (row.kakao.providerB ? "yes" : "") },
  { name: "references", value: (row) => row.references.length },
  "dateCreated",
];

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
