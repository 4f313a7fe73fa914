/** P18: what Korean adds to the start of the program, which loads its catalogs then. */
import { foundInTurn, median, type Row, time } from "../measure.ts";

/** Milliseconds that help in Korean may take longer than in English. */
const allowed = 10;

export const korean: Row = {
  id: "P18",
  what: "msg --help --lang ko against --lang en",
  run: async ({ node, msg, rounds }) => {
    const help = (language: string) => () =>
      time({ file: node, args: [msg, "--help", "--lang", language] });
    // Neither pays for the first compilation, which Node 22.1 and later keep.
    await help("en")();
    await help("ko")();
    const found = await foundInTurn(rounds, { english: help("en"), korean: help("ko") });
    const { english = [], korean = [] } = found;
    // Pairs: what slows the machine for a moment slows both of a round.
    const pairs = korean.map((ms, at) => ms - (english[at] ?? Number.NaN));
    const extra = median(pairs);
    return [
      {
        what: "msg --help --lang ko, beyond --lang en",
        unit: "ms",
        medians: { english: median(english), korean: median(korean), extra, allowed },
        subject: "extra",
        goals: [{ to: "allowed", atMost: 1 }],
      },
    ];
  },
};
