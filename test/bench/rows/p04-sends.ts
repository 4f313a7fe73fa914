/** P4: single sends from one process, 16 at once. */
import { join } from "node:path";
import { inTurn, output, type Row, server } from "../measure.ts";

const counts = { msg: 20_000, fetch: 2_000, raw: 20_000 };

export const sends: Row = {
  id: "P4",
  what: "single sends from one process, 16 at once",
  run: async (bench) => {
    const service = await server(bench, "null-server.js");
    const perSecond = (program: string, count: number) => async () =>
      Number(
        await output({
          file: bench.node,
          args: [join(bench.programs, program), service.url, String(count)],
        }),
      );
    try {
      const medians = await inTurn(bench.rounds, {
        "fetch client": perSecond("fetch-client.js", counts.fetch),
        "raw socket": perSecond("raw-client.js", counts.raw),
        msg: perSecond("msg-client.js", counts.msg),
      });
      const goals = [
        { to: "fetch client", atLeast: 10 },
        { to: "raw socket", atLeast: 0.4 },
      ];
      return [{ what: "sends", unit: "per second", medians, subject: "msg", goals }];
    } finally {
      await service.stop();
    }
  },
};
