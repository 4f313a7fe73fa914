/**
 * Appends the records of a journal to a new one, as a run does it: a result at once, but with the intents
 * or the end that follow from it. Prints how many milliseconds that took.
 */
import { rmSync } from "node:fs";
import { diskFiles } from "../../../src/durable/files.ts";
import type { Entry } from "../../../src/send/protocol/entries.ts";
import { createJournal, openJournal } from "../../../src/send/store/journal.ts";

const [from = "", to = ""] = process.argv.slice(2);
const { entries, close } = openJournal(diskFiles, from);
close();
rmSync(to, { force: true });
const start = performance.now();
const journal = createJournal(diskFiles, to, "20260105-180000000-000000");
const follows = (entry: Entry | undefined): boolean => /_INTENT$|^END$/.test(entry?.t ?? "");
const gathered: Entry[] = [];
for (const [at, entry] of entries.slice(1).entries()) {
  gathered.push(entry);
  if (!follows(entries[at + 2])) journal.append(gathered.splice(0));
}
journal.close();
process.stdout.write(String(performance.now() - start));
