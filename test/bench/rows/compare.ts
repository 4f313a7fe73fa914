/** The comparison: 500 sends over a line that loses every tenth answer, blindly repeated and by `msg`. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { envFor, rowsOf, sending } from "../../faults/books.ts";
import { callByCall, overLossyLine } from "../../faults/comparison.ts";
import { sendBlindly } from "../blind-client.ts";
import { type Row, time } from "../measure.ts";

const sends = 500;

export const comparison: Row = {
  id: "compare",
  what: `${sends} sends, 10 % of the answers lost`,
  run: async ({ node, msg, folder }) => {
    const source = join(folder, "source.csv");
    writeFileSync(source, rowsOf(sends));
    const blind = await overLossyLine(folder, sends, sendBlindly);
    const own = await overLossyLine(folder, sends, async (baseUrl) => {
      const words = sending(...callByCall).map((word) => (word === "-" ? source : word));
      const home = { MSG_CONFIG_DIR: join(folder, "config"), MSG_STATE_DIR: join(folder, "state") };
      await time({ file: node, args: [msg, ...words], env: { ...home, ...envFor({ baseUrl }) } });
    });
    const name = "signs anew and repeats";
    return [
      {
        what: "recipients reached",
        unit: "messages",
        medians: { [name]: blind.reached, msg: own.reached, all: sends },
        subject: "msg",
        goals: [{ to: "all", atLeast: 1 }],
      },
      {
        what: "messages sent twice",
        unit: "messages",
        medians: { [name]: blind.duplicates, msg: own.duplicates },
        subject: "msg",
        goals: [{ to: name, atMost: 0 }],
      },
    ];
  },
};
