/** Whether the service has more of a run than its journal: the folder may be restored from a copy. */

import { readGroup } from "../../contract/groups.ts";
import { listMessages } from "../../contract/messages.ts";
import type { Ports } from "../../ports.ts";
import { rowOf } from "../messages/correlation.ts";
import { isTaken } from "../protocol/outcomes.ts";
import { type Group, type State, wasSent } from "../protocol/state.ts";
import { recipientOf } from "../store/row-outcomes.ts";
import type { RunFile } from "../store/run-file.ts";
import { storeOf } from "../store/run-folder.ts";
import { plannedMessages, sinceOf } from "./run-groups.ts";

/**
 * Looks for the first row that the journal says is not sent, and for the first that is in no group that
 * was filled: a run fills all its groups before it sends the first, so what was sent later is found by these. A group
 * that the journal knows as filled is left to the protocol: the service sends it once.
 */
export const isOlderThanService = async (
  ctx: Ports,
  run: RunFile,
  state: State | undefined,
): Promise<boolean> => {
  if (run.path !== "G") return hasLaterCalls(ctx, run, state);
  const client = await ctx.session.client();
  for (const chunk of decisiveChunks(run, state))
    for (const groupId of await findGroups(ctx, run, chunk)) {
      const isOfOthers = state?.taken.some(({ id }) => id === groupId);
      const known = state?.groups.filter(({ id }) => id === groupId) ?? [];
      if (known.some(({ status }) => isOfOthers || !isNeverSent.has(status))) continue;
      const { status } = await client.call(readGroup, { params: { groupId } });
      // An unknown group is enough: its id is written down before anything is added to it.
      if (known.length === 0 ? status !== "DELETED" : isTaken(status)) return true;
    }
  return false;
};

/**
 * Calls begin in the order of their chunks, `concurrency` at a time: the first of those that the journal does not
 * know show whether any was made. Looks in two ways: an empty list may be the answer to another request, and no
 * later list shows the calls, as the list of groups shows what a run with groups has sent.
 */
const hasLaterCalls = async (ctx: Ports, run: RunFile, state: State | undefined) => {
  const isPlanned = (at: number): boolean => (state?.chunks[at]?.status ?? "planned") === "planned";
  const planned = [...run.chunks.keys()].filter(isPlanned).slice(0, run.concurrency);
  const startDate = new Date(sinceOf(run)).toISOString();
  for (const chunk of planned)
    for (const since of [{}, { startDate }])
      if ((await findGroups(ctx, run, chunk, since)).size > 0) return true;
  return false;
};

/** The journal says that no request sends a group in this state. */
const isNeverSent: ReadonlySet<Group["status"]> = new Set(["filling", "abandoned", "cancelled"]);
const isFilled = new Set<Group["status"]>(["verified", "sending", "sent", "failed", "cancelled"]);

/** The two chunks that are looked for; one if they are the same, none if all is sent. */
const decisiveChunks = (run: RunFile, state: State | undefined): ReadonlySet<number> => {
  // A group that is not filled may be sent by now, or have another in its place.
  const groups = state?.groups.filter(({ status }) => isFilled.has(status)) ?? [];
  const isIn = (some: readonly Group[], at: number): boolean =>
    some.some(({ chunks }) => chunks.includes(at));
  const sent = groups.filter(wasSent);
  const firstUnsent = run.chunks.findIndex((_, at) => !isIn(sent, at));
  const firstUnfilled = run.chunks.findIndex((_, at) => !isIn(groups, at));
  return new Set([firstUnsent, firstUnfilled].filter((at) => at >= 0));
};

const findGroups = async (
  ctx: Ports,
  run: RunFile,
  at: number,
  since: { readonly startDate?: string } = {},
): Promise<ReadonlySet<string>> => {
  const found = new Set<string>();
  const chunk = run.chunks[at];
  const messages = chunk && plannedMessages(storeOf(ctx), run, at);
  // Without the plan no group can be filled either, so none is sent that the journal does not know.
  if (!chunk || !messages) return found;
  const to = recipientOf(messages[0]);
  const client = await ctx.session.client();
  const query = to === undefined ? since : { ...since, to };
  for await (const { rows } of client.pages(listMessages, { query })) {
    for (const { customFields, groupId } of rows)
      if (customFields?.["msg.run"] === run.run && rowOf(customFields) === chunk.first)
        found.add(groupId);
    if (rows.some((it) => Date.parse(it.dateCreated) < sinceOf(run))) return found;
  }
  return found;
};
