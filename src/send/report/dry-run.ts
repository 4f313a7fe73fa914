/** `send-many -n`: the first request that would send, with the first rows of its body. */

import { addGroupMessages } from "../../contract/groups.ts";
import { sendMany } from "../../contract/messages.ts";
import { asRecord } from "../../json/read-json.ts";
import type { Result } from "../../output/view.ts";
import type { Ports } from "../../ports.ts";
import { readBody } from "../store/plan-file.ts";
import type { RunFile } from "../store/run-file.ts";
import { fileOf, type RunStore } from "../store/run-folder.ts";

/** Messages of a body that are shown. */
const shown = 100;

export const previewRun = async (ctx: Ports, store: RunStore, run: RunFile): Promise<Result> => {
  const [chunk] = run.chunks;
  const path = fileOf(store, run.run, "plan.jsonl");
  const bytes = chunk ? readBody(store.files, path, chunk) : Buffer.from("{}");
  const body: unknown = JSON.parse(Buffer.from(bytes).toString("utf8"));
  const { method, path: target } = run.path === "G" ? addGroupMessages : sendMany;
  if (run.messages > shown) await ctx.note(`the first ${shown} of ${run.messages} messages`);
  return { record: { method, path: target, body: cut(body) }, columns: ["method", "path", "body"] };
};

const cut = (body: unknown): unknown => {
  const { messages, ...rest } = asRecord(body);
  return Array.isArray(messages) ? { messages: messages.slice(0, shown), ...rest } : body;
};
