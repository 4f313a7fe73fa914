/** `msg send` to several recipients, or for an hour of its own: a run of one group, kept like any other. */
import type { Input } from "../../contract/endpoint.ts";
import { addGroupMessages } from "../../contract/groups.ts";
import type { MessageInput } from "../../contract/message-records.ts";
import type { sendMessage } from "../../contract/messages.ts";
import type { Ports } from "../../ports.ts";
import { type ReconcileOptions, withCorrelationId } from "../reconcile/send-once.ts";
import { sha256, singleRun, writeSingleRun } from "../reconcile/single-run.ts";
import type { Request } from "../report/dry-run.ts";
import { refusedOf } from "../report/results.ts";
import { type RunResult, workOnRun } from "../start/work.ts";
import type { RunFile } from "../store/run-file.ts";
import { newRunId, type RunStore } from "../store/run-folder.ts";
import { storeOf } from "../store/run-store.ts";

export interface GroupSend extends ReconcileOptions {
  readonly body: NonNullable<Input<typeof sendMessage>["body"]>;
  readonly isAdvertising: boolean | undefined;
  readonly scheduledDate?: string | undefined;
}

/** Works until every message is accepted or refused, or nothing can be done. Throws MsgError. */
export const sendGrouped = async (
  ctx: Ports,
  send: GroupSend,
): Promise<{ readonly run: RunFile; readonly finished: RunResult }> => {
  const store = storeOf(ctx);
  const id = newRunId(ctx.clock.now(), ctx.environment.random);
  const made = { run: id, call: "send-many", source: "msg send", digest: sha256(id) } as const;
  const run = groupedRun(ctx, store, send, made);
  const { reconcileMs } = send;
  // The same text may be meant for the same people once more: only send-many compares rows.
  const how = { reconcileMs, rate: undefined, again: true, isNew: true, goal: "finish" } as const;
  const finished = await workOnRun(ctx, store, run, how);
  return { run, finished: { ...finished, problems: await refusedOf(ctx, finished) } };
};

/** What `-n` shows: the request that fills the group, and the hour that it waits for. */
export const groupedRequest = (send: Omit<GroupSend, "isAdvertising">): Request => {
  const { scheduledDate } = send;
  const { method, path } = addGroupMessages;
  const body = { messages: messagesOf(send, "<run>") };
  return { method, path, body, ...(scheduledDate !== undefined && { scheduledDate }) };
};

/** One a recipient, each with its correlation id. */
const messagesOf = (
  { body, tagged }: Pick<GroupSend, "body" | "tagged">,
  run: string,
): readonly MessageInput[] =>
  recipientsOf(body).map((to, at) =>
    tagged ? withCorrelationId({ ...body.message, to }, run, at + 1) : { ...body.message, to },
  );

const recipientsOf = ({ message }: GroupSend["body"]): readonly string[] =>
  [message.to ?? []].flat();

/** Writes it down: nothing was sent yet. */
export const groupedRun = (
  ctx: Ports,
  store: RunStore,
  send: Omit<GroupSend, "reconcileMs">,
  own: Pick<RunFile, "run" | "call" | "source" | "digest"> & Partial<RunFile>,
): RunFile => {
  const { body, tagged, isAdvertising, scheduledDate } = send;
  const { strict = false, allowDuplicates = false, agent } = body;
  const messages = messagesOf(send, own.run);
  const bytes = Buffer.from(JSON.stringify({ messages }));
  const file = singleRun(ctx, bytes, {
    ...{ path: "G", tagged, strict, allowDuplicates, messages: messages.length },
    ...(isAdvertising && { isAdvertising: true }),
    ...(scheduledDate !== undefined && { scheduledDate }),
    ...(agent && { agent: agentOf(agent) }),
    ...own,
  });
  writeSingleRun(store, file, bytes);
  return file;
};

const agentOf = ({ appId, osPlatform, sdkVersion }: NonNullable<GroupSend["body"]["agent"]>) => ({
  ...(appId && { appId }),
  ...(osPlatform && { osPlatform }),
  ...(sdkVersion && { sdkVersion }),
});
