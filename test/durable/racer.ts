/** A process that takes leases which dead ones left, round after round, at the same moment as others. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { diskFiles, type Files } from "../../src/durable/files.ts";
import { type Lease, withExclusiveLock } from "../../src/durable/lease.ts";
import { createProcesses } from "../../src/durable/processes.ts";
import { every } from "../support/clock.ts";

const [folder = ""] = process.argv.slice(2);
const processes = createProcesses(diskFiles, {
  pid: process.pid,
  kill: (pid, signal) => process.kill(pid, signal),
  every,
});
const options = {
  processes,
  random: (size: number) => randomBytes(size),
  ticks: () => performance.now(),
  wait: () => delay(5),
};

/** The moments between two calls, in which others come in, made longer: up to two milliseconds each. */
const late = (): void => {
  const until = performance.now() + Math.random() * 2;
  while (performance.now() < until);
};
const slow =
  <A extends unknown[], R>(call: (...args: A) => R) =>
  (...args: A): R => {
    late();
    return call(...args);
  };
const files: Files = {
  ...diskFiles,
  create: slow(diskFiles.create),
  read: slow(diskFiles.read),
  rename: slow(diskFiles.rename),
  remove: slow(diskFiles.remove),
};

/** Another process that is inside already makes this one fail. */
const alone = async (round: number, lease: Lease): Promise<void> => {
  const inside = join(folder, `${round}.inside`);
  diskFiles.close(diskFiles.create(inside));
  await delay(2);
  lease.assertOwned();
  diskFiles.remove(inside);
};

/** Every word from outside is a round; who gives them out waits until all have ended one. */
const state = { round: 0 };
for await (const _go of process.stdin) {
  await withExclusiveLock(files, join(folder, `${state.round}.lock`), options, (lease) =>
    alone(state.round, lease),
  );
  process.stdout.write("x");
  state.round += 1;
}
