/** The run of a key of `msg send --once`: one group of one message, or one call where it carries no mark. */

import { ensurePrivateDir } from "../../durable/atomic-write.ts";
import { usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import type { Ports } from "../../ports.ts";
import type { State } from "../protocol/state.ts";
import { sha256, singleRun, writeSingleRun } from "../reconcile/single-run.ts";
import { lookAhead } from "../run/look-ahead.ts";
import { isAllTaken } from "../start/once.ts";
import { removeRun } from "../start/run-removal.ts";
import { keyedClaim, type RunFile } from "../store/run-file.ts";
import {
  findKeyedId,
  newKeyedId,
  type RunStore,
  readRun,
  withStartLock,
} from "../store/run-folder.ts";
import { readState } from "../store/run-state.ts";
import { summarize } from "../store/summary.ts";
import { type GroupSend, groupedRun } from "./send-group.ts";

export interface KeyedRun extends Pick<GroupSend, "body" | "tagged" | "isAdvertising"> {
  readonly key: string;
  /** How far back the key is looked for at the service. */
  readonly onceWithinMs: number;
}

/** The run that this machine has of the key, and what became of it; undefined where it has none. */
export const keptRun = (
  ctx: Ports,
  store: RunStore,
  key: string,
): { readonly run: RunFile; readonly state: State | undefined } | undefined => {
  const id = findKeyedId(store, ctx.settings.profile.value, key);
  if (id === undefined) return undefined;
  const run = readRun(store, id);
  return { run, state: readState(store, run) };
};

/** Its one message was refused, or its group as a whole: nothing was sent, and it is filled anew. */
export const wasRefused = (run: RunFile, state: State | undefined): boolean => {
  if (!state || run.path !== "G" || state.cancel) return false;
  const { refused, accepted, unknown } = summarize(run, state);
  return refused > 0 && accepted + unknown === 0;
};

/** The run of the key, made where there is none. Exit 2 where it holds another message. */
export const runOfKey = async (ctx: Ports, store: RunStore, keyed: KeyedRun): Promise<RunFile> => {
  const digest = sha256(JSON.stringify(keyed.body));
  // What was sent is shown from a disk that cannot be written, too.
  const kept = keptRun(ctx, store, keyed.key);
  if (kept && !wasRefused(kept.run, kept.state)) return sameOf(store, kept.run, keyed, digest);
  ensurePrivateDir(store.files, store.folder, store.user);
  return withStartLock(store, () => {
    const other = keptRun(ctx, store, keyed.key);
    if (other && !wasRefused(other.run, other.state))
      return sameOf(store, other.run, keyed, digest);
    // Under the same id: its group is no other's, who may be at work.
    if (other) removeRun(store, other.run.run);
    return newRun(ctx, store, keyed, other?.run.run);
  });
};

const sameOf = (store: RunStore, run: RunFile, { key }: KeyedRun, digest: string): RunFile => {
  if (run.digest === digest) return run;
  throw usageError(t`another message was sent with --once ${key}`, {
    code: "OtherContent",
    where: store.folder,
    todo: t`nothing was sent; use another key for another message`,
  });
};

/** Whether another machine has sent it, for whom a guard stops before anything is planned. */
export const isSentElsewhere = async (ctx: Ports, keyed: KeyedRun): Promise<boolean> => {
  if (!keyed.tagged) return false;
  const run = singleRun(ctx, Buffer.alloc(0), { ...ownOf(ctx, keyed), path: "G", tagged: true });
  return isAllTaken(run, await lookAhead(ctx, run));
};

/** Another id each time: other machines make runs with the same key. */
const ownOf = (ctx: Ports, { key, tagged, body, onceWithinMs }: KeyedRun) => {
  const digest = sha256(JSON.stringify(body));
  return {
    run: newKeyedId(ctx.settings.profile.value, key, ctx.environment.random),
    ...({ call: "send", digest, source: `send --once ${key}`, once: key } as const),
    ...(tagged && { claim: keyedClaim(key, digest), onceWithinMs }),
  };
};

const newRun = (ctx: Ports, store: RunStore, keyed: KeyedRun, id?: string): RunFile => {
  const { tagged, isAdvertising, body } = keyed;
  const own = { ...ownOf(ctx, keyed), ...(id !== undefined && { run: id }) };
  if (tagged) return groupedRun(ctx, store, keyed, own);
  const bytes = Buffer.from(JSON.stringify(body));
  const run = singleRun(ctx, bytes, {
    ...{ ...own, path: "S", tagged },
    ...(isAdvertising && { isAdvertising: true }),
  });
  writeSingleRun(store, run, bytes);
  return run;
};
