/** The runs of this user, as commands reach them. */
import { join } from "node:path";
import type { RunStore } from "../../bulk/run-folder.ts";
import type { Context } from "../../context.ts";
import { diskFiles } from "../../durable/files.ts";
import { createProcesses } from "../../durable/processes.ts";

export const storeOf = (ctx: Context): RunStore => ({
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
