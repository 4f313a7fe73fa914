/** Appends the records of a journal to a new one and prints how many milliseconds that took. */
import { rmSync } from "node:fs";
import { createJournal, openJournal } from "../../../src/bulk/journal.ts";
import { diskFiles } from "../../../src/durable/files.ts";

const [from = "", to = ""] = process.argv.slice(2);
const { entries, close } = openJournal(diskFiles, from);
close();
rmSync(to, { force: true });
const start = performance.now();
const journal = createJournal(diskFiles, to, "20260105-180000000-000000");
for (const entry of entries.slice(1)) journal.append([entry]);
journal.close();
process.stdout.write(String(performance.now() - start));
