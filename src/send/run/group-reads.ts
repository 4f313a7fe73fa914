/** What reads of groups mean for the protocol, and what is said where someone else has worked on one. */

import type { Attempt, Client } from "../../client/client.ts";
import { readGroup } from "../../contract/groups.ts";
import type { Group } from "../../contract/message-records.ts";
import { MsgError, type Todo } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { formatMessageCount } from "../../message/price.ts";
import type { Action, Outcome } from "../protocol/actions.ts";
import type { Counts } from "../protocol/entries.ts";
import { costOf, groupOutcome } from "../protocol/outcomes.ts";
import { readHeldChunks } from "../reconcile/run-groups.ts";
import type { RunFile } from "../store/run-file.ts";
import { isAnswerTo } from "./answer-matches.ts";
import { requestTimeMs } from "./claim-requests.ts";

interface ReadOptions {
  readonly client: Client;
  readonly run: RunFile;
  /** The service's time, in milliseconds, for requests that sign none. */
  readonly time: () => number;
  /** Why a group stops the run. */
  readonly onError: (error: MsgError) => void;
}

/** What a group that is counted, verified, checked or was sent reads as. */
export const readGroupAs = async (
  action: Extract<Action, { type: "count" | "verify" | "check" | "readSent" }>,
  options: ReadOptions,
): Promise<Outcome> => {
  const params = { groupId: action.id };
  const asked: { at?: number } = {};
  const onAttempt = (attempt: Attempt): void => {
    asked.at = requestTimeMs(attempt, options.time);
  };
  const group = await options.client.call(readGroup, { params }, { detached: true, onAttempt });
  if (!isAnswerTo(group, action.id, options.run)) return { type: "unreadable" };
  if (action.type === "verify" && action.signed !== undefined && asked.at !== undefined) {
    if (isOlderThanRequest(group, asked.at - Date.parse(action.signed))) return { type: "old" };
  }
  if (action.type === "check") return checkedOutcome(group, action.expected, options);
  return action.type === "readSent" ? sentOutcome(group, options) : openOutcome(group, options);
};

/** Others list a group for 25 hours, and it is sent for 23: so far a clock may be set in between. */
const settableMs = 60 * 60_000;

/**
 * Whether it is older than its run takes it for: the late answer to an earlier creation named it. Its own dates
 * tell, whose difference is the same by any clock; the later one is that of its last add.
 */
const isOlderThanRequest = ({ dateCreated, dateUpdated }: Group, ageMs: number): boolean =>
  Date.parse(dateUpdated) - Date.parse(dateCreated) > Math.max(0, ageMs) + settableMs;

/** What a group holds that someone else sent. */
export const readHeld = async (id: string, options: ReadOptions): Promise<Outcome> => {
  const { client, run } = options;
  const call = { detached: true } as const;
  const group = await client.call(readGroup, { params: { groupId: id } }, call);
  if (!isAnswerTo(group, id, run) || groupOutcome(group).type !== "group")
    return { type: "unreadable" };
  const held = run.tagged ? await readHeldChunks(client, run, id, call) : undefined;
  if (held) return { type: "held", held, cost: costOf(group) };
  options.onError(touchedError(group));
  return { type: "refused", status: 0, code: "GroupTouched" };
};

/** Of a group that is still being filled: why the run stops, where someone else did something with it. */
const openOutcome = (group: Group, { onError }: ReadOptions): Outcome => {
  const outcome = groupOutcome(group);
  if (outcome.type !== "group" || outcome.status === "open") return outcome;
  onError(outcome.status === "deleted" ? deletedError(group) : touchedError(group));
  return outcome;
};

const touchedError = (
  { groupId, status }: Group,
  what = t`someone else has changed a group of this run: it is ${status}`,
  next?: Todo,
): MsgError =>
  new MsgError("refused", what, {
    code: "GroupTouched",
    where: t`group ${groupId}`,
    outcome: "refused",
    todo: next ?? t`msg group get ${groupId} shows what was done to it`,
  });

const deletedError = (group: Group): MsgError =>
  touchedError(
    group,
    t`someone else has deleted a group of this run before it was sent`,
    ({ again = t`run it again` }) =>
      t`msg group get ${group.groupId} shows what was done to it; to fill another one instead, ${again}`,
  );

/** Of a group that an earlier process verified: why the run stops, where it holds something else now. */
const checkedOutcome = (group: Group, expected: Counts, { run, onError }: ReadOptions): Outcome => {
  const outcome = groupOutcome(group);
  if (outcome.type !== "group") return outcome;
  const { status, counts } = outcome;
  const differs = totalOf(counts) !== totalOf(expected) || counts.refused !== expected.refused;
  if (status === "open" && differs) onError(changedError(group, run, counts, expected));
  if (status === "scheduled") onError(touchedError(group));
  return outcome;
};

const totalOf = ({ accepted, refused }: Counts): number => accepted + refused;

const changedError = (group: Group, { run }: RunFile, counts: Counts, expected: Counts): MsgError =>
  touchedError(
    group,
    t`someone else has changed a group of this run: it holds ${formatMessageCount(totalOf(counts))}, and was filled with ${totalOf(expected)}`,
    ({ again = t`run it again` }) =>
      t`msg group get ${group.groupId} shows what was done to it, msg run cancel ${run} deletes it; when it holds what it was filled with, ${again}`,
  );

/** Reports why the run stops where it was deleted before a request to send it had arrived. */
const sentOutcome = (group: Group, { onError }: ReadOptions): Outcome => {
  const outcome = groupOutcome(group);
  if (outcome.type === "group" && outcome.status === "deleted") onError(deletedError(group));
  return outcome;
};
