/** What others have sent of a run before it is begun: for the guards and the prompt, which are about the rest. */
import { type MsgError, passOver } from "../../errors.ts";
import type { Ports } from "../../ports.ts";
import { claimNameOf, otherPartsCode } from "../claims/group-fields.ts";
import { groupMarks } from "../claims/group-marks.ts";
import { apply } from "../protocol/apply.ts";
import { afterListing } from "../protocol/claims.ts";
import { initialState, type Taken } from "../protocol/state.ts";
import { type RunFile, shapeOf } from "../store/run-file.ts";
import { listRivals } from "./claim-requests.ts";
import { serviceTimes } from "./clocks.ts";
import { sandboxAheadMs } from "./hours.ts";

/**
 * Lists groups once, which proves only what was sent: the run lists them again. Empty if the list cannot
 * be read. Throws MsgError: usage if other messages were sent under the key, stopped if others have cut the
 * rows into another number of parts.
 */
export const findTakenRows = async (ctx: Ports, run: RunFile): Promise<readonly Taken[]> => {
  const name = claimNameOf(run);
  if (!name) return [];
  const client = await ctx.session.client();
  const { now } = ctx.clock;
  const aheadMs = await sandboxAheadMs(ctx);
  const state = initialState(
    shapeOf(run, { signed: true, goal: "finish", claim: { run: run.run } }),
  );
  const found: { error?: MsgError } = {};
  const claim = { ...name, marks: groupMarks(ctx, client), movedAgoMs: () => 0 };
  const { earliest } = serviceTimes({ now, service: client.clock, aheadMs });
  const onError = (error: MsgError): void => {
    found.error = error;
  };
  const action = { type: "listRivals", own: [], known: [], since: undefined } as const;
  const listed = await listRivals(action, { client, run, claim, earliest, onError }).catch(
    passOver,
  );
  const outcome = listed ?? { type: "unreadable" };
  if (found.error?.kind === "usage" || found.error?.code === otherPartsCode) throw found.error;
  return afterListing(state, outcome).reduce(apply, state).taken;
};
