/** A machine exports its runs: the books must not contradict what is said of a row. */
import { diceFor } from "./dice.ts";
import { type Line, sendOver } from "./line.ts";
import { environment, launch, type Machine } from "./machine.ts";
import type { Stage } from "./operator.ts";

/** Whose rows others can know of, and no person has touched. */
const isKnownToOthers = ({ scenario: { way, turns } }: Stage): boolean =>
  !turns &&
  (way.isRun || way.command.includes("--once")) &&
  !way.acts &&
  !way.hasHours &&
  !way.isAgain &&
  !way.command.includes("--direct") &&
  !way.command.includes("--no-tag");

export const checkExports = async (stage: Stage, machine: Machine, line: Line): Promise<void> => {
  if (!isKnownToOthers(stage)) return;
  const run = async (words: string) =>
    launch(stage.world, {
      machine,
      pid: 90_000,
      boot: `export on ${machine.name}`,
      argv: words.split(" "),
      env: environment,
      stdin: "",
      dice: diceFor(stage.scenario.seed, "export", machine.name),
      fate: undefined,
      lineFor: (gate) => sendOver(stage.world, stage.service, line, gate),
      isRunning: () => false,
    });
  const { out } = await run("run list --fields run --no-header -o tsv");
  for (const id of out.split("\n").filter((it) => it !== "" && it !== stage.retried.run)) {
    const exported = await run(`run export ${id} --as-sent -o tsv --fields to,status`);
    if (exported.code !== 0) continue;
    const isWarned = exported.err.includes("cannot rule out");
    const sent = stage.sent();
    for (const line of exported.out.split("\n").filter(Boolean)) {
      const [to = "", status = ""] = line.split("\t");
      const isSent = (sent[stage.numbers.indexOf(to)] ?? 0) > 0;
      const isWrong = isSent ? status === "not-sent" && !isWarned : status === "accepted";
      if (isWrong) stage.complain(`${machine.name} exports ${to} of ${id} as ${status}`);
    }
  }
};
