/** The groups of a run as the service holds them: found by the run's id, whatever its folder says. */

import type { CallOptions, Client } from "../../client/client.ts";
import { deleteGroup, listGroups, readGroup } from "../../contract/groups.ts";
import type { Group } from "../../contract/message-records.ts";
import { listMessages } from "../../contract/messages.ts";
import { MsgError } from "../../errors.ts";
import type { RunFile } from "../../send/store/run-file.ts";

export interface RunReader {
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
export const takenGroups = async (reader: RunReader): Promise<readonly Group[]> => {
  const taken: Group[] = [];
  for (const { groupId } of await groupsOf(reader)) {
    const group = await finalGroup(reader, groupId);
    if (group.status !== "DELETED") taken.push(group);
  }
  return taken.sort((one, other) => one.dateCreated.localeCompare(other.dateCreated, "en"));
};

const groupsOf = async (reader: RunReader): Promise<readonly Group[]> => {
  const { client, run, call } = reader;
  const query = { startDate: new Date(sinceOf(run)).toISOString() };
  const found: Group[] = [];
  for await (const { rows } of client.pages(listGroups, { query }, call))
    for (const group of rows)
      if (group.status !== "DELETED" && (await isOfRun(reader, group))) found.push(group);
  return found;
};

/** A service that does not show the custom fields of groups shows those of messages. */
const isOfRun = async (reader: RunReader, { groupId, customFields, count }: Group) => {
  const { client, run, call } = reader;
  const named = customFields?.["msg.run"];
  if (named !== undefined || count.total === 0) return named === run.run;
  const { messageList } = await client.call(listMessages, { query: { groupId, limit: 1 } }, call);
  return Object.values(messageList).some((it) => it.customFields?.["msg.run"] === run.run);
};

const maxTries = 5;
const betweenMs = 500;

const finalGroup = async ({ client, call, wait }: RunReader, groupId: string): Promise<Group> => {
  const params = { groupId };
  for (let tries = 0; ; tries += 1) {
    const group = await client.call(readGroup, { params }, call);
    if (group.status !== "PENDING") return group;
    if (tries === maxTries) throw stillOpenError(group);
    if (tries > 0) await wait(betweenMs);
    await client.call(deleteGroup, { params }, call).catch(passUnlessStopped);
  }
};

/** Whether it was deleted or sent meanwhile, its record says. */
const passUnlessStopped = (error: unknown): void => {
  if (!(error instanceof MsgError) || error.kind === "interrupted") throw error;
};

const stillOpenError = ({ groupId }: Group): MsgError =>
  new MsgError("unknown", `group ${groupId} of the run could not be deleted`, {
    code: "OutcomeUnknown",
    where: `group ${groupId}`,
    todo: `nothing was changed in the run's folder; msg group get ${groupId} shows it; run it again`,
    outcome: "unknown",
  });
