/** The runs of `msg send`: one group, for several recipients, for a later hour, or for the key of `--once`. */
import { hash } from "node:crypto";
import { addGroupMessages } from "../../contract/groups.ts";
import type { MessageInput, SendResult, StoredMessage } from "../../contract/message-records.ts";
import { writeFirst } from "../../durable/atomic-write.ts";
import { withFileError } from "../../durable/files.ts";
import { inEnglish } from "../../locale/locale.ts";
import { statusMeaning } from "../../message/status.ts";
import type { Ports } from "../../ports.ts";
import { withCorrelationId } from "../messages/correlation.ts";
import { singleRun } from "../reconcile/resolve-request.ts";
import type { Request } from "../report/dry-run.ts";
import { listRefusedRows } from "../report/results.ts";
import { workOnRun } from "../start/work.ts";
import type { RunFile } from "../store/run-file.ts";
import { createRunFolder, fileOf, newRunId, storeOf, writeRun } from "../store/run-folder.ts";
import type { SingleSend } from "./send-single.ts";

interface GroupSend extends SingleSend {
  readonly scheduledDate?: string | undefined;
}

/** Sends the group, and reads which messages were refused. Throws MsgError. */
export const sendGrouped = async (ctx: Ports, send: GroupSend) => {
  const id = newRunId(ctx.clock.now(), ctx.environment.random);
  const digest = hash("sha256", id);
  const made = { run: id, call: "send-many", source: "msg send", digest } as const;
  const { run, bytes } = groupedRun(ctx, send, made);
  writeSingleRun(ctx, run, bytes);
  const { reconcileMs } = send;
  // The same text may be meant for the same people again: only send-many compares rows.
  const how = { reconcileMs, again: true, isNew: true, goal: "finish" } as const;
  const worked = await workOnRun(ctx, run, how);
  const finished = { ...worked, problems: await listRefusedRows(ctx, worked) };
  return { run, finished };
};

/** What `-n` shows: the request that fills the group, and its scheduled time. */
export const groupedRequest = (send: GroupSend): Request => {
  const { scheduledDate } = send;
  const { method, path } = addGroupMessages;
  const body = { messages: messagesOf(send, "<run>") };
  return { method, path, body, ...(scheduledDate !== undefined && { scheduledDate }) };
};

/** One message for each recipient, with its correlation id. */
const messagesOf = (
  { body: { message }, tagged }: SingleSend,
  run: string,
): readonly MessageInput[] =>
  [message.to ?? []]
    .flat()
    .map((to, at) =>
      tagged ? withCorrelationId({ ...message, to }, run, at + 1) : { ...message, to },
    );

/** The run, which is not written yet, and the body that fills its group. */
export const groupedRun = (
  ctx: Ports,
  send: GroupSend,
  own: Pick<RunFile, "run" | "call" | "source" | "digest"> & Partial<RunFile>,
) => {
  const { body, tagged, isAdvertising, scheduledDate } = send;
  const { strict = false, allowDuplicates = false, agent } = body;
  const messages = messagesOf(send, own.run);
  const bytes = Buffer.from(JSON.stringify({ messages }));
  const run = singleRun(ctx, bytes, {
    path: "G",
    tagged,
    strict,
    allowDuplicates,
    messages: messages.length,
    ...(isAdvertising && { isAdvertising: true }),
    ...(scheduledDate !== undefined && { scheduledDate }),
    ...(agent && { agent: agentOf(agent) }),
    ...own,
  });
  return { run, bytes };
};

/** Writes the folder of a run of one request; what an earlier attempt left in it is removed. */
export const writeSingleRun = (ctx: Ports, run: RunFile, body: Uint8Array): void => {
  const store = storeOf(ctx);
  createRunFolder(store, run.run);
  for (const name of ["plan.jsonl", "reserve", "journal.log"] as const) {
    const path = fileOf(store, run.run, name);
    withFileError(path, "write", () => store.files.remove(path));
  }
  const line = Buffer.concat([body, Buffer.from("\n")]);
  writeFirst(store.files, fileOf(store, run.run, "plan.jsonl"), line);
  writeRun(store, run);
};

const agentOf = ({ appId, osPlatform, sdkVersion }: NonNullable<SingleSend["body"]["agent"]>) => ({
  ...(appId && { appId }),
  ...(osPlatform && { osPlatform }),
  ...(sdkVersion && { sdkVersion }),
});

/** A message of the service's list as the answer to its send would have shown it. */
export const sendResultOf = (it: StoredMessage): SendResult => {
  const { messageId, accountId, statusCode, to, from, type, country } = it;
  const statusMessage = inEnglish(() => statusMeaning(statusCode));
  return { messageId, accountId, statusMessage, statusCode, to, from, type: type ?? "", country };
};
