/** Settles one call that was not answered: behind the fence, then by looking for its mark (sending.md 1). */
import { work } from "../../bulk/engine.ts";
import type { Journal } from "../../bulk/journal.ts";
import type { Entry, Signature } from "../../bulk/protocol/entries.ts";
import type { RunFile } from "../../bulk/run-file.ts";
import { newSalt, signingDate } from "../../client/sign.ts";
import type { Context } from "../../context.ts";
import { MsgError } from "../../errors.ts";
import { pacing } from "./pacing.ts";

/** The body of either call, marked with a run of its own. */
export interface OneCall {
  readonly run: string;
  readonly bytes: Uint8Array;
  readonly call: RunFile["call"];
  /** Recipients. */
  readonly rows: number;
  readonly tagged: boolean;
}

/** What became of a call that had to be settled. */
export interface Settled {
  readonly reply: unknown;
  readonly groupId: string;
  readonly accepted: number;
  readonly refused: number;
  readonly cost: number;
}

export interface Doubt {
  readonly signature: Signature;
  readonly error: MsgError;
  readonly settleMs: number;
}

/** Throws MsgError: unknown where it could not be settled, what the service says where it refused. */
export const settle = async (ctx: Context, one: OneCall, doubt: Doubt): Promise<Settled> => {
  await ctx.note("no answer came: checking with the service what became of it …");
  const { now, ticks, random, wait, signal, settings } = ctx;
  const found: { reply?: unknown } = {};
  const { state, error, ending } = await work({
    ...{ now, ticks, random, wait, signal },
    run: runOf(ctx, one),
    body: () => one.bytes,
    makeRoom: () => undefined,
    journal: inMemory([{ t: "POST_INTENT", chunk: 0, ...doubt.signature }]),
    client: await ctx.client(),
    signed: settings.credentials.value?.kind !== "token",
    goal: "finish",
    settleMs: doubt.settleMs,
    rate: undefined,
    fresh: () => ({ date: signingDate(now()), salt: newSalt(random) }),
    onState: () => undefined,
    onRefused: () => undefined,
    onReply: (reply) => {
      found.reply = reply;
    },
    mayStart: async () => undefined,
    ...pacing(ctx),
    onLostRecord: () => undefined,
  });
  const [chunk] = state.chunks;
  if (chunk?.at === "done" && chunk.accepted + chunk.refused > 0)
    return { ...chunk, reply: found.reply, groupId: chunk.group };
  if (ending.is === "stopped" && chunk?.at === "refused" && error) throw error;
  throw stillUnknown(one, doubt, signal.aborted);
};

const stillUnknown = (
  { tagged }: OneCall,
  { signature, error }: Doubt,
  stopped: boolean,
): MsgError => {
  const certain = new Date(Date.parse(signature.date) + 16 * 60_000).toISOString();
  const after = tagged
    ? `; if it is not there after ${certain}, it was not sent`
    : "; without the run's mark nothing proves that it was not sent";
  return new MsgError(stopped ? "interrupted" : "unknown", error.message, {
    code: stopped ? "Interrupted" : error.code,
    where: error.where,
    todo: `${error.todo ?? "do not run it again before you have looked: msg message list"}${after}`,
    outcome: "unknown",
    http: error.http,
    api: error.api,
    cause: error,
  });
};

const inMemory = (entries: readonly Entry[]): Journal => ({
  entries,
  append: () => undefined,
  close: () => undefined,
});

const runOf = (ctx: Context, one: OneCall): RunFile => ({
  ...{ version: 1, run: one.run, path: "S", call: one.call, tagged: one.tagged },
  started: ctx.now().toISOString(),
  profile: ctx.settings.profile.value,
  ...{ account: null, key: null, baseUrl: null, source: "", digest: "" },
  ...{ width: 1, concurrency: 1, strict: false, allowDuplicates: false },
  ...{ total: one.rows, skipped: 0, messages: one.rows, price: null, maxCost: null },
  chunks: [{ offset: 0, length: one.bytes.length, rows: one.rows, first: 1, sha256: "" }],
});
