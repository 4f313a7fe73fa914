import * as v from "valibot";
import { readBody } from "../../bulk/plan-file.ts";
import type { State } from "../../bulk/protocol/state.ts";
import type { RunFile } from "../../bulk/run-file.ts";
import { fileOf, findRun, type RunStore } from "../../bulk/run-folder.ts";
import { text } from "../../contract/fields.ts";
import { listMessages } from "../../contract/messages.ts";
import { usage } from "../../errors.ts";
import { tool } from "../command.ts";
import { messagesIn, refusedRows, unmarked } from "../sending/refused.ts";
import { storeOf } from "../sending/store.ts";
import { stateOf } from "../sending/work.ts";

const statuses = ["accepted", "unknown", "not-sent"] as const;
type Status = (typeof statuses)[number];

/** Named alone: what was refused is known to the service, row by row. */
const refused = "refused";

const columns = ["to", "from", "text"] as const;

export default tool({
  also: [listMessages],
  args: { run: text("id of the run, or last") },
  flags: {
    status: v.optional(
      text(
        "which rows: accepted, unknown, not-sent, several by commas; or refused, with their codes",
      ),
    ),
  },
  columns,
  examples: [
    "msg run export last --status not-sent -o jsonl > rest.jsonl",
    "msg run export last --status refused -o csv",
    "msg run export last --status unknown -o csv",
    "msg run export last -o jsonl",
  ],
  run: async (ctx, { args, flags }) => {
    const store = storeOf(ctx);
    const run = findRun(store, args.run, ctx.settings.profile.value);
    if (flags.status?.trim() === refused)
      return { rows: refusedRows(ctx, store, run), columns: [...columns, "code"] };
    return { rows: rowsOf(store, run, wanted(flags.status ?? statuses.join(","))) };
  },
});

const wanted = (typed: string): ReadonlySet<string> => {
  const words = typed.split(",").map((word) => word.trim());
  const wrong = words.find((word) => !statuses.some((status) => status === word));
  if (wrong === undefined) return new Set(words);
  throw usage(`--status takes ${statuses.join(", ")}, or refused alone, got '${wrong}'`, {
    code: "InvalidValue",
  });
};

/** Rows as they were sent or would be: without the mark of the run, ready to be fed back. */
function* rowsOf(store: RunStore, run: RunFile, status: ReadonlySet<string>): Generator<unknown> {
  const state = stateOf(store, run);
  for (const [at, chunk] of run.chunks.entries()) {
    if (!status.has(statusOf(state, at))) continue;
    const bytes = readBody(store.files, fileOf(store, run.run, "plan.jsonl"), chunk);
    const body: unknown = JSON.parse(Buffer.from(bytes).toString("utf8"));
    for (const message of messagesIn(body)) yield unmarked(message);
  }
}

const statusOf = (state: State | undefined, at: number): Status => {
  const chunk = state?.chunks[at];
  if (!state || !chunk) return "not-sent";
  if (state.shape.path !== "G") {
    if (chunk.at === "done") return "accepted";
    return "signature" in chunk ? "unknown" : "not-sent";
  }
  const group = state.groups.find((it) => at >= it.from && at < it.to && it.at !== "abandoned");
  if (group?.at === "sent") return "accepted";
  return group?.at === "sending" ? "unknown" : "not-sent";
};
