/** P4: single sends from one process, 16 at once. */
import { join } from "node:path";
import { inTurn, output, type Row, server } from "../measure.ts";

/** The same for each: a program that has run for long is several times as fast as one that begins. */
const count = 20_000;

export const sends: Row = {
  id: "P4",
  what: "single sends from one process, 16 at once",
  run: async (bench) => {
    const service = await server(bench, "null-server.js");
    const perSecond = (program: string) => async () =>
      Number(
        await output({
          file: bench.node,
          args: [join(bench.programs, program), service.url, String(count)],
        }),
      );
    try {
      const medians = await inTurn(bench.rounds, {
        "fetch client": perSecond("fetch-client.js"),
        "raw socket": perSecond("raw-client.js"),
        msg: perSecond("msg-client.js"),
      });
      const goals = [
        { to: "fetch client", atLeast: 4 },
        { to: "raw socket", atLeast: 0.3 },
      ];
      return [{ what: "sends", unit: "per second", medians, subject: "msg", goals }];
    } finally {
      await service.stop();
    }
  },
};
