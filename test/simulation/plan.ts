/** A plan that is made once, on a machine of its own, and sent by several. */
import { diceFor } from "./dice.ts";
import { createDisk } from "./disk.ts";
import { environment, launch } from "./machine.ts";
import type { Stage } from "./operator.ts";

const file = "/u/july.msgplan";

export const wordsOfPlan: readonly string[] = ["send-many", "--plan", "-", "--json"];

/** What a run reads. */
export const listOf = ({ scenario, numbers }: Stage, isTurned = false): string =>
  scenario.way.isRun ? `to\n${(isTurned ? numbers.toReversed() : numbers).join("\n")}\n` : "";

/** `words`: what sends the list. */
export const makePlan = async (stage: Stage, words: readonly string[]): Promise<void> => {
  const { world, service, scenario, plan, complain } = stage;
  const disk = createDisk();
  const { code, err } = await launch(world, {
    machine: { name: "planner", clock: { offsetMs: 0, drift: 0 }, disk },
    pid: 50,
    boot: "boot of planner",
    argv: [...words, "--plan-out", file],
    env: environment,
    stdin: listOf(stage),
    dice: diceFor(scenario.seed, "planner"),
    fate: undefined,
    lineFor: () => (wire) => service.perform(wire),
    isRunning: () => false,
  });
  plan.bytes = disk.read(file);
  if (code !== 0) complain(`planner: ${code} ${err}`);
};
