/** The files of a run as another msg, or another machine, would have left them: whole, and different. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { logLine, readLog } from "../../src/durable/log.ts";
import { withSum } from "../../src/send/store/run-file.ts";

/** Changes run.json by its text, and the copy of it that the journal begins with. */
export const rewriteRun = (folder: string, change: (text: string) => string): void => {
  const file = join(folder, "run.json");
  const text = readFileSync(file, "utf8").replace(/,"sum":"[0-9a-f]{64}"/, "");
  writeFileSync(file, JSON.stringify(withSum(JSON.parse(change(text)))));
  const journal = join(folder, "journal.log");
  const [first, ...others] = readLog(readFileSync(journal), journal).records;
  const begun = { ...Object(first) };
  const copy = { ...begun, file: JSON.parse(change(JSON.stringify(begun.file))) };
  writeFileSync(journal, [copy, ...others].map(logLine).join(""));
};
