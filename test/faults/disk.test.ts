/** The disk becomes full at every record of a run: nothing is begun that cannot be written down, nothing is lost. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freshFolder, program } from "../e2e/program.ts";
import { envFor, numbersOf, rowsOf, sending } from "./books.ts";
import { oneService } from "./one-service.ts";
import { countingUp, several } from "./several.ts";

/**
 * From the write number `FULL_AT` to a journal on the disk is full. Removing the reserve makes room, but
 * for `FULL=stays`. A full disk takes a part of what it is given first.
 */
const preload = `
const fs = require("node:fs");
const journals = new Set();
let writes = 0;
let isFull = false;
const { openSync, writeSync, rmSync } = fs;
fs.openSync = (path, ...more) => {
  const descriptor = openSync(path, ...more);
  if (String(path).endsWith("journal.log")) journals.add(descriptor);
  else journals.delete(descriptor);
  return descriptor;
};
fs.rmSync = (path, ...more) => {
  if (String(path).endsWith("reserve") && process.env.FULL !== "stays") isFull = false;
  return rmSync(path, ...more);
};
fs.writeSync = (descriptor, bytes, offset, length, at) => {
  if (!journals.has(descriptor)) return writeSync(descriptor, bytes, offset, length, at);
  writes += 1;
  if (writes === Number(process.env.FULL_AT)) isFull = true;
  if (!isFull) return writeSync(descriptor, bytes, offset, length, at);
  if (offset === 0) return writeSync(descriptor, bytes, 0, 5, at);
  throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
};`;

const { opened, nextBatch } = oneService();
const script = join(freshFolder(), "full.cjs");
writeFileSync(script, preload);

const rows = 4;
const once = [1, 1, 1, 1];

/** A run on a disk that becomes full at its n-th record; then resumed on one with room. */
const fullAt = async (at: number, flags: readonly string[], full: "stays" | "reserve") => {
  const it = opened();
  const first = nextBatch();
  const msg = program();
  const sent = (): number[] => numbersOf(rows, first).map((to) => it.books().get(to) ?? 0);
  const env = envFor(it);
  const harm = { NODE_OPTIONS: `--require ${script}`, FULL_AT: String(at), FULL: full };
  const words = sending("--json", "--concurrency", "1", ...flags);
  const ended = await msg(words, { stdin: rowsOf(rows, first), env: { ...env, ...harm } });
  const sentThen = sent().reduce((sum, count) => sum + count, 0);
  const resumed = await msg(["send-many", "--resume", "last", "--json"], { env });
  const records = ended.err.split("\n").filter((line) => line.startsWith('{"run":'));
  return { at, full, ended, records, sentThen, resumed, sent: sent() };
};

/** What was said at the time was the truth, and nothing is sent twice or lost afterwards. */
const check = ({ at, full, ended, records, sentThen, resumed, sent }: Full): void => {
  const place = { at, full, records };
  expect({ ...place, code: resumed.code, sent }, resumed.err).toEqual({
    ...{ ...place, code: 0, sent: once },
  });
  const done = { state: "done", total: rows, accepted: rows, notSent: 0, unknown: 0 };
  expect(JSON.parse(resumed.out)).toMatchObject(done);
  const said: unknown = ended.out === "" ? { accepted: 0 } : JSON.parse(ended.out);
  expect({ ...place, said, code: ended.code }, ended.err).toMatchObject({
    ...{ ...place, said: { accepted: sentThen }, code: sentThen === rows ? 0 : 2 },
  });
  if (ended.code === 2) expect(ended.err).toContain("no space is left on the disk");
};

type Full = Awaited<ReturnType<typeof fullAt>>;

const paths: Readonly<Record<string, readonly string[]>> = {
  S: [],
  G: ["--staged", "--chunk", "2"],
  direct: ["--direct", "--chunk", "2"],
};

test.each(Object.keys(paths))(
  "D01 path %s: the disk becomes full at each record: the books are told, --resume sends each row once",
  async (path) => {
    const kept: number[] = [];
    await countingUp(1, async (at) => {
      const found = await fullAt(at, paths[path] ?? [], "stays");
      check(found);
      if (found.records.length > 0) kept.push(at);
      return found.records.length > 0 || found.ended.code !== 0;
    });
    // Results of requests: there is room for them when the reserve is removed.
    expect(kept.length).toBeGreaterThanOrEqual(1);
    await several(kept, async (at) => {
      const found = await fullAt(at, paths[path] ?? [], "reserve");
      check(found);
      expect(found.records).toHaveLength(1);
    });
  },
  300_000,
);
