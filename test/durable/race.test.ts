/** Locks of dead processes, taken over by many real ones at once. */
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { diskFiles } from "../../src/durable/files.ts";
import { createProcesses } from "../../src/durable/processes.ts";
import { freshFolder } from "./faulty.ts";

const rounds = 15;
const racers = 8;

/** The word of a process that ran on this machine and has ended. */
const deadOwner = (): string => {
  const { pid } = spawnSync(process.execPath, ["--version"]);
  return createProcesses(diskFiles, { pid, kill: process.kill }).self;
};

test(`${racers} processes take over ${rounds} dead locks, one after the other each: no two are ever inside`, async () => {
  const folder = freshFolder();
  const script = join(freshFolder(), "racer.mjs");
  const entryPoints = [new URL("racer.ts", import.meta.url).pathname];
  await build({ entryPoints, outfile: script, bundle: true, platform: "node", format: "esm" });
  const owner = deadOwner();
  for (let round = 0; round < rounds; round += 1)
    writeFileSync(join(folder, `${round}.lock`), `${owner} ${round}\n`);
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
  expect(readdirSync(folder)).toEqual([]);
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
