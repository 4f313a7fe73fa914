/** `msg send` to several recipients, or for an hour of its own: a run of one group, kept like any other. */
import { createHash } from "node:crypto";
import type { Input } from "../../contract/endpoint.ts";
import { addGroupMessages } from "../../contract/groups.ts";
import type { sendMessage } from "../../contract/messages.ts";
import { writeFirst } from "../../durable/atomic-write.ts";
import type { Result } from "../../output/result.ts";
import type { Ports } from "../../ports.ts";
import { type ReconcileOptions, withCorrelationId } from "../../reconcile/send-once.ts";
import { signingKeyTail } from "../../session/account.ts";
import { refusedOf } from "../report/results.ts";
import { type RunResult, workOnRun } from "../start/work.ts";
import { type RunFile, runFileVersion } from "../store/run-file.ts";
import { fileOf, makeRun, newRunId, type RunStore, writeRun } from "../store/run-folder.ts";
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
  const run = writeGroupRun(ctx, store, send);
  const { reconcileMs } = send;
  // The same text may be meant for the same people once more: only send-many compares rows.
  const how = { reconcileMs, rate: undefined, again: true, isNew: true, goal: "finish" } as const;
  const finished = await workOnRun(ctx, store, run, how);
  return { run, finished: { ...finished, problems: await refusedOf(ctx, finished) } };
};

/** What `-n` shows: the request that fills the group, and the hour that it waits for. */
export const previewGrouped = ({ body, scheduledDate }: GroupSend): Result => {
  const { method, path } = addGroupMessages;
  const messages = recipientsOf(body).map((to) => ({ ...body.message, to }));
  const hour = scheduledDate === undefined ? {} : { scheduledDate };
  const record = { method, path, body: { messages }, ...hour };
  return { record, columns: ["method", "path", "body", ...Object.keys(hour)] };
};

const recipientsOf = ({ message }: GroupSend["body"]): readonly string[] =>
  [message.to ?? []].flat();

const writeGroupRun = (ctx: Ports, store: RunStore, send: GroupSend): RunFile => {
  const { body, tagged, isAdvertising, scheduledDate } = send;
  const { message, strict, allowDuplicates, agent } = body;
  const run = newRunId(ctx.clock.now(), ctx.environment.random);
  const recipients = recipientsOf(body);
  const messages = recipients.map((to, at) =>
    tagged ? withCorrelationId({ ...message, to }, run, at + 1) : { ...message, to },
  );
  const bytes = Buffer.from(JSON.stringify({ messages }));
  makeRun(store, run);
  writeFirst(store.files, fileOf(store, run, "plan.jsonl"), Buffer.concat([bytes, newline]));
  const rows = recipients.length;
  const file: RunFile = {
    ...{ version: runFileVersion, run, path: "G", call: "send-many", tagged },
    started: ctx.clock.now().toISOString(),
    profile: ctx.settings.profile.value,
    ...{ account: null, key: signingKeyTail(ctx) ?? null, price: null, maxCost: null },
    baseUrl: ctx.settings.baseUrl.value ?? null,
    ...{ source: "msg send", digest: sha256(Buffer.from(run)) },
    ...(isAdvertising && { isAdvertising: true }),
    ...(scheduledDate !== undefined && { scheduledDate }),
    ...(agent && { agent: agentOf(agent) }),
    ...{ width: 1, concurrency: 1 },
    ...{ strict: strict === true, allowDuplicates: allowDuplicates === true },
    ...{ total: rows, skipped: 0, messages: rows },
    chunks: [{ offset: 0, length: bytes.length, rows, first: 1, sha256: sha256(bytes) }],
  };
  writeRun(store, file);
  return file;
};

const newline = Buffer.from("\n");

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

const agentOf = ({ appId, osPlatform, sdkVersion }: NonNullable<GroupSend["body"]["agent"]>) => ({
  ...(appId && { appId }),
  ...(osPlatform && { osPlatform }),
  ...(sdkVersion && { sdkVersion }),
});
