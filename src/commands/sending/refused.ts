/** The rows of a run that the service refused, with their codes, ready to be fed back. */
import { readBody } from "../../bulk/plan-file.ts";
import type { RunFile } from "../../bulk/run-file.ts";
import { fileOf, type RunStore } from "../../bulk/run-folder.ts";
import { summaryOf } from "../../bulk/summary.ts";
import type { Context } from "../../context.ts";
import type { StoredMessage } from "../../contract/message-records.ts";
import { listMessages } from "../../contract/messages.ts";
import { stateOf } from "./work.ts";

/** Reads the codes from the service, group by group; then the rows as they were sent. */
export async function* refusedRows(
  ctx: Context,
  store: RunStore,
  run: RunFile,
): AsyncGenerator<object> {
  const codes = await codesOf(ctx, store, run);
  if (codes.size === 0) return;
  for (const chunk of run.chunks) {
    const bytes = readBody(store.files, fileOf(store, run.run, "plan.jsonl"), chunk);
    const body: unknown = JSON.parse(Buffer.from(bytes).toString("utf8"));
    for (const message of messagesIn(body)) {
      const code = codes.get(keyOf(message));
      if (code !== undefined) yield { ...unmarked(message), code };
    }
  }
}

/** The same as JSONL: the source of a run that sends them anew. */
export async function* refusedLines(
  ctx: Context,
  store: RunStore,
  run: RunFile,
): AsyncGenerator<Uint8Array> {
  for await (const row of refusedRows(ctx, store, run))
    yield Buffer.from(`${JSON.stringify(row)}\n`);
}

/** Which message it is: its row and its recipient; of an untagged run the recipient alone. */
const keyOf = (message: object): string => {
  const fields = "customFields" in message ? message.customFields : undefined;
  const row: unknown = typeof fields === "object" && fields ? Reflect.get(fields, "msg.row") : "";
  const to = "to" in message ? message.to : "";
  return `${String(row ?? "")} ${String(to)}`;
};

const codesOf = async (
  ctx: Context,
  store: RunStore,
  run: RunFile,
): Promise<ReadonlyMap<string, string>> => {
  const codes = new Map<string, string>();
  const { groups, refused } = summaryOf(run, stateOf(store, run), 0);
  if (refused === 0) return codes;
  const client = await ctx.client();
  for (const groupId of groups)
    for await (const page of client.pages(listMessages, { query: { groupId } }))
      for (const it of page.rows.filter(isRefused)) codes.set(keyOf(it), it.statusCode);
  return codes;
};

/** Codes of registration: the row was never taken on. */
const isRefused = ({ statusCode }: StoredMessage): boolean => statusCode.startsWith("1");

/** The messages of a body of plan.jsonl. */
export const messagesIn = (body: unknown): readonly object[] =>
  typeof body === "object" && body !== null && "messages" in body && Array.isArray(body.messages)
    ? body.messages
    : [];

/** A message without the mark of its run. */
export const unmarked = (message: object): object => {
  if (!("customFields" in message)) return message;
  const { customFields, ...rest } = message;
  const own = Object.entries(customFields ?? {}).filter(([name]) => !name.startsWith("msg."));
  return own.length === 0 ? rest : { ...rest, customFields: Object.fromEntries(own) };
};
