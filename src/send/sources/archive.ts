/** Reads the sheets of a spreadsheet (.xlsx) and their sizes from the zip archive, before its cells are read. */

import { inflateRawSync } from "node:zlib";
import { quietly } from "../../durable/files.ts";

const entry = Buffer.from("PK\u0001\u0002");
const entryBytes = 46;

/** Where the entries of the archive's list of files begin. */
function* entriesOf(archive: Buffer): Generator<number> {
  for (
    let at = archive.indexOf(entry);
    at >= 0 && at + entryBytes <= archive.length;
    at = archive.indexOf(entry, at + entry.length)
  )
    yield at;
}

/** The sum of the sizes in the list of files of the archive. */
export const unpackedSize = (archive: Buffer): number => {
  let size = 0;
  for (const at of entriesOf(archive)) size += archive.readUInt32LE(at + 24);
  return size;
};

/** The number, from 1, of the first sheet that people see; 1 if the list of sheets cannot be read. */
export const firstVisibleSheet = (archive: Buffer): number => {
  const sheets = sheetList(archive).match(/<(\w+:)?sheet\s[^>]*>/g) ?? [];
  const visible = sheets.findIndex((sheet) => !/\sstate="(h|veryH)idden"/.test(sheet));
  return Math.max(0, visible) + 1;
};

const listName = "xl/workbook.xml";
const maxListBytes = 1024 * 1024;

const sheetList = (archive: Buffer): string => {
  for (const at of entriesOf(archive)) {
    const nameAt = at + entryBytes;
    const name = archive.toString("latin1", nameAt, nameAt + archive.readUInt16LE(at + 28));
    // An archive that is damaged there is reported by the reader of the cells.
    if (name === listName) return quietly(() => unpacked(archive, at)) ?? "";
  }
  return "";
};

/** The text of one file. */
const unpacked = (archive: Buffer, at: number): string => {
  const headAt = archive.readUInt32LE(at + 42);
  const from = headAt + 30 + archive.readUInt16LE(headAt + 26) + archive.readUInt16LE(headAt + 28);
  const bytes = archive.subarray(from, from + archive.readUInt32LE(at + 20));
  const isPacked = archive.readUInt16LE(at + 10) !== 0;
  const options = { maxOutputLength: maxListBytes };
  return (isPacked ? inflateRawSync(bytes, options) : bytes).toString("utf8");
};
