/** `send --once <key>`: the same key sends once, however often the command is run, and wherever. */

import { detached } from "../../client/client.ts";
import { listMessages } from "../../contract/messages.ts";
import { writeAtomically } from "../../durable/atomic-write.ts";
import { quietly } from "../../durable/files.ts";
import type { Busy } from "../../durable/lease.ts";
import { MsgError, usageError } from "../../errors.ts";
import { readJson } from "../../json/read-json.ts";
import { shownTime, t } from "../../locale/locale.ts";
import { refusedMessage } from "../../message/status.ts";
import type { Result } from "../../output/view.ts";
import type { Ports } from "../../ports.ts";
import { signingKeyTail } from "../../session/stored-credentials.ts";
import type { State } from "../protocol/state.ts";
import { howToVerify, unknownSend } from "../reconcile/resolve-request.ts";
import { endingOf, howToDecide, type RunResult } from "../report/ending.ts";
import { keyStopError } from "../start/begin.ts";
import { timeOf, waitingFor } from "../start/once.ts";
import { assertOwnRun, assertSameService } from "../start/own-run.ts";
import { workOnRun } from "../start/work.ts";
import { messagesOf, rowOutcomeOf } from "../store/row-outcomes.ts";
import type { RunFile } from "../store/run-file.ts";
import { fileOf, type RunStore, storeOf } from "../store/run-folder.ts";
import { readState, summarize } from "../store/summary.ts";
import {
  isSentElsewhere,
  type KeyedSend,
  keptRun,
  runOfKey,
  sendResultOf,
  wasRefused,
} from "./single-runs.ts";

/** The record of the message: of the first command that sent it. Throws MsgError. */
export const sendKeyed = async (ctx: Ports, keyed: KeyedSend): Promise<Result> => {
  const store = storeOf(ctx);
  const cost = await guardKeyed(ctx, keyed);
  const { run, sent, isNew } = await sendOnce(ctx, keyed);
  const record = sent ?? (await keptRecord(ctx, run));
  if (!isNew) {
    const [taken] = readState(store, run)?.taken ?? [];
    await ctx.note(t`already sent at ${timeOf(ctx, taken?.sent ?? run.started)}; not sent again`);
  }
  return { record, beside: { cost: isNew ? (cost ?? null) : 0, alreadySent: !isNew } };
};

/** What is kept; the service's where that is gone or damaged. */
const keptRecord = async (ctx: Ports, run: RunFile): Promise<unknown> => {
  const store = storeOf(ctx);
  const kept = quietly(() => readJson(store.files.read(fileOf(store, run.run, replyFile))));
  if (kept !== undefined) return kept;
  return storedMessage(ctx, run).catch((error: unknown) => {
    const { accepted, groups } = summarize(run, readState(store, run));
    // It was sent, whatever keeps its record from being read.
    if (accepted === 0) throw error;
    return { groupId: groups[0] };
  });
};

const replyFile = "reply.json";

const sendOnce = async (ctx: Ports, keyed: KeyedSend) => {
  const store = storeOf(ctx);
  const run = await runOfKey(ctx, keyed);
  const before = readState(store, run);
  if (before?.ended) return { run, isNew: false };
  if (before && run.path === "G") await assertOwnRun(ctx, run);
  const found: { reply?: unknown; isKept?: boolean; isOver?: boolean } = {};
  const keepReply = (reply: unknown): void => {
    found.reply = reply;
    // Before another process with the same key may look for it.
    found.isKept = keep(store, fileOf(store, run.run, replyFile), reply);
  };
  const finished = await workOnRun(ctx, run, {
    reconcileMs: keyed.reconcileMs,
    rate: undefined,
    again: true,
    isNew: !before,
    goal: "finish",
    onWorking: waitingAtMost(ctx, keyed),
    // Under the lock: a send by another command with the same key may be unclear only now.
    check: (state) => {
      found.isOver = state?.ended === true;
      assertSameCaller(ctx, keyed, run, state);
    },
    onReply: keepReply,
  });
  const ending = endingOfKeyed(run, finished, keyed.key);
  if (ending) throw ending;
  if (finished.summary.accepted === 0 && run.path === "G") await storedMessage(ctx, run);
  const isOwn = !found.isOver && finished.state.taken.length === 0 && run.path === "G";
  const stored = isOwn ? await storedMessage(ctx, run).catch(() => undefined) : undefined;
  if (stored !== undefined) keepReply(stored);
  else if (isOwn) found.reply = { groupId: finished.summary.groups[0] };
  // The answer, where it could not be kept.
  const sent = found.isKept ? undefined : found.reply;
  return { run, sent, isNew: isOwn || found.reply !== undefined };
};

/** Throws MsgError where the other process takes too long. */
const waitingAtMost = (ctx: Ports, { key, reconcileMs }: KeyedSend): ((busy: Busy) => void) => {
  const note = waitingFor(ctx, key);
  const maxWaitMs = 4 * (ctx.settings.timeoutMs.value ?? defaultTimeoutMs) + reconcileMs;
  return (busy) => {
    if (busy.waitedMs > maxWaitMs) throw stillSending(key, busy.holder);
    note(busy);
  };
};

const defaultTimeoutMs = 30_000;

const stillSending = (key: string, holder: string): MsgError =>
  new MsgError("stopped", t`another msg (process ${holder}) is still sending --once ${key}`, {
    code: "RunInUse",
    where: `--once ${key}`,
    todo: t`run it again later with --once ${key}: it shows what became of it`,
    outcome: "unknown",
  });

/** The cost where it may be sent; undefined where it was sent already. Throws MsgError where it may not. */
const guardKeyed = async (ctx: Ports, keyed: KeyedSend): Promise<number | undefined> => {
  const { key, guard } = keyed;
  const kept = keptRun(ctx, key);
  if (kept?.state?.ended && !wasRefused(kept.run, kept.state)) return undefined;
  const isUnclear = kept?.state !== undefined && summarize(kept.run, kept.state).unknown > 0;
  return guard().catch(async (error: unknown) => {
    if (isUnclear && error instanceof MsgError) throw keyStopError(error, key);
    if (!(error instanceof MsgError) || error.kind !== "stopped") throw error;
    if (!(await isSentElsewhere(ctx, keyed))) throw error;
    return undefined;
  });
};

const keep = (store: RunStore, path: string, reply: unknown): boolean =>
  quietly(() => {
    writeAtomically(store.files, path, Buffer.from(`${JSON.stringify(reply)}\n`), store);
    return true;
  }) ?? false;

/**
 * Throws MsgError (usage) where an unclear send was made at another address or with another key: that key may belong
 * to another account, where its absence proves nothing.
 */
const assertSameCaller = (
  ctx: Ports,
  { key }: KeyedSend,
  run: RunFile,
  state: State | undefined,
): void => {
  const [chunk] = state?.chunks ?? [];
  if (!chunk || !("signature" in chunk)) return;
  assertSameService(ctx, run);
  if (chunk.signature.key === signingKeyTail(ctx)) return;
  throw usageError(
    t`the outcome of --once ${key} is unclear, and it was sent with other credentials`,
    {
      code: "OtherKey",
      where: chunk.signature.key
        ? t`sent ${shownTime(chunk.signature.date)}, key …${chunk.signature.key}`
        : t`sent ${shownTime(chunk.signature.date)}, access token`,
      todo: t`nothing was sent now; run it again with those credentials`,
    },
  );
};

/** Undefined where the message was accepted, or was refused: then its record says why. */
const endingOfKeyed = (run: RunFile, finished: RunResult, key: string): MsgError | undefined => {
  const { ending, error, summary } = finished;
  if (summary.accepted > 0) return undefined;
  // The error of a read says nothing of a send that is still unclear.
  if (ending.type === "stopped" && error && summary.unknown === 0) return error;
  const unfinished = endingOf(run, { ...finished, problems: [] });
  if (!unfinished || unfinished.kind === "partial") return undefined;
  const { kind, code, message, outcome } = unfinished;
  const todo =
    code === "PlanDamaged"
      ? t`put plan.jsonl back as it was, then run it again with --once ${key}; ${howToDecide(key)}`
      : todoOf(run, ending, key);
  return new MsgError(kind, message, { code, where: `--once ${key}`, todo, outcome });
};

const todoOf = ({ tagged, path }: RunFile, ending: RunResult["ending"], key: string): string => {
  if (ending.type !== "unknown" || path === "G")
    return t`run it again with --once ${key}: it is sent once, however often that is done`;
  const { signature } = ending;
  if (!tagged || !signature)
    return t`look what became of it: msg message list; then msg run reconcile ${key}`;
  const again = signature.key
    ? t`run it again with --once ${key}: it looks what became of this, and sends once`
    : t`run it again with --once ${key}: it looks what became of this, and sends once; or say what you know: msg run reconcile ${key} --not-sent 1`;
  return howToVerify(unknownSend(again, tagged, signature));
};

/**
 * The record as the service has it, where it was not kept here: the process ended before, or `msg run` ended the run.
 * Throws MsgError where the message was cancelled (exit 7) or refused (exit 10).
 */
const storedMessage = async (ctx: Ports, run: RunFile): Promise<unknown> => {
  const store = storeOf(ctx);
  const state = readState(store, run);
  const outcome = rowOutcomeOf(state, 0);
  if (outcome.type !== "taken") throw cancelled(run);
  const groupId = outcome.group;
  // An operator said that it was accepted, without a group.
  if (groupId === "") return messagesOf(store, run, 0)[0];
  const client = await ctx.session.client();
  // A stopped command shows what was sent, too.
  const query = { groupId, limit: 1 };
  const { messageList } = await client.call(listMessages, { query }, detached);
  const [message] = Object.values(messageList);
  if (summarize(run, state).accepted === 0)
    throw refusedMessage(message ?? { groupId, statusCode: "1030" });
  return { ...(message && sendResultOf(message)), groupId };
};

const cancelled = ({ once }: RunFile): MsgError =>
  new MsgError("stopped", t`the message of --once ${once ?? ""} was cancelled before it was sent`, {
    code: "Cancelled",
    where: `--once ${once}`,
    todo: t`nothing was sent; another key sends it after all`,
    outcome: "not_sent",
  });
