/** What is done before anything is harmed: a plan that several send, a run whose rows are sent once more. */
import { diceFor } from "./dice.ts";
import { type Copy, createDisk, type Disk } from "./disk.ts";
import { type Ended, environment, launch } from "./machine.ts";
import type { Stage } from "./operator.ts";

const file = "/u/july.msgplan";

export const wordsOfPlan: readonly string[] = ["send-many", "--plan", "-", "--json"];

/** What a run reads. */
export const listOf = ({ scenario, numbers }: Stage, isTurned = false): string =>
  scenario.way.isRun ? `to\n${(isTurned ? numbers.toReversed() : numbers).join("\n")}\n` : "";

/** `words`: what sends the list. */
export const makePlan = async (stage: Stage, words: readonly string[]): Promise<void> => {
  const disk = createDisk();
  await launched(stage, disk, [...words, "--plan-out", file], 0);
  stage.plan.bytes = disk.read(file);
};

/** Sends the list, each of whose deliveries fails. Returns the disk of the machine that did it. */
export const sendFailing = async (stage: Stage): Promise<Copy> => {
  const { world, retried } = stage;
  const disk = createDisk();
  const words = ["send-many", "-", "--from", "0200000000", "--text", "x", "--json", "--wait"];
  const { out } = await launched(stage, disk, words, 3);
  retried.run = JSON.parse(out).run;
  await world.schedule.sleep(1_000);
  retried.endedMs = world.beganMs + world.schedule.now();
  return disk.copy();
};

/** A process that nothing is done to, and the exit code that it ends with. */
const launched = async (
  stage: Stage,
  disk: Disk,
  argv: readonly string[],
  endsWith: number,
): Promise<Ended> => {
  const { world, plain, scenario } = stage;
  const ended = await launch(world, {
    machine: { name: "planner", clock: { offsetMs: 0, drift: 0 }, disk },
    pid: 50,
    boot: "boot of planner",
    argv,
    env: environment,
    stdin: listOf(stage),
    dice: diceFor(scenario.seed, "planner"),
    fate: undefined,
    lineFor: () => plain,
    isRunning: () => false,
  });
  const { code, err } = ended;
  if (code !== endsWith) stage.complain(`planner: ${code} ${err}`);
  return ended;
};
