/** Leases of dead processes, taken over by many real ones at once. */
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { diskFiles } from "../../src/durable/files.ts";
import { createProcesses } from "../../src/durable/processes.ts";
import { every } from "../support/clock.ts";
import { freshFolder } from "./faulty.ts";

const rounds = 15;
const racers = 8;

/** The word of a process that ran on this machine and has ended. */
const deadOwner = (): string => {
  const { pid } = spawnSync(process.execPath, ["--version"]);
  const { self } = createProcesses(diskFiles, { pid: process.pid, kill: process.kill, every });
  return self.replace(`.${process.pid}.`, `.${pid}.`);
};

test(`${racers} processes take over ${rounds} leases of dead ones, one after the other each: no two are ever inside`, async () => {
  const folder = freshFolder();
  const script = join(freshFolder(), "racer.mjs");
  const entryPoints = [new URL("racer.ts", import.meta.url).pathname];
  await build({ entryPoints, outfile: script, bundle: true, platform: "node", format: "esm" });
  const owner = deadOwner();
  for (let round = 0; round < rounds; round += 1)
    writeFileSync(join(folder, `${round}.lock`), `000000000007 41 00000000000000aa ${owner}\n`);
  const children = Array.from({ length: racers }, () => spawn(process.execPath, [script, folder]));
  onTestFinished(() => {
    for (const child of children) child.kill();
  });
  const told = children.map(toldBy);
  const codes = children.map(async (child) => (await once(child, "exit"))[0]);
  for (let round = 0; round < rounds; round += 1) {
    for (const { stdin } of children) stdin.write("x");
    await Promise.all(told.map((one) => one()));
  }
  for (const { stdin } of children) stdin.end();
  expect(await Promise.all(codes)).toEqual(children.map(() => 0));
  const left = readdirSync(folder);
  expect(left.sort()).toEqual(Array.from({ length: rounds }, (_, at) => `${at}.lock`).sort());
  // One higher with each of them, and free again.
  const last = new RegExp(`^free +${41 + racers} `);
  for (const name of left) expect(readFileSync(join(folder, name), "utf8")).toMatch(last);
}, 60_000);

/** Waits for one more word of a racer; one that came to grief says why. */
const toldBy = ({ stdout, stderr }: ChildProcessWithoutNullStreams): (() => Promise<void>) => {
  const words = stdout[Symbol.asyncIterator]();
  const why: unknown[] = [];
  stderr.on("data", (chunk) => why.push(chunk));
  return async () => {
    if ((await words.next()).done) throw new Error(why.join(""));
  };
};
