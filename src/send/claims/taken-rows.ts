/** What others have sent of a run: for the guards and the prompt before it is begun, and for exports of its rest. */
import { type MsgError, passOver } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import type { Ports } from "../../ports.ts";
import { assertOwnRun } from "../guards/own-run.ts";
import { apply } from "../protocol/apply.ts";
import { afterListing, afterRival } from "../protocol/claims.ts";
import { statusOfRows } from "../protocol/group-status.ts";
import { countRows } from "../protocol/row-ranges.ts";
import { initialState, type State, type Taken, wasSent } from "../protocol/state.ts";
import { serviceTimes } from "../run/clocks.ts";
import type { EngineResult } from "../run/engine.ts";
import { sandboxAheadMs } from "../run/hours.ts";
import { readBody } from "../store/read-body.ts";
import { type RunFile, shapeOf } from "../store/run-file.ts";
import { storeOf } from "../store/run-folder.ts";
import { summarize } from "../store/summary.ts";
import { claimNameOf, otherPartsCode } from "./group-fields.ts";
import { createGroupFields } from "./message-fields.ts";
import { listRivals, readRival } from "./rivals.ts";

/**
 * Lists groups once, which proves only what was sent: the run lists them again. Empty if the list cannot
 * be read. Throws MsgError: usage if other messages were sent under the key, stopped if others have cut the
 * rows into another number of parts.
 */
export const findTakenRows = async (ctx: Ports, run: RunFile): Promise<readonly Taken[]> => {
  if (run.claim === undefined) return [];
  const { state, error } = await listTaken(ctx, run, { isReader: false });
  if (error?.kind === "usage" || error?.code === otherPartsCode) throw error;
  return state.taken;
};

/** The state of a run for those who send its unsent rows another way: others may have sent some of them since. */
export const withTakenRows = async (
  ctx: Ports,
  run: RunFile,
  known: State | undefined,
): Promise<State | undefined> => {
  if (run.claim === undefined || summarize(run, known).notSent === 0) return known;
  const listed = await assertOwnRun(ctx, run)
    .then(() => listTaken(ctx, run, { isReader: true, known }))
    .then(readScheduled)
    .catch(passOver);
  const rivals = listed?.isListed ? listed.state.rivals : undefined;
  if (rivals?.length !== 0)
    await ctx.note(
      t`msg cannot rule out that others have sent, or are sending, some of the unsent rows: sent again, they may go out twice`,
    );
  return listed?.state ?? known;
};

/** Only the own record of a group that waits for its hour says that it still does. */
const readScheduled = async ({ state, isListed, options }: Listed) => {
  let after = state;
  for (const { id, status } of state.rivals ?? []) {
    if (status !== "scheduled") continue;
    const outcome = await readRival(id, options);
    after = afterRival(after, id, outcome).reduce(apply, after);
  }
  return { state: after, isListed };
};

type Listed = Awaited<ReturnType<typeof listTaken>>;

/** `isReader`: no run follows that finds out what groups say, and reads those that someone has changed. */
const listTaken = async (
  ctx: Ports,
  run: RunFile,
  { isReader, known }: { readonly isReader: boolean; readonly known?: State | undefined },
) => {
  const store = storeOf(ctx);
  const client = await ctx.session.client();
  const { now } = ctx.clock;
  const aheadMs = await sandboxAheadMs(ctx);
  const before = known ?? initialState(shapeOf(run));
  // A journal may be older than the service: groups that it does not know as sent are asked about as those of others.
  const groups = before.groups.filter((it) => statusOfRows(before, it) !== "not-sent");
  const state = { ...before, groups, cancel: false };
  const found: { error?: MsgError } = {};
  const name = claimNameOf(run);
  const claim = name && {
    ...name,
    fields: createGroupFields(ctx, client, isReader),
    idleMs: () => 0,
  };
  const { earliest } = serviceTimes({ now, service: client.clock, aheadMs });
  const onError = (error: MsgError): void => {
    found.error = error;
  };
  const ids = state.groups.flatMap(({ id }) => id ?? []);
  const action = { type: "listRivals", own: [], known: ids, since: undefined } as const;
  const body = (chunk: number): Uint8Array => readBody(store, run, chunk);
  const options = { client, run, claim, earliest, onError, ...(isReader && { body }) };
  const listed = await listRivals(action, options).catch(passOver);
  const facts = afterListing(state, listed ?? { type: "unreadable" });
  const isListed = facts.some((it) => it.t === "rivals");
  return { state: facts.reduce(apply, state), isListed, error: found.error, options };
};

/** Whether other runs have sent all rows of a run. */
export const isAllTaken = (run: RunFile, taken: readonly Taken[]): boolean =>
  restBehind(run, taken).notSent <= 0;

/** Whether a run is done and sent nothing itself: other runs have sent its rows. */
export const isSentByOthers = ({
  ending,
  state: { taken, groups },
}: Pick<EngineResult, "ending" | "state">): boolean =>
  ending.type === "done" && taken.length > 0 && !groups.some(wasSent);

/** How many rows of a run are still to be sent, and what the others cost. */
export const restBehind = ({ messages }: RunFile, taken: readonly Taken[]) => ({
  notSent: messages - countRows(taken.flatMap(({ rows }) => rows)),
  cost: taken.reduce((sum, { cost }) => sum + cost, 0),
});
