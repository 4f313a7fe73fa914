/** P1: what the start of the program costs. */
import { inTurn, type Row, time } from "../measure.ts";

/** Line → times the start of Node: with a compile cache, and where Node compiles the whole program anew. */
const goals = {
  "--version": { cached: 2.2, plain: 4.5 },
  "--help": { cached: 2.3, plain: 4.5 },
  "completion bash": { cached: 3, plain: 4.5 },
};

export const start: Row = {
  id: "P1",
  what: "msg --version, --help, completion against node -e 0",
  run: async ({ node, msg, rounds, hasCompileCache }) => {
    const words = Object.keys(goals);
    const run = (line: string) => () => time({ file: node, args: [msg, ...line.split(" ")] });
    const runs = await Promise.all(
      words.map((line) =>
        run(line)().then(
          () => true,
          () => false,
        ),
      ),
    );
    const lines = words.filter((_, at) => runs[at]);
    const medians = await inTurn(rounds, {
      bare: () => time({ file: node, args: ["-e", "0"] }),
      ...Object.fromEntries(lines.map((line) => [line, run(line)])),
    });
    return Object.entries(goals).map(([line, { cached, plain }]) => {
      const atMost = hasCompileCache ? cached : plain;
      const there = medians[line] !== undefined;
      return {
        what: there ? `msg ${line}` : `msg ${line} does not run`,
        unit: "ms",
        medians: { bare: medians.bare ?? Number.NaN, ...(there && { msg: medians[line] ?? 0 }) },
        subject: "msg",
        goals: there ? [{ to: "bare", atMost }] : [],
      };
    });
  },
};
