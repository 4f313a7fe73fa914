/** Stored files. */
import type { StoredFile } from "../../contract/storage.ts";
import { checkFile, isFault } from "../../message/file-rules.ts";
import { type Handler, Refusal, type Service, validationError } from "../service.ts";
import type { FileRow } from "../store/files.ts";
import { recordIdOf, sealOf } from "../store/ids.ts";
import type { Filter } from "../store/rows.ts";
import { recordFilters, valueFilters } from "./filters.ts";
import { dated, ownRecord, recordPage } from "./records.ts";

export const uploadFile: Handler<"uploadFile"> = ({ body }, service) => {
  const { store, caller, now, assume, idSeed } = service;
  const { type = "DOCUMENT", name, link } = body;
  const bytes = bytesOf(body.file);
  assume("file-checks");
  const content = checkFile(type, bytes);
  if (isFault(content)) throw new Refusal(statuses[content.code], content.code, `${content.text}.`);
  const seq = store.nextNumber("file");
  const originalName = `${sealOf("file", seq, idSeed).slice(0, 5)}.${content.format}`;
  const row: FileRow = {
    fileId: recordIdOf("ST01FZ", seq, now, idSeed),
    accountId: caller.accountId,
    type,
    originalName,
    name: name ?? originalName,
    link: link ?? null,
    width: content.width ?? null,
    height: content.height ?? null,
    fileSize: bytes.length,
    providerA: 0,
    providerB: Number(type === "KAKAO"),
    created: now,
    updated: now,
  };
  store.files.insert(row, bytes);
  if (type === "KAKAO") assume("kakao-addresses");
  return fileRecord(row, service);
};

/** The numbers come from an older version of the service. */
const statuses = {
  ValidationError: 400,
  ImageTypeNotSupported: 403,
  FileSizeTooBig: 413,
  ImageResolutionSizeTooBig: 413,
} as const;

/** Standard base64 and nothing else: the decoder would ignore unknown characters. */
const bytesOf = (text: string): Uint8Array => {
  const isBase64 = /^[A-Za-z0-9+/]*={0,2}$/.test(text) && text.length % 4 === 0 && text !== "";
  if (!isBase64) throw validationError("'file' must be base64, without a prefix.");
  return Buffer.from(text, "base64");
};

export const listFiles: Handler<"listFiles"> = ({ query = {} }, service) => {
  const { files } = service.store;
  const filters = [
    ...recordFilters(query, ["fileId", "name", "originalName", "type"]),
    ...urlFilters(query.url, service),
    ...valueFilters("providerA", query.useProviderA),
    ...valueFilters("providerB", query.useProviderB),
  ];
  const references = [
    ...valueFilters("handleKey", query.handleKey),
    ...valueFilters("category", query.category),
    ...valueFilters("refId", query.refId),
  ];
  const { rows, keys } = recordPage(query, service, filters, {
    ...files,
    page: (asked) => files.page(asked, references),
  });
  service.assume("file-start-key");
  return {
    fileList: rows.map((row) => fileRecord(row, service)),
    startKey: query.startKey ?? null,
    nextKey: keys.nextKey,
  };
};

/** The address is made from the id: any other address finds nothing. */
const urlFilters = (url: string | undefined, service: Service): Filter<"fileId">[] => {
  if (url === undefined) return [];
  const prefix = addressOf(service, service.caller.accountId);
  return valueFilters("fileId", url.startsWith(prefix) ? url.slice(prefix.length) : "");
};

export const getFile: Handler<"getFile"> = ({ params }, service) =>
  fileRecord(ownFile(params.fileId, service), service);

export const deleteFile: Handler<"deleteFile"> = ({ params }, service) => {
  const { store, assume } = service;
  const row = ownFile(params.fileId, service);
  const record = fileRecord(row, service);
  const [used] = record.references;
  if (used !== undefined) {
    assume("file-in-use");
    const text = `The file is used by ${used.category} ${used.handleKey}.`;
    throw new Refusal(409, "FileInUse", text);
  }
  store.files.remove(row.fileId);
  return record;
};

const ownFile = (fileId: string, service: Service): FileRow =>
  ownRecord(service.store.files.read(fileId), `file '${fileId}'`, service);

/** Where `msg sandbox start` serves when no port is given: the host of addresses in process. */
const defaultOrigin = "http://127.0.0.1:4610";

/** Where the bytes of an account's files are served, without credentials: under the host that the caller uses. */
const addressOf = ({ headers }: Service, accountId: string): string => {
  const origin = headers.host === undefined ? defaultOrigin : `http://${headers.host}`;
  return `${origin}/files/${accountId}/`;
};

const fileRecord = ({ providerA, providerB, ...row }: FileRow, service: Service): StoredFile => {
  const url = `${addressOf(service, row.accountId)}${row.fileId}`;
  return {
    kakao: { providerA: providerA === 1 ? url : null, providerB: providerB === 1 ? url : null },
    ...dated(row),
    url,
    references: service.store.files.references(row.fileId),
  };
};
