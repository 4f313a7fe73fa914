/** P2: one signed read over loopback, time and memory. */
import { join } from "node:path";
import { inTurn, memory, type Row, server, time } from "../measure.ts";

export const balance: Row = {
  id: "P2",
  what: "msg balance against loopback",
  run: async (bench) => {
    const service = await server(bench, "null-server.js");
    const env = {
      MSG_BASE_URL: service.url,
      MSG_API_KEY: "SANDBOXKEY000001",
      MSG_API_SECRET: "SANDBOXSECRET0000000000000000000",
      MSG_CONFIG_DIR: join(bench.folder, "config"),
      MSG_STATE_DIR: join(bench.folder, "state"),
    };
    const msg = { args: [bench.msg, "balance"], env };
    const floor = { args: [join(bench.programs, "http-floor.js"), service.url] };
    const bare = { args: ["-e", "0"] };
    const on = (command: { args: string[]; env?: Record<string, string> }) => () =>
      time({ file: bench.node, ...command });
    try {
      const times = await inTurn(bench.rounds, { bare: on(bare), floor: on(floor), msg: on(msg) });
      const sizes = await inTurn(3, {
        bare: () => memory(bench, bare),
        msg: () => memory(bench, msg),
      });
      return [
        {
          what: "time",
          unit: "ms",
          medians: times,
          subject: "msg",
          goals: [{ to: "bare", atMost: bench.hasCompileCache ? 4 : 6 }],
        },
        {
          what: "memory",
          unit: "MiB",
          medians: sizes,
          subject: "msg",
          goals: [{ to: "bare", atMost: 1.8 }],
        },
      ];
    } finally {
      await service.stop();
    }
  },
};
