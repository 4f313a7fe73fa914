/** A stored file as answers show it, and where its bytes are served. */
import type { StoredFile } from "../../contract/storage.ts";
import type { Service } from "../service.ts";
import type { FileRow } from "../store/files.ts";
import { timeOf } from "./times.ts";

/** Where `msg sandbox start` serves when nothing else is said: the host of addresses in process. */
const usualOrigin = "http://127.0.0.1:4610";

/** The host that the caller reached this sandbox by. */
export const originOf = ({ headers }: Pick<Service, "headers">): string =>
  headers.host === undefined ? usualOrigin : `http://${headers.host}`;

/** The path of a file's bytes; it is served without credentials. */
export const bodyPath = (accountId: string, fileId: string): string =>
  `/files/${accountId}/${fileId}`;

export const fileRecord = (
  row: FileRow,
  { store, headers }: Pick<Service, "store" | "headers">,
): StoredFile => {
  const url = `${originOf({ headers })}${bodyPath(row.accountId, row.fileId)}`;
  return {
    kakao: {
      providerA: row.providerA === 1 ? url : null,
      providerB: row.providerB === 1 ? url : null,
    },
    type: row.type,
    originalName: row.originalName,
    name: row.name,
    link: row.link,
    width: row.width,
    height: row.height,
    fileSize: row.fileSize,
    fileId: row.fileId,
    accountId: row.accountId,
    url,
    references: store.files.references(row.fileId),
    dateCreated: timeOf(row.created),
    dateUpdated: timeOf(row.updated),
  };
};
