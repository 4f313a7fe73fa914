/** Storage of pictures and documents. */
import * as v from "valibot";
import { t } from "../locale/locale.ts";
import { byKey, wholeNumber } from "./bounded.ts";
import { endpoint, endpointWith, get } from "./endpoint.ts";
import { bytes, choice, date, dated, flag, id, keys, operators, text } from "./fields.ts";
import { anyone, blank, storageRead, storageWrite } from "./needs.ts";

const read = endpointWith({ method: "GET", effect: "safe", needs: blank, alsoNeeds: storageRead });

/** What a file is for. */
export const fileTypes = [
  "DOCUMENT",
  "KAKAO",
  "MMS",
  "ATA",
  "KAKAO_HIGHLIGHT",
  "RCS",
  "FAX",
  "BMS",
  "BMS_WIDE",
  "BMS_WIDE_MAIN_ITEM_LIST",
  "BMS_WIDE_SUB_ITEM_LIST",
  "BMS_CAROUSEL_FEED_LIST",
  "BMS_CAROUSEL_COMMERCE_LIST",
] as const;
export type FileType = (typeof fileTypes)[number];

const file = v.object({
  kakao: v.object({ providerA: v.nullable(v.string()), providerB: v.nullable(v.string()) }),
  type: v.string(),
  originalName: v.string(),
  name: v.string(),
  link: v.nullable(v.string()),
  width: v.nullable(v.number()),
  height: v.nullable(v.number()),
  fileSize: v.nullable(v.number()),
  fileId: v.string(),
  accountId: v.string(),
  url: v.string(),
  references: v.array(
    v.object({ handleKey: v.string(), category: v.string(), refId: v.nullable(v.string()) }),
  ),
  ...dated,
});
export type StoredFile = v.InferOutput<typeof file>;

export const uploadFile = endpoint({
  does: "Upload a picture or a document",
  method: "POST",
  path: "/storage/v1/files",
  effect: "unsafe",
  checkWith: "msg files list",
  needs: storageWrite,
  body: v.object({
    file: text("the bytes in base64, without a prefix", { kind: "content" }),
    type: v.optional(choice(fileTypes, "what it is for; default: DOCUMENT")),
    name: v.optional(
      v.pipe(
        text("name to find it by, up to 100 characters; default: the file's own"),
        v.minLength(1, () => t`must not be empty`),
        v.maxLength(100, () => t`must have ${100} characters at most`),
      ),
    ),
    link: v.optional(
      v.pipe(
        text("address that a tap on the picture opens"),
        v.check(
          (value) => URL.canParse(value) && /^https?:/i.test(value),
          () => t`must be an address that begins with http:// or https://`,
        ),
      ),
    ),
  }),
  reply: file,
  proof: ["fileId"],
});

const maxFiles = 1000;

export const listFiles = read({
  does: "List files, newest first",
  path: "/storage/v1/files",
  page: { by: "key", items: "fileList", max: maxFiles },
  query: {
    fileId: id("only this file"),
    name: text("only files of this name"),
    url: text("only the file at this address"),
    originalName: text("only the file with this original name"),
    handleKey: id("only files that this record uses"),
    category: text("only files used for this: SENDERID_APPROVAL"),
    refId: id("only files used by this reference"),
    dateCreated: operators(date("when it was uploaded"), "eq", "gte", "lte"),
    dateUpdated: operators(date("when it was changed"), "eq", "gte", "lte"),
    type: choice(fileTypes, "only this type"),
    useProviderA: flag("only pictures that provider A has, or has not"),
    useProviderB: flag("only pictures that provider B has, or has not"),
    ...byKey,
    limit: wholeNumber("rows of a page, 1 to 1,000", { from: 1, until: maxFiles }),
  },
  reply: v.object({ fileList: v.array(file), ...keys }),
});

export const getFile = read({
  does: "Show a file",
  path: "/storage/v1/files/:fileId",
  reply: file,
});

export const deleteFile = endpoint({
  does: "Delete a file that nothing uses",
  method: "DELETE",
  path: "/storage/v1/files/:fileId",
  effect: "settling",
  needs: storageWrite,
  reply: file,
});

/** The path of a record's `url`, for `bodyAt`: its own colons mark no parameters. */
export const bodyPath = ({ pathname, search }: URL): `/${string}` =>
  `/${(pathname.slice(1) + search).replaceAll(":", "%3A")}`;

const body = { does: "Read the body of a file", reply: bytes("the file as it was uploaded") };

/**
 * The body of a file, at the path of its record's `url`: credentials never go there. A colon in the
 * path marks a parameter.
 */
export const bodyAt = <const P extends `/${string}`>(path: P) =>
  get({ ...body, path, needs: anyone });
