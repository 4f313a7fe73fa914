/** Sources of runs: recipients whom the sandbox reaches, each with a name; and how `msg` is run on them. */
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "../measure.ts";

/** As many numbers as there are from 010-5000-0000 on: fifty million. */
const to = (at: number): string => `0${1_050_000_000 + at}`;

const formats = {
  csv: { head: "to,name\n", row: (at: number) => `${to(at)},고객${at}\n`, tail: "" },
  "foreign.csv": {
    head: "to,country,name\n",
    // Scattered, as numbers of people are: dense ones are no test of a set.
    row: (at: number) => `${2_000_000_000 + 397 * at},1,customer ${at}\n`,
    tail: "",
  },
  jsonl: { head: "", row: (at: number) => `{"to":"${to(at)}","name":"고객${at}"}\n`, tail: "" },
  json: {
    head: "[\n",
    row: (at: number) => `${at === 0 ? "" : ",\n"}{"to":"${to(at)}","name":"고객${at}"}`,
    tail: "\n]\n",
  },
};

export type SourceFormat = keyof typeof formats;

const perWrite = 10_000;

/** Writes a source of so many rows into the folder of the bench; answers its path. */
export const writeSource = ({ folder }: Bench, format: SourceFormat, rows: number): string => {
  const { head, row, tail } = formats[format];
  const path = join(folder, `${rows}.${format}`);
  const file = openSync(path, "w");
  writeSync(file, head);
  for (let from = 0; from < rows; from += perWrite) {
    const count = Math.min(perWrite, rows - from);
    writeSync(file, Array.from({ length: count }, (_, at) => row(from + at)).join(""));
  }
  writeSync(file, tail);
  closeSync(file);
  return path;
};

export const stateIn = ({ folder }: Bench): string => join(folder, "state");

/** `msg send-many` of a file: runs of more than 10,000 rows fill groups, smaller ones are told to. */
export const sendMany = (bench: Bench, url: string, words: readonly string[]) => ({
  args: [bench.msg, "send-many", ...words, "--again", "--quiet", "-y"],
  env: {
    MSG_BASE_URL: url,
    MSG_API_KEY: "SANDBOXKEY000001",
    MSG_API_SECRET: "SANDBOXSECRET0000000000000000000",
    MSG_CONFIG_DIR: join(bench.folder, "config"),
    MSG_STATE_DIR: stateIn(bench),
  },
});

/** The words of a run over a file, with a text that is filled row by row. */
export const fileWords = (file: string, ...more: readonly string[]): readonly string[] => [
  file,
  ...["--from", "0200000000", "--text", "#{name}님, 안녕하세요"],
  ...(more.length === 0 ? ["--staged"] : more),
];

export const many = (rows: number): string => `${rows.toLocaleString("en-US")} rows`;
