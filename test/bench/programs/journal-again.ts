/**
 * Appends the records of a journal to a new one, as a run does it: results with the intents that follow
 * from them. Prints how many milliseconds that took.
 */
import { rmSync } from "node:fs";
import { createJournal, openJournal } from "../../../src/bulk/journal.ts";
import type { Entry } from "../../../src/bulk/protocol/entries.ts";
import { diskFiles } from "../../../src/durable/files.ts";

const [from = "", to = ""] = process.argv.slice(2);
const { entries, close } = openJournal(diskFiles, from);
close();
rmSync(to, { force: true });
const start = performance.now();
const journal = createJournal(diskFiles, to, "20260105-180000000-000000");
const gathered: Entry[] = [];
for (const entry of entries.slice(1)) {
  // An intent begins a request: what comes of it is appended later.
  const isResult = !entry.t.endsWith("_INTENT");
  if (isResult && gathered.at(-1)?.t.endsWith("_INTENT")) journal.append(gathered.splice(0));
  gathered.push(entry);
}
journal.append(gathered);
journal.close();
process.stdout.write(String(performance.now() - start));
