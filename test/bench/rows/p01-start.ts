/** P1: what the start of the program costs. */
import { inTurn, type Row, time } from "../measure.ts";

const goals = { "--version": 1.3, "--help": 1.6, "completion bash": 1.6 };

export const start: Row = {
  id: "P1",
  what: "msg --version, --help, completion against node -e 0",
  run: async ({ node, msg, rounds }) => {
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
    return Object.entries(goals).map(([line, atMost]) => {
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
