import { basename } from "node:path";
import { command } from "../../cli/command.ts";
import { file } from "../../contract/fields.ts";
import { uploadFile } from "../../contract/storage.ts";
import { readFileFor } from "../../send/messages/picture.ts";

export default command({
  endpoint: uploadFile,
  args: { path: file("the file, or - for standard input") },
  hiddenMembers: ["file"],
  columns: [
    "fileId",
    "type",
    "name",
    { name: "size", value: (row) => row.fileSize },
    "width",
    "height",
    "link",
    "url",
  ],
  examples: [
    "msg files upload photo.jpg --type MMS --sandbox",
    "msg files upload banner.png --type KAKAO --link https://example.com",
    'msg send --to 01000000001 --text Look --image "$(msg files upload photo.jpg --type MMS -q)"',
    "msg files upload paper.pdf -n",
  ],
  input: async (ctx, { args }, { body: given }) => {
    const { type = "DOCUMENT", link } = given;
    const bytes = await readFileFor(ctx, type, args.path);
    const name = given.name ?? (args.path === "-" ? undefined : basename(args.path));
    const body = { file: Buffer.from(bytes).toString("base64"), type, name, link };
    return { body };
  },
});
