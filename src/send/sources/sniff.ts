/** Finds the encoding and the format of a source by its first bytes and characters. */
import { t, translated } from "../../locale/locale.ts";
import { callBody } from "./call-body.ts";
import { sourceFault } from "./source-fault.ts";

export const encodings = ["utf8", "cp949", "utf16le", "utf16be"] as const;
export type Encoding = (typeof encodings)[number];

export const formats = ["csv", "tsv", "json", "jsonl", "xlsx"] as const;
export type Format = (typeof formats)[number];

interface Magic {
  readonly starts: readonly number[];
  readonly what: string;
  readonly isPacked?: boolean;
}

const magics: readonly Magic[] = [
  { starts: [0x50, 0x4b, 0x03, 0x04], what: "a zip archive" },
  { starts: [0x50, 0x4b, 0x05, 0x06], what: "an empty zip archive" },
  { starts: [0xd0, 0xcf, 0x11, 0xe0], what: "a spreadsheet (.xls)" },
  { starts: [0x1f, 0x8b], what: "a gzip file", isPacked: true },
  { starts: [0x28, 0xb5, 0x2f, 0xfd], what: "a zstd file", isPacked: true },
  { starts: [0x25, 0x50, 0x44, 0x46], what: "a PDF document" },
];

const startsWith = (head: Uint8Array, starts: readonly number[]): boolean =>
  starts.every((byte, at) => head[at] === byte);

/** Throws for a source that is no text: spreadsheets and archives are named, never unpacked. */
export const rejectBinary = (head: Uint8Array, name: string): void => {
  const magic = magics.find(({ starts }) => startsWith(head, starts));
  if (!magic) return;
  throw sourceFault(
    "NotText",
    t`${name} is ${translated(magic.what)}`,
    { name, offset: 0 },
    magic.isPacked
      ? t`unpack it first: gzip -dc file.gz | msg send-many -`
      : t`save it as CSV UTF-8 in the spreadsheet program, and use that file`,
  );
};

/** The encoding that a byte order mark names. */
export const encodingOfMark = (head: Uint8Array): Encoding | undefined => {
  if (startsWith(head, [0xef, 0xbb, 0xbf])) return "utf8";
  if (startsWith(head, [0xff, 0xfe])) return "utf16le";
  if (startsWith(head, [0xfe, 0xff])) return "utf16be";
  return undefined;
};

/** An object that goes on in the next line: JSON, laid out for people. */
const laidOut = /^\{\s*\n/;

/** The format of a text by its beginning, which holds at least the first line or the whole text. */
export const formatOf = (beginning: string): Format => {
  const start = beginning.trimStart();
  if (start.startsWith("[") || callBody.test(start) || laidOut.test(start)) return "json";
  if (start.startsWith("{")) return "jsonl";
  const header = start.slice(0, start.search(/[\r\n]|$/));
  const tabs = header.split("\t").length - 1;
  return tabs > 0 && tabs >= header.split(",").length - 1 ? "tsv" : "csv";
};

/** What cuts the cells of a CSV, by its first line: spreadsheets of some countries write semicolons. */
export const delimiterOf = (beginning: string): "," | ";" => {
  const header = beginning.slice(0, beginning.search(/[\r\n]|$/)).replace(/"[^"]*"/g, "");
  return header.split(";").length > header.split(",").length ? ";" : ",";
};
