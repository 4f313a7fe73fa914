/** The groups of a run as the service holds them: found by the run's id, whatever its folder says. */

import type { CallOptions, Client } from "../../client/client.ts";
import { deleteGroup, listGroups, readGroup } from "../../contract/groups.ts";
import type { Group } from "../../contract/message-records.ts";
import { listMessages } from "../../contract/messages.ts";
import { MsgError } from "../../errors.ts";
import type { RunFile } from "../../send/store/run-file.ts";

export interface Asking {
  readonly client: Client;
  readonly run: RunFile;
  readonly call: CallOptions;
  readonly wait: (ms: number) => Promise<void>;
}

/** Clocks differ: groups made as long before the run was planned are looked at too. */
const earlierMs = 24 * 60 * 60 * 1000;

/** When the first request of a run can have been made, for lists. */
export const sinceOf = ({ started }: RunFile): number => Date.parse(started) - earlierMs;

/**
 * Every group of the run that was sent, waits for its hour or failed, the oldest first. What was not sent
 * is deleted first: its own record then proves that it never will be. Throws MsgError (unknown) where that
 * cannot be found out.
 */
export const takenGroups = async (asking: Asking): Promise<readonly Group[]> => {
  const taken: Group[] = [];
  for (const { groupId } of await groupsOf(asking)) {
    const group = await settled(asking, groupId);
    if (group.status !== "DELETED") taken.push(group);
  }
  return taken.sort((one, other) => one.dateCreated.localeCompare(other.dateCreated, "en"));
};

const groupsOf = async (asking: Asking): Promise<readonly Group[]> => {
  const { client, run, call } = asking;
  const query = { startDate: new Date(sinceOf(run)).toISOString() };
  const found: Group[] = [];
  for await (const { rows } of client.pages(listGroups, { query }, call))
    for (const group of rows)
      if (group.status !== "DELETED" && (await isOfRun(asking, group))) found.push(group);
  return found;
};

/** A service that does not tell the fields of groups tells those of messages. */
const isOfRun = async (asking: Asking, { groupId, customFields, count }: Group) => {
  const { client, run, call } = asking;
  const mark = customFields?.["msg.run"];
  if (mark !== undefined || count.total === 0) return mark === run.run;
  const { messageList } = await client.call(listMessages, { query: { groupId, limit: 1 } }, call);
  return Object.values(messageList).some((it) => it.customFields?.["msg.run"] === run.run);
};

const mostTries = 5;
const betweenMs = 500;

const settled = async ({ client, call, wait }: Asking, groupId: string): Promise<Group> => {
  const params = { groupId };
  for (let tries = 0; ; tries += 1) {
    const group = await client.call(readGroup, { params }, call);
    if (group.status !== "PENDING") return group;
    if (tries === mostTries) throw stillOpen(group);
    if (tries > 0) await wait(betweenMs);
    await client.call(deleteGroup, { params }, call).catch(passUnlessStopped);
  }
};

/** Whether it was deleted or sent meanwhile, its record says. */
const passUnlessStopped = (error: unknown): void => {
  if (!(error instanceof MsgError) || error.kind === "interrupted") throw error;
};

const stillOpen = ({ groupId }: Group): MsgError =>
  new MsgError("unknown", `group ${groupId} of the run could not be deleted`, {
    code: "OutcomeUnknown",
    where: `group ${groupId}`,
    todo: `nothing was changed in the run's folder; msg group get ${groupId} shows it; run it again`,
    outcome: "unknown",
  });
