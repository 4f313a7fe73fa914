/** `send --once <key>`: the same key sends once, however often the command is run, and wherever. */

import { hash } from "node:crypto";
import { detached } from "../../client/client.ts";
import { tokenAccount } from "../../client/token.ts";
import { wasRehearsed } from "../../config/settings.ts";
import type { StoredMessage } from "../../contract/message-records.ts";
import { listMessages } from "../../contract/messages.ts";
import { ensurePrivateDir, writeAtomically } from "../../durable/atomic-write.ts";
import { quietly } from "../../durable/files.ts";
import { MsgError } from "../../errors.ts";
import { asText, memberOf, readJson } from "../../json/read-json.ts";
import { t } from "../../locale/locale.ts";
import { refusedMessage } from "../../message/status.ts";
import type { Result } from "../../output/view.ts";
import type { Ports } from "../../ports.ts";
import { otherContentError } from "../claims/rivals.ts";
import { findTakenRows, isAllTaken } from "../claims/taken-rows.ts";
import { assertOwnRun } from "../guards/own-run.ts";
import type { State } from "../protocol/state.ts";
import { singleRun } from "../reconcile/resolve-request.ts";
import { endingOf, type RunResult } from "../report/ending.ts";
import { resumedStopError } from "../start/begin.ts";
import { noteSent, waitingFor } from "../start/once.ts";
import { workOnRun } from "../start/work.ts";
import { messagesOf, rowOutcomeOf } from "../store/row-outcomes.ts";
import { keyedClaim, type RunFile } from "../store/run-file.ts";
import { fileOf, findKeyedId, newKeyedId, readRun, storeOf } from "../store/run-folder.ts";
import { withStartLock } from "../store/run-lock.ts";
import { removeRun } from "../store/run-removal.ts";
import { readState, summarize } from "../store/summary.ts";
import type { SingleSend } from "./send-single.ts";
import { groupedRun, sendResultOf, writeSingleRun } from "./single-runs.ts";

interface KeyedSend extends SingleSend {
  readonly key: string;
  /** How far back the key is looked for at the service. */
  readonly onceWithinMs: number;
  /** Throws MsgError if it may not be sent now. A message that was sent before is only shown. */
  readonly guard: () => Promise<number | undefined>;
}

/** The record of the message, from the first command that sent it. Throws MsgError. */
export const sendKeyed = async (ctx: Ports, keyed: KeyedSend): Promise<Result> => {
  const { key, reconcileMs } = keyed;
  // Before anything is written: what was sent is shown from a read-only disk, too.
  const known = findKeyedRun(ctx, key);
  const planned = planOf(ctx, keyed, known?.run.run);
  const before = unlessUnsent(known, planned.run);
  if (before?.state?.ended) return showSent(ctx, before.run, before.state);
  const cost = await guardUnlessTaken(ctx, keyed, planned.run, before);
  const { run, state } = before ?? (await beginKeyed(ctx, planned));
  const found: { reply?: unknown; isOver?: boolean } = {};
  const finished = await workOnRun(ctx, run, {
    reconcileMs,
    again: true,
    goal: "finish",
    isNew: !state,
    onWorking: waitingFor(ctx, key),
    check: async (now) => {
      found.isOver = now?.ended === true;
      if (now && !now.ended && mayBeAtService(run, now)) await assertOwnRun(ctx, run);
    },
    onReply: (reply) => {
      found.reply = reply;
      saveReply(ctx, run, reply);
    },
  });
  const ending = endingOfKeyed(run, finished);
  if (ending) throw ending;
  if (found.isOver || finished.state.taken.length > 0) return showSent(ctx, run, finished.state);
  const record = found.reply ?? (await storedMessage(ctx, run, finished.state));
  return { record, beside: { cost: cost ?? null, alreadySent: false } };
};

/** The run of the key, which is not written yet. One that was refused keeps its id: no other run has its group. */
const planOf = (ctx: Ports, keyed: KeyedSend, known: string | undefined) => {
  const { key, tagged, body, onceWithinMs, isAdvertising } = keyed;
  const digest = hash("sha256", JSON.stringify(body));
  const { settings, environment } = ctx;
  const own = {
    run: known ?? newKeyedId(settings.profile.value, key, environment.random),
    call: "send" as const,
    digest,
    source: `send --once ${key}`,
    once: key,
  };
  if (tagged)
    return groupedRun(ctx, keyed, { ...own, claim: keyedClaim(key, digest), onceWithinMs });
  const bytes = Buffer.from(JSON.stringify(body));
  const ad = isAdvertising && { isAdvertising };
  return { run: singleRun(ctx, bytes, { ...own, path: "S", tagged, ...ad }), bytes };
};

interface OwnRun {
  readonly run: RunFile;
  readonly state: State | undefined;
}

/** This machine's run of the key. */
const findKeyedRun = (ctx: Ports, key: string): OwnRun | undefined => {
  const store = storeOf(ctx);
  const id = findKeyedId(store, ctx.settings.profile.value, key);
  if (id === undefined) return undefined;
  const run = readRun(store, id);
  return { run, state: readState(store, run) };
};

/** The same, but for one that sent nothing to this service. Throws MsgError (usage) where it holds another message. */
const unlessUnsent = (own: OwnRun | undefined, made: RunFile): OwnRun | undefined => {
  if (!own || wasRefused(own) || wasRehearsed(own.run, made)) return undefined;
  if (own.run.digest !== made.digest) throw otherContentError(made.once, t`run ${own.run.run}`);
  return own;
};

/** Whether its message or its whole group was refused: nothing was sent, and it may be sent again. */
const wasRefused = ({ run, state }: OwnRun): boolean => {
  if (!state || run.path !== "G" || state.cancel) return false;
  return summarize(run, state).refused > 0;
};

/** The cost. Shows what others have sent under the key, whatever would stop it now. Throws MsgError. */
const guardUnlessTaken = (
  ctx: Ports,
  { guard }: KeyedSend,
  made: RunFile,
  before: OwnRun | undefined,
): Promise<number | undefined> =>
  guard().catch(async (error: unknown) => {
    const isStop = error instanceof MsgError && error.kind === "stopped";
    if (isStop && isAllTaken(made, await findTakenRows(ctx, made))) return undefined;
    throw before ? resumedStopError(error, before.run, summarize(before.run, before.state)) : error;
  });

/** Writes it, unless another process did. */
const beginKeyed = (ctx: Ports, { run, bytes }: ReturnType<typeof planOf>): Promise<OwnRun> => {
  const store = storeOf(ctx);
  ensurePrivateDir(store.files, store.folder, store.user);
  return withStartLock(store, () => {
    const other = findKeyedRun(ctx, run.once ?? "");
    const kept = unlessUnsent(other, run);
    if (kept) return kept;
    if (other) removeRun(store, other.run.run);
    writeSingleRun(ctx, run, bytes);
    return { run, state: undefined };
  });
};

/** Another account would not know it: its absence there proves nothing. */
const mayBeAtService = (run: RunFile, state: State): boolean => {
  const { groups, unknown } = summarize(run, state);
  return groups.length + unknown > 0;
};

const saveReply = (ctx: Ports, { run }: RunFile, reply: unknown): void => {
  const store = storeOf(ctx);
  const bytes = Buffer.from(`${JSON.stringify(reply)}\n`);
  quietly(() => writeAtomically(store.files, fileOf(store, run, "reply.json"), bytes, store));
};

/** Undefined if the message was accepted, or was refused: then its record says why. */
const endingOfKeyed = (run: RunFile, finished: RunResult): MsgError | undefined => {
  const { ending, error, summary } = finished;
  if (summary.accepted > 0) return undefined;
  // The error of a read says nothing of a send that is still unclear.
  if (ending.type === "stopped" && error && summary.unknown === 0) return error;
  const unfinished = endingOf(run, finished);
  return unfinished?.kind === "partial" ? undefined : unfinished;
};

/**
 * Shows what was sent before: the record that is kept, or the service's if that is gone or damaged. Throws MsgError
 * (usage) where another account sent it: variables may hold the key of each in turn.
 */
const showSent = async (ctx: Ports, run: RunFile, state: State): Promise<Result> => {
  const store = storeOf(ctx);
  const kept = quietly(() => readJson(store.files.read(fileOf(store, run.run, "reply.json"))));
  const account = asText(memberOf(kept, "accountId")) ?? run.account;
  // A token may say nothing of its account, and may be one that may not read it.
  const isKnown = run.key !== null || tokenAccount(ctx.settings.credentials.value) !== undefined;
  await assertOwnRun(ctx, isKnown ? { ...run, account } : run);
  const record = kept ?? (await storedMessage(ctx, run, state));
  await noteSent(ctx, run, state);
  return { record, beside: { cost: 0, alreadySent: true } };
};

/**
 * The record as the service has it; only its group if that cannot be read. Throws MsgError if the message was
 * cancelled (exit 7) or refused (exit 10).
 */
const storedMessage = async (
  ctx: Ports,
  run: RunFile,
  state: State,
): Promise<object | undefined> => {
  const outcome = rowOutcomeOf(state, 0);
  if (outcome.type !== "taken") throw cancelledError(run);
  const groupId = outcome.group;
  // An operator said that it was accepted, without a group.
  if (groupId === "") return messagesOf(storeOf(ctx), run, 0)[0];
  const isRefused = summarize(run, state).accepted === 0;
  const message = await readMessage(ctx, groupId).catch((error: unknown) => {
    // It was sent, whatever keeps its record from being read.
    if (isRefused) throw error;
    return undefined;
  });
  if (isRefused) throw refusedMessage(message ?? { groupId, statusCode: "1030" });
  if (!message) return { groupId };
  const record = { ...sendResultOf(message), groupId };
  saveReply(ctx, run, record);
  return record;
};

const readMessage = async (ctx: Ports, groupId: string): Promise<StoredMessage | undefined> => {
  const client = await ctx.session.client();
  // A stopped command shows what was sent, too.
  const query = { groupId, limit: 1 };
  const { messageList } = await client.call(listMessages, { query }, detached);
  return Object.values(messageList)[0];
};

const cancelledError = ({ once }: RunFile): MsgError =>
  new MsgError("stopped", t`the message of --once ${once ?? ""} was cancelled before it was sent`, {
    code: "Cancelled",
    where: `--once ${once}`,
    todo: t`nothing was sent; another key sends it after all`,
    outcome: "not_sent",
  });
