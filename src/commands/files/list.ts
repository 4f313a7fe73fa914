import { command } from "../../cli/command.ts";
import { listFiles, type StoredFile } from "../../contract/storage.ts";
import { minor } from "../../output/columns.ts";
import type { Column } from "../../output/view.ts";

/** Width and height of a picture: `640×480`. */
const dimensions = ({ width, height }: StoredFile): string =>
  width === null || height === null ? "" : `${width}×${height}`;

/** Whether a provider has the picture, under any of the provider's names. */
const isAt = ({ kakao }: StoredFile, ...names: readonly string[]): string =>
  Object.entries(kakao).some(([name, address]) => address && names.includes(name)) ? "yes" : "";

export const fileColumns: readonly Column<StoredFile>[] = [
  "fileId",
  "type",
  "name",
  { name: "size", value: (row) => row.fileSize, isMinor: true },
  { name: "dimensions", value: dimensions, isMinor: true },
  // The service itself names them `daou` and `biztalk`; its documentation does not.
  { name: "providerA", value: (row) => isAt(row, "providerA", "daou") },
  { name: "providerB", value: (row) => isAt(row, "providerB", "biztalk") },
  { name: "references", value: (row) => row.references.length, isMinor: true },
  minor("dateCreated"),
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
