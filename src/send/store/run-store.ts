/** The runs of this user, as commands reach them. */
import { join } from "node:path";
import { createProcesses } from "../../durable/processes.ts";
import type { Ports } from "../../ports.ts";
import type { RunStore } from "./run-folder.ts";

export const storeOf = (ctx: Ports): RunStore => ({
  files: ctx.environment.files,
  processes: createProcesses(ctx.environment.files, ctx.environment.user),
  folder: join(ctx.environment.stateFolder(), "runs"),
  user: ctx.environment.user.user,
  random: ctx.environment.random,
  ticks: ctx.clock.ticks,
  wait: (ms) => ctx.clock.wait(ms),
  note: (line) => void ctx.note(line),
  isWatched: ctx.io.err.isTTY,
  signal: ctx.signal,
});
