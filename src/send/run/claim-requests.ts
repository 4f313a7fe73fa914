/** How a run learns of others with the same rows: what their groups say, and what becomes of those. */
import type { Attempt, CallOptions, Client } from "../../client/client.ts";
import { maxRows, type Reply } from "../../contract/endpoint.ts";
import { deleteGroup, listGroups, readGroup } from "../../contract/groups.ts";
import type { Group } from "../../contract/message-records.ts";
import { MsgError, usageError } from "../../errors.ts";
import type { Action, ListedGroup, Outcome } from "../protocol/actions.ts";
import { listed } from "../protocol/claims.ts";
import { groupOutcome } from "../protocol/outcomes.ts";
import { countRows, formatRows, parseRows, type Rows } from "../protocol/rows.ts";
import type { RunFile } from "../store/run-file.ts";
import { isTooOldAt, listedMs } from "./clocks.ts";

/** Who this run is among others, and how it treats them. */
export interface Claim {
  /** What the rows are: the same for all who send them. */
  readonly id: string;
  /** The key in place of the rows, as groups carry it. */
  readonly once?: string | undefined;
  /** Throws MsgError where another one that is at work is not waited for; resolves when it is time to look. */
  readonly giveWay: (run: string) => Promise<void>;
  /** Told of runs whose rows this one takes over. */
  readonly takeOver: (runs: readonly string[]) => void;
  /** How long ago someone worked on a group that was changed last then. */
  readonly movedAgoMs: (groupId: string, updated: string) => number;
}

interface ClaimOptions {
  readonly client: Client;
  readonly run: RunFile;
  readonly claim?: Claim | undefined;
  readonly onError: (error: MsgError) => void;
  /** The earliest that the service's time may be, in milliseconds. */
  readonly earliest: () => number;
}

/** The custom fields of a group that say whose rows it holds. */
export const claimFields = (
  { id, once }: Pick<Claim, "id" | "once">,
  rows: readonly Rows[],
): Readonly<Record<string, string>> => ({
  ...{ "msg.in": id, "msg.rows": formatRows(rows) },
  ...(once !== undefined && { "msg.once": once }),
});

/** What others have taken of a body is left out: the same rows make the same bytes. */
export const onlyRows = (bytes: Uint8Array, part: readonly Rows[]): Uint8Array => {
  const body: { readonly messages: readonly unknown[] } = JSON.parse(Buffer.from(bytes).toString());
  const messages = part.flatMap(({ from, to }) => body.messages.slice(from, to));
  return Buffer.from(JSON.stringify({ ...body, messages }));
};

const call: CallOptions = { detached: true };

type ClaimAction = Extract<Action, { type: "look" | "giveWay" | "readRival" | "deleteRival" }>;

/** Performs an action that is about others with the same rows. */
export const askOthers = async (action: ClaimAction, options: ClaimOptions): Promise<Outcome> => {
  switch (action.type) {
    case "look":
      return look(action, options);
    case "giveWay":
      await options.claim?.giveWay(action.run);
      return { type: "yes" };
    case "readRival":
      return readRival(action.id, options);
    case "deleteRival":
      return deleteRival(action.id, options);
  }
};

/** The groups with the rows of this run; where they wait for an hour, those too that were made long ago. */
const look = async (
  { own, since }: Extract<Action, { type: "look" }>,
  options: ClaimOptions,
): Promise<Outcome> => {
  const { scheduledDate, onceWithinMs = 0, plan, started } = options.run;
  const from = since === undefined ? options.earliest() : Date.parse(since);
  // A plan that is kept may have been sent at any time since it was made.
  const keptMs = plan === undefined ? 0 : from - Date.parse(started) + listedMs;
  const backMs = Math.max(listedMs, onceWithinMs, keptMs);
  const queries = [
    { startDate: new Date(from - backMs).toISOString() },
    ...(scheduledDate === undefined
      ? []
      : [{ criteria: "scheduledDate", cond: "eq", value: scheduledDate }]),
  ];
  const found = new Map<string, ListedGroup>();
  for (const query of queries)
    for (const group of await groupsLike(query, options.client)) {
      if (!isOfRows(group, options) || isBeyond(group, options.run)) continue;
      const listed = listedOf(group, options);
      if (listed === undefined) return { type: "unreadable" };
      found.set(listed.id, listed);
    }
  return listed(own, [...found.values()]);
};

/** Throws MsgError where a page is the answer to another request. */
export const groupsLike = async (
  query: Readonly<Record<string, string>>,
  client: Client,
): Promise<readonly Group[]> => {
  const groups: Group[] = [];
  for (let at: string | null = null; ; ) {
    const key: { startKey?: string } = at === null ? {} : { startKey: at };
    const all = { query: { ...query, ...key, limit: maxRows } };
    const page: Reply<typeof listGroups> = await client.call(listGroups, all, call);
    if (at !== null && page.startKey !== at) throw otherPage();
    groups.push(...Object.values(page.groupList));
    if (page.nextKey === null || page.nextKey === at) return groups;
    at = page.nextKey;
  }
};

const otherPage = (): MsgError =>
  new MsgError("refused", "the list of groups is the answer to another request", {
    code: "UnreadableAnswer",
    outcome: "refused",
  });

const isOfRows = (group: Group, { claim, run }: ClaimOptions): boolean => {
  if (fieldOf(group, "msg.run") === run.run) return true;
  return claim?.once === undefined
    ? fieldOf(group, "msg.in") === claim?.id
    : fieldOf(group, "msg.once") === claim.once;
};

/** The canary of another run went to numbers of its own, behind the rows that both have. */
const isBeyond = (group: Group, { run, messages }: RunFile): boolean =>
  fieldOf(group, "msg.run") !== run &&
  (parseRows(fieldOf(group, "msg.rows"))?.every(({ from }) => from >= messages) ?? false);

/** Sent once under the key of this run, and not with its rows. */
const isOfOtherRows = (group: Group, { claim, run }: ClaimOptions): boolean =>
  claim?.once !== undefined &&
  fieldOf(group, "msg.in") !== claim.id &&
  fieldOf(group, "msg.run") !== run.run;

export const fieldOf = ({ customFields }: Group, name: string): string | undefined => {
  const value: unknown = customFields?.[name];
  return typeof value === "string" ? value : undefined;
};

/** Rows that no one can read may be any. */
const anyRows: readonly Rows[] = [{ from: 0, to: Number.MAX_SAFE_INTEGER }];

/** A minute without a change: whoever filled it is gone, or stands still. */
const restMs = 60_000;

const listedOf = (group: Group, options: ClaimOptions): ListedGroup | undefined => {
  const { groupId: id, dateUpdated, dateSent } = group;
  const outcome = groupOutcome(group);
  if (outcome.type !== "group" || typeof id !== "string") return undefined;
  const named = isOfOtherRows(group, options) ? undefined : fieldOf(group, "msg.rows");
  const rows = parseRows(named) ?? anyRows;
  const { status, counts, cost } = outcome;
  const run = fieldOf(group, "msg.run") ?? "";
  const agoMs = options.claim?.movedAgoMs(id, dateUpdated) ?? restMs;
  return {
    ...{ id, run, rows, counts, cost, isMoving: agoMs < restMs },
    ...(typeof dateSent === "string" && { sent: dateSent }),
    status: isOtherwise(group, rows, status, options) ? "other" : status,
  };
};

/** Which of the rows went out, or when, cannot be known. */
const isOtherwise = (
  group: Group,
  rows: readonly Rows[],
  status: ListedGroup["status"],
  options: ClaimOptions,
): boolean => {
  const { run, onError } = options;
  if (status !== "sent" && status !== "scheduled") return false;
  if (isOfOtherRows(group, options)) {
    onError(otherContent(run.once, `group ${group.groupId}`));
    return true;
  }
  const { groupId, count, scheduledDate } = group;
  const held = count.registeredSuccess + count.registeredFailed;
  const isWhole = held === countRows(rows);
  const isOnTime =
    status === "sent" ||
    (run.scheduledDate !== undefined &&
      Date.parse(scheduledDate ?? "") === Date.parse(run.scheduledDate));
  if ((isWhole && isOnTime) || fieldOf(group, "msg.run") === run.run) return false;
  const what = isOnTime ? `${status} with ${held} messages` : `scheduled for ${scheduledDate}`;
  onError(
    new MsgError(
      "refused",
      `somebody else has worked on a group with the same rows: it is ${what}`,
      {
        code: "GroupTouched",
        where: `group ${groupId}`,
        outcome: "refused",
        todo: `msg group get ${groupId} shows what was done to it; ${run.once === undefined ? "--again" : "another key"} sends the rows whatever became of it`,
      },
    ),
  );
  return true;
};

/** Exit 2: the key was used before, for other messages. */
export const otherContent = (key: string | undefined, where: string): MsgError =>
  usageError(`other messages were sent with --once ${key}`, {
    code: "OtherContent",
    where,
    todo: "nothing was sent; use another key for other messages",
  });

/** What became of a group of another run, by its own record. */
const readRival = async (id: string, options: ClaimOptions): Promise<Outcome> =>
  rivalOutcome(
    await options.client.call(readGroup, { params: { groupId: id } }, call),
    id,
    options,
  );

/** An error proves nothing: the group is read then. */
const deleteRival = async (id: string, options: ClaimOptions): Promise<Outcome> => {
  const params = { groupId: id };
  const deleted = await options.client
    .call(deleteGroup, { params }, call)
    .catch((error: unknown) => passUnlessStopped(error));
  const outcome = deleted && rivalOutcome(deleted, id, options);
  const isProven = outcome?.type === "list" && outcome.groups[0]?.status === "deleted";
  return isProven ? outcome : readRival(id, options);
};

const passUnlessStopped = (error: unknown): undefined => {
  if (!(error instanceof MsgError) || error.kind === "interrupted") throw error;
};

const rivalOutcome = (group: Group, id: string, options: ClaimOptions): Outcome => {
  if (group.groupId !== id || !isOfRows(group, options)) return { type: "unreadable" };
  const read = listedOf(group, options);
  return read ? { type: "list", groups: [read] } : { type: "unreadable" };
};

/** The code of the error that keeps the send of a group from leaving.*/
export const groupTooOld = "GroupTooOld";

/** Throws MsgError where others that send the same rows may not see the group any more when the request arrives. */
export const assertYoung = (
  made: string | undefined,
  attempt: Attempt,
  time: () => number,
): void => {
  if (made === undefined || !isTooOldAt(made, dateOf(attempt, time))) return;
  throw new MsgError("stopped", "the group was made too long ago to be sent", {
    code: groupTooOld,
    outcome: "not_sent",
  });
};

/** The date of a request, in milliseconds: an access token signs none. */
export const dateOf = ({ signature }: Attempt, time: () => number): number =>
  signature ? Date.parse(signature.date) : time();
