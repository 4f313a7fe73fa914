/** The runs of this user, as commands reach them. */
import { join } from "node:path";
import { diskFiles } from "../../durable/files.ts";
import { createProcesses } from "../../durable/processes.ts";
import type { Ports } from "../../ports.ts";
import type { RunStore } from "./run-folder.ts";

export const storeOf = (ctx: Ports): RunStore => ({
  files: diskFiles,
  processes: createProcesses(diskFiles, ctx.user),
  folder: join(ctx.stateFolder(), "runs"),
  user: ctx.user.user,
  random: ctx.random,
  ticks: ctx.ticks,
  wait: (ms) => ctx.wait(ms),
  note: (line) => void ctx.note(line),
  signal: ctx.signal,
});
