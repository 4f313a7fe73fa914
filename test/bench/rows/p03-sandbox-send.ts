/** P3: one send to the sandbox in this process: open the store, sign, verify, keep, print. */
import { join } from "node:path";
import { inTurn, type Row, time } from "../measure.ts";

export const sandboxSend: Row = {
  id: "P3",
  what: "msg send --sandbox",
  run: async ({ node, msg, rounds, folder, hasCompileCache }) => {
    const env = { MSG_CONFIG_DIR: join(folder, "config"), MSG_STATE_DIR: join(folder, "state") };
    const words = "send --sandbox --to 01000000001 --from 0200000000 --text hello".split(" ");
    const send = () => time({ file: node, args: [msg, ...words], env });
    const first = await send();
    const medians = await inTurn(rounds, {
      bare: () => time({ file: node, args: ["-e", "0"] }),
      msg: send,
    });
    return [
      {
        what: "send",
        unit: "ms",
        medians: { ...medians, "first, new store": first },
        subject: "msg",
        goals: hasCompileCache ? [{ to: "bare", atMost: 4.8 }] : [],
      },
    ];
  },
};
