/** What `-n` shows: the plan; in JSON, and with --debug, also the first request that would send. */

import { addGroupMessages } from "../../contract/groups.ts";
import { sendMany } from "../../contract/messages.ts";
import type { MsgError } from "../../errors.ts";
import { asRecord } from "../../json/read-json.ts";
import { translated } from "../../locale/locale.ts";
import type { Result } from "../../output/view.ts";
import type { Ports } from "../../ports.ts";
import { readBody } from "../store/read-body.ts";
import type { RunFile } from "../store/run-file.ts";
import type { RunStore } from "../store/run-folder.ts";

/** A request that was not made. */
export interface Request {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly scheduledDate?: string | undefined;
}

interface ShownPlan {
  /** As a person reads it. */
  readonly lines: readonly (readonly [label: string, text: string])[];
  /** As a script reads it. */
  readonly plan: Readonly<Record<string, unknown>>;
  readonly request: Request;
  /** What would stop it: it ends the dry run as it would end the run. */
  readonly stop: MsgError | undefined;
}

export const planResult = ({ view }: Ports, shown: ShownPlan): Result => {
  const { lines, plan, request, stop } = shown;
  if (view.format === "json" || view.format === "jsonl")
    return { record: { ...request, plan }, columns: ["method", "path", "body"], ending: stop };
  const said = [...lines, ...(view.debug ? Object.entries(request) : [])];
  if (view.format === "table") {
    const columns = said.map(([label, text]) => ({ name: translated(label), value: () => text }));
    return { record: {}, columns, ending: stop };
  }
  const rows = said.map(([item, text]) => ({ item, text }));
  return { rows, columns: ["item", "text"], ending: stop };
};

/** At most this many messages of a body are shown. */
const maxShown = 100;

/** The first request of a run that would add or send messages, with the first of them. */
export const firstRequest = (store: RunStore, run: RunFile): Request => {
  const bytes = run.chunks.length > 0 ? readBody(store, run, 0) : Buffer.from("{}");
  const body: unknown = JSON.parse(Buffer.from(bytes).toString("utf8"));
  const { method, path: target } = run.path === "G" ? addGroupMessages : sendMany;
  return { method, path: target, body: cut(body) };
};

const cut = (body: unknown): unknown => {
  const { messages, ...rest } = asRecord(body);
  return Array.isArray(messages) ? { messages: messages.slice(0, maxShown), ...rest } : body;
};
