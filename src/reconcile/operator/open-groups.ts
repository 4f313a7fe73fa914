/** Groups of a run of which nobody knows whether they were sent: what the service shows of them. */

import type { Client } from "../../client/client.ts";
import { readGroup } from "../../contract/groups.ts";
import type { Group } from "../../contract/message-records.ts";
import { MsgError, type Problem } from "../../errors.ts";
import { formatMessageCount } from "../../message/counted.ts";
import type { Ports } from "../../ports.ts";
import type { Counts } from "../../send/protocol/entries.ts";
import type { State } from "../../send/protocol/state.ts";
import { countsOf } from "../../send/protocol/state.ts";
import type { RunFile } from "../../send/store/run-file.ts";
import { describeGroup } from "./open-requests.ts";

export interface UnknownGroup {
  readonly groupIndex: number;
  readonly groupId: string;
  /** Number of its first row in the source, and how many it was filled with. */
  readonly first: number;
  readonly rows: number;
  readonly counts: Counts;
  /** As the service shows it now; or why it does not. */
  readonly shown: Group | MsgError;
}

/** Reads each of them once more: what a run knows of a doubtful group is not what it holds. */
export const listUnknownGroups = async (
  ctx: Ports,
  run: RunFile,
  state: State,
): Promise<readonly UnknownGroup[]> => {
  const client = await ctx.session.client();
  const doubts: UnknownGroup[] = [];
  for (const group of state.groups) {
    if (group.status !== "sending") continue;
    const { groupIndex, id = "", chunks } = group;
    doubts.push({
      ...{ groupIndex, groupId: id },
      first: run.chunks[chunks[0] ?? 0]?.first ?? 1,
      rows: chunks.reduce((sum, at) => sum + (run.chunks[at]?.rows ?? 0), 0),
      counts: countsOf(state, group),
      shown: await shownOf(client, id),
    });
  }
  return doubts;
};

/** A group that the service does not show is the doubt itself, and no reason to stop. */
const shownOf = async (client: Client, groupId: string): Promise<Group | MsgError> => {
  try {
    return await client.call(readGroup, { params: { groupId } });
  } catch (error) {
    if (error instanceof MsgError && error.kind !== "interrupted") return error;
    throw error;
  }
};

/** What is to be seen of it: `group G4V… of …: PENDING, 4 messages, 0 won`, and what that means. */
export const evidenceOf = ({ groupId, shown }: UnknownGroup): string => {
  if (shown instanceof MsgError) return `group ${groupId} cannot be read: ${shown.message}`;
  const words = describeGroup(shown);
  return shown.status === "PENDING"
    ? `${words}; not sent until now, but a request that sends it may still arrive`
    : words;
};

/** A doubt with its evidence, as a line of an error. */
export const groupProblem = (doubt: UnknownGroup): Problem => ({
  code: "InDoubt",
  field: `group ${doubt.groupId}`,
  row: doubt.first,
  text: `filled with ${formatMessageCount(doubt.rows)}: ${evidenceOf(doubt)}`,
});
