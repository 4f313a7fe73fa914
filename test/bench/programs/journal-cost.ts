/**
 * Loaded before `msg`, adds up what its run gives to its journal: the time in which it is opened, written
 * and closed, and, while records are on their way to the disk, the time in which there is nothing else
 * to do. Writes the sum, in milliseconds, into the file that JOURNAL_COST names.
 */
import fs from "node:fs";
import { performance } from "node:perf_hooks";

const { openSync, writeSync, fdatasync, fdatasyncSync, ftruncateSync, closeSync } = fs;
const journals = new Set<unknown>();
const spent = { ms: 0 };

const timed =
  <A extends unknown[], R>(call: (...args: A) => R) =>
  (...args: A): R => {
    const isOpening = typeof args[0] === "string" && args[0].endsWith("journal.log");
    const start = performance.now();
    const result = call(...args);
    if (isOpening) journals.add(result);
    if (isOpening || journals.has(args[0])) spent.ms += performance.now() - start;
    return result;
  };

const idleMs = (): number => performance.nodeTiming.idleTime;

Object.assign(fs, {
  openSync: timed(openSync),
  writeSync: timed(writeSync),
  fdatasyncSync: timed(fdatasyncSync),
  ftruncateSync: timed(ftruncateSync),
  closeSync: timed(closeSync),
  fdatasync: timed((descriptor: number, done: (error: unknown) => void) => {
    const before = idleMs();
    fdatasync(descriptor, (error) => {
      if (journals.has(descriptor)) spent.ms += idleMs() - before;
      done(error);
    });
  }),
});

process.on("exit", () => fs.writeFileSync(process.env.JOURNAL_COST ?? "", String(spent.ms)));
