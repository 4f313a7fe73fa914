/** The runs of `msg send`: one group, for several recipients, for a later hour, or for the key of `--once`. */
import { hash } from "node:crypto";
import { addGroupMessages } from "../../contract/groups.ts";
import type { MessageInput, SendResult, StoredMessage } from "../../contract/message-records.ts";
import { ensurePrivateDir } from "../../durable/atomic-write.ts";
import { usageError } from "../../errors.ts";
import { inEnglish, t } from "../../locale/locale.ts";
import { statusMeaning } from "../../message/status.ts";
import type { Ports } from "../../ports.ts";
import type { State } from "../protocol/state.ts";
import { singleRun, writeSingleRun } from "../reconcile/resolve-request.ts";
import { type SendBody, type SingleSend, withCorrelationId } from "../reconcile/send-once.ts";
import type { Request } from "../report/dry-run.ts";
import { listRefusedRows } from "../report/results.ts";
import { findTakenRows } from "../run/taken-rows.ts";
import { isAllTaken } from "../start/once.ts";
import { removeRun } from "../start/run-removal.ts";
import { workOnRun } from "../start/work.ts";
import { keyedClaim, type RunFile } from "../store/run-file.ts";
import {
  findKeyedId,
  newKeyedId,
  newRunId,
  type RunStore,
  readRun,
  storeOf,
} from "../store/run-folder.ts";
import { withStartLock } from "../store/run-lock.ts";
import { readState, summarize } from "../store/summary.ts";

interface GroupSend extends SingleSend {
  readonly scheduledDate?: string | undefined;
}

/** Sends the group, and reads which messages were refused. Throws MsgError. */
export const sendGrouped = async (ctx: Ports, send: GroupSend) => {
  const id = newRunId(ctx.clock.now(), ctx.environment.random);
  const digest = hash("sha256", id);
  const made = { run: id, call: "send-many", source: "msg send", digest } as const;
  const run = groupedRun(ctx, send, made);
  const { reconcileMs } = send;
  // The same text may be meant for the same people once more: only send-many compares rows.
  const how = { reconcileMs, rate: undefined, again: true, isNew: true, goal: "finish" } as const;
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

/** One for each recipient, with its correlation id. */
const messagesOf = (
  { body: { message }, tagged }: SingleSend,
  run: string,
): readonly MessageInput[] =>
  [message.to ?? []]
    .flat()
    .map((to, at) =>
      tagged ? withCorrelationId({ ...message, to }, run, at + 1) : { ...message, to },
    );

/** Writes the run to the disk; nothing is sent yet. */
const groupedRun = (
  ctx: Ports,
  send: GroupSend,
  own: Pick<RunFile, "run" | "call" | "source" | "digest"> & Partial<RunFile>,
): RunFile => {
  const { body, tagged, isAdvertising, scheduledDate } = send;
  const { strict = false, allowDuplicates = false, agent } = body;
  const messages = messagesOf(send, own.run);
  const bytes = Buffer.from(JSON.stringify({ messages }));
  const file = singleRun(ctx, bytes, {
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
  writeSingleRun(storeOf(ctx), file, bytes);
  return file;
};

const agentOf = ({ appId, osPlatform, sdkVersion }: NonNullable<SingleSend["body"]["agent"]>) => ({
  ...(appId && { appId }),
  ...(osPlatform && { osPlatform }),
  ...(sdkVersion && { sdkVersion }),
});

export interface KeyedSend extends SingleSend {
  readonly key: string;
  /** How far back the key is looked for at the service. */
  readonly onceWithinMs: number;
  /** Throws MsgError where it may not be sent now. What was sent before is only shown. */
  readonly guard: () => Promise<number | undefined>;
}

/** The run that this machine has of the key, with its state; undefined where it has none. */
export const keptRun = (ctx: Ports, key: string) => {
  const store = storeOf(ctx);
  const id = findKeyedId(store, ctx.settings.profile.value, key);
  if (id === undefined) return undefined;
  const run = readRun(store, id);
  return { run, state: readState(store, run) };
};

/** Whether its message or its whole group was refused: nothing was sent, and it may be sent again. */
export const wasRefused = (run: RunFile, state: State | undefined): boolean => {
  if (!state || run.path !== "G" || state.cancel) return false;
  const { refused, accepted, unknown } = summarize(run, state);
  return refused > 0 && accepted + unknown === 0;
};

/** The run of the key, made where there is none. Exit 2 where it holds another message. */
export const runOfKey = async (ctx: Ports, keyed: KeyedSend): Promise<RunFile> => {
  const store = storeOf(ctx);
  // Before anything is written: what was sent is shown from a read-only disk, too.
  const kept = keptRun(ctx, keyed.key);
  if (kept && !wasRefused(kept.run, kept.state)) return sameOf(store, kept.run, keyed);
  ensurePrivateDir(store.files, store.folder, store.user);
  return withStartLock(store, () => {
    const other = keptRun(ctx, keyed.key);
    if (other && !wasRefused(other.run, other.state)) return sameOf(store, other.run, keyed);
    // The new run keeps the id: no other run that may be at work has its group.
    if (other) removeRun(store, other.run.run);
    return newRun(ctx, keyed, other?.run.run);
  });
};

const sameOf = (store: RunStore, run: RunFile, { key, body }: KeyedSend): RunFile => {
  if (run.digest === bodyDigest(body)) return run;
  throw usageError(t`another message was sent with --once ${key}`, {
    code: "OtherContent",
    where: store.folder,
    todo: t`nothing was sent; use another key for another message`,
  });
};

const bodyDigest = (body: SendBody): string => hash("sha256", JSON.stringify(body));

/** Whether another machine has sent it: asked where a guard stops the send before anything is planned. */
export const isSentElsewhere = async (ctx: Ports, keyed: KeyedSend): Promise<boolean> => {
  if (!keyed.tagged) return false;
  const run = singleRun(ctx, Buffer.alloc(0), { ...ownOf(ctx, keyed), path: "G", tagged: true });
  return isAllTaken(run, await findTakenRows(ctx, run));
};

/** Another id each time: other machines make runs with the same key. */
const ownOf = (ctx: Ports, { key, tagged, body, onceWithinMs }: KeyedSend) => {
  const digest = bodyDigest(body);
  return {
    run: newKeyedId(ctx.settings.profile.value, key, ctx.environment.random),
    call: "send" as const,
    digest,
    source: `send --once ${key}`,
    once: key,
    ...(tagged && { claim: keyedClaim(key, digest), onceWithinMs }),
  };
};

const newRun = (ctx: Ports, keyed: KeyedSend, id?: string): RunFile => {
  const { tagged, isAdvertising, body } = keyed;
  const own = { ...ownOf(ctx, keyed), ...(id !== undefined && { run: id }) };
  if (tagged) return groupedRun(ctx, keyed, own);
  const bytes = Buffer.from(JSON.stringify(body));
  const run = singleRun(ctx, bytes, {
    ...own,
    path: "S",
    tagged,
    ...(isAdvertising && { isAdvertising: true }),
  });
  writeSingleRun(storeOf(ctx), run, bytes);
  return run;
};

/** A message of the service's list as the answer to its send would have shown it. */
export const sendResultOf = (it: StoredMessage): SendResult => {
  const { messageId, accountId, statusCode, to, from, type, country } = it;
  const statusMessage = inEnglish(() => statusMeaning(statusCode));
  return { messageId, accountId, statusMessage, statusCode, to, from, type: type ?? "", country };
};
