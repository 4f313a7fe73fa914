/** Reads a source to its end: with the readers of `msg`, or `lines`: split and JSON.parse per line. */
import { createReadStream } from "node:fs";
import { openSource } from "../../../src/send/sources/open-source.ts";
import { readRows } from "../../../src/send/sources/rows.ts";

const [how = "msg", file = ""] = process.argv.slice(2);

const withMsg = async (): Promise<number> => {
  let rows = 0;
  for await (const batch of readRows(openSource(file), { name: file }).batches())
    rows += batch.filter((it) => it.problem === undefined).length;
  return rows;
};

/** A reader of lines costs more than a split of pieces: the floor is the split. */
const withSplit = async (): Promise<number> => {
  let rows = 0;
  let rest = "";
  const pieces = createReadStream(file, { encoding: "utf8", highWaterMark: 256 * 1024 });
  for await (const piece of pieces) {
    const lines = `${rest}${piece}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (JSON.parse(line) !== undefined) rows += 1;
  }
  return rows;
};

process.stdout.write(`${await (how === "msg" ? withMsg() : withSplit())}\n`);
