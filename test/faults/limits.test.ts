/** A process that may have little: memory, open files, room on the disk. */
import { spawn } from "node:child_process";
import { closeSync, openSync, readdirSync, writeSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ended, entry, freshFolder, program } from "../e2e/program.ts";
import { envFor, numbersOf, rowsOf, sending } from "./books.ts";
import { oneService } from "./one-service.ts";

const { opened } = oneService();

const onceOf = (count: number, first: number): boolean => {
  const books = opened().books();
  return numbersOf(count, first).every((to) => books.get(to) === 1);
};

test("P10 a source that is larger than the memory: the run ends, each row once", async () => {
  const rows = 12_000;
  const file = join(freshFolder(), "source.csv");
  const memo = "m".repeat(15_000);
  const source = openSync(file, "w");
  writeSync(source, "to,memo\n");
  for (const to of numbersOf(rows)) writeSync(source, `${to},${memo}\n`);
  closeSync(source);
  const words = sending("--json", "-y").map((word) => (word === "-" ? file : word));
  const env = { ...envFor(opened()), NODE_OPTIONS: "--max-old-space-size=128" };
  const { code, err } = await program()(words, { env });
  expect(code, err).toBe(0);
  expect(onceOf(rows, 0)).toBe(true);
}, 60_000);

test("P11 no more than 32 open files: the run ends, each row once", async () => {
  const rows = 6;
  const first = 100_000;
  const { env, folder } = program();
  const words = sending("--staged", "--chunk", "2", "--json");
  const limited = ["-c", 'ulimit -n 32; exec "$@"', "sh", process.execPath, ...entry, ...words];
  const child = spawn("sh", limited, { env: { ...env, ...envFor(opened()) }, cwd: folder });
  child.stdin.end(rowsOf(rows, first));
  const { code, err } = await ended(child);
  expect(code, err).toBe(0);
  expect(onceOf(rows, first)).toBe(true);
});

test("a sandbox that finds no room for its database leaves nothing behind", async () => {
  const { env, folder } = program();
  const words = ["balance", "--sandbox"];
  const limited = ["-c", 'ulimit -f 100; exec "$@"', "sh", process.execPath, ...entry, ...words];
  const { code } = await ended(
    spawn("sh", limited, { env: { ...env, MSG_STATE_DIR: folder }, cwd: folder }),
  );
  expect([code, readdirSync(join(folder, "sandbox"))]).toEqual([2, []]);
});
