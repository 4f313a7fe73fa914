/** What groups carry of the rows that they hold, how they are listed, and the same rows cut into other parts. */

import { type Client, detached } from "../../client/client.ts";
import { maxRows, type Reply } from "../../contract/endpoint.ts";
import { listGroups } from "../../contract/groups.ts";
import type { Group } from "../../contract/message-records.ts";
import { MsgError, type Todo } from "../../errors.ts";
import { asRecord, asText } from "../../json/read-json.ts";
import { shownTime, t } from "../../locale/locale.ts";
import { partName } from "../parts/part.ts";
import { formatRows, overlap, parseRows, type RowRange } from "../protocol/row-ranges.ts";
import { keyDigest, type RetriedRun, type RunFile } from "../store/run-file.ts";

/** Whose rows a group holds. */
export interface ClaimName {
  /** What the rows are: the same for all who send them. */
  readonly id: string;
  /** The key in place of the rows, as groups carry it. */
  readonly once?: string | undefined;
  /** `3/8`: which of several workers on the rows this is; each has rows of its own. */
  readonly worker?: string | undefined;
  /** The run that it is a retry of, and those that this run itself was a retry of. */
  readonly retriedRuns?: readonly RetriedRun[] | undefined;
}

/** Whose rows a run sends; undefined if they are no one else's. */
export const claimNameOf = (run: RunFile): ClaimName | undefined => {
  const { claim: id, once: key, part, retriedRuns } = run;
  const once = key === undefined ? undefined : keyDigest(key);
  return id === undefined ? undefined : { id, once, worker: partName(part), retriedRuns };
};

/** The rows of a run, or of its part, as one string. */
export const claimKey = (id: string, worker: string | undefined): string =>
  worker === undefined ? id : `${id} ${worker}`;

/** The custom fields of a group that say whose rows it holds. */
export const claimFields = (
  { id, once, worker, retriedRuns = [] }: ClaimName,
  rows: readonly RowRange[],
): Readonly<Record<string, string>> => ({
  "msg.in": id,
  "msg.rows": formatRows(rows),
  ...(worker !== undefined && { "msg.worker": worker }),
  ...(once !== undefined && { "msg.once": once }),
  ...fieldsNamed("msg.retry", retriedRuns.map(retryKey)),
  ...fieldsNamed("msg.of", claimsOf(retriedRuns)),
});

/** A field for each value, since one holds at most 100 characters: `msg.retry`, `msg.retry.2` … */
const fieldsNamed = (name: string, values: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(values.map((it, at) => [at === 0 ? name : `${name}.${at + 1}`, it]));

const retryKey = ({ run, status }: Pick<RetriedRun, "run" | "status">): string =>
  status === "refused" ? run : `${run} ${status}`;

const claimsOf = (retriedRuns: readonly RetriedRun[]): readonly string[] =>
  retriedRuns.flatMap(({ claim }) => claim ?? []);

/** Throws MsgError if a page is the answer to another request. */
export const queryGroups = async (
  query: Readonly<Record<string, string>>,
  client: Client,
): Promise<readonly Group[]> => {
  const groups: Group[] = [];
  for (let at: string | null = null; ; ) {
    const key: { startKey?: string } = at === null ? {} : { startKey: at };
    const all = { query: { ...query, ...key, limit: maxRows } };
    const page: Reply<typeof listGroups> = await client.call(listGroups, all, detached);
    if (at !== null && page.startKey !== at)
      throw otherAnswerError(t`the list of groups is the answer to another request`);
    groups.push(...Object.values(page.groupList));
    // On the last page it may be null, empty or left out.
    if (!page.nextKey || page.nextKey === at) return groups;
    at = page.nextKey;
  }
};

export const otherAnswerError = (what: string): MsgError =>
  new MsgError("refused", what, {
    code: "UnreadableAnswer",
    outcome: "refused",
  });

export const unlistedError = ([id = ""]: readonly string[]): MsgError =>
  new MsgError("refused", t`the service's list of groups does not show a group of this run`, {
    code: "GroupUnlisted",
    where: t`group ${id}`,
    todo: ({ again = t`run it again` }) =>
      t`others with the same rows are looked for in that list; when msg group list shows the group, ${again}`,
  });

/** A group, or a message of one, with what it says of its run. */
export type WithFields = Pick<Group, "customFields">;

export const customField = ({ customFields }: WithFields, name: string): string | undefined =>
  asText(customFields?.[name]);

/**
 * Whether a group that was made says that it holds these rows: the late answer to an earlier request of the
 * same run names a group that says something else, and others would rely on that.
 */
export const isMadeFor = (group: Group, rows: readonly RowRange[]): boolean =>
  [undefined, formatRows(rows)].includes(customField(group, "msg.rows"));

/** Whether a group has the same rows in another number of parts; a deleted one was never sent. */
export const isSplitDifferently = (group: Group, claim: ClaimName | undefined): boolean => {
  if (claim === undefined || customField(group, "msg.in") !== claim.id) return false;
  const partsOf = (worker: string | undefined): string => worker?.split("/")[1] ?? "1";
  return (
    partsOf(customField(group, "msg.worker")) !== partsOf(claim.worker) &&
    group.status !== "DELETED"
  );
};

/** What rows are known by: themselves, the runs that they are a retry of, and what those knew them by. */
interface Names {
  readonly rows: string;
  readonly retries: readonly string[];
  readonly of: readonly string[];
}

const namesIn = (group: WithFields): Names => ({
  rows: claimKey(customField(group, "msg.in") ?? "", customField(group, "msg.worker")),
  retries: valuesNamed(group, "msg.retry"),
  of: valuesNamed(group, "msg.of"),
});

/**
 * Whether a group that was not given up holds rows of this run under another name: for the original list, those of
 * a retry; for a retry, those of others who send the original list, or retry it too.
 */
export const isOfRetry = (group: Group, { id, worker, retriedRuns = [] }: ClaimName): boolean => {
  const own = {
    rows: claimKey(id, worker),
    retries: retriedRuns.map(retryKey),
    of: claimsOf(retriedRuns),
  };
  const holdsOthers = retriedRuns.some(({ sent }) => sent.includes(group.groupId));
  return !holdsOthers && isRetry(group, own);
};

const isRetry = (group: Group, own: Names): boolean => {
  if (isGivenUp(group)) return false;
  const { rows, retries, of } = namesIn(group);
  const isOfSameRun = retries.some((it) => own.retries.includes(it));
  const isOfSameList = of.some((it) => own.of.some((its) => mayBeSame(it, its)));
  const isSibling = rows !== own.rows && (isOfSameRun || isOfSameList);
  const isRetryOfOwn = of.some((it) => mayBeSame(it, own.rows));
  const isRetriedByOwn = own.of.some((it) => mayBeSame(it, rows));
  return isRetryOfOwn || isRetriedByOwn || isSibling;
};

/** Whether rows with these names may be the same: other workers on as many parts of a source send other rows. */
const mayBeSame = (one: string, other: string): boolean => {
  const [id, worker] = one.split(" ");
  const [itsId, itsWorker] = other.split(" ");
  const parts = worker?.split("/")[1];
  return id === itsId && (worker === itsWorker || parts !== itsWorker?.split("/")[1]);
};

/**
 * If all its messages were refused one by one, nothing of a group can be sent; who still fills it lists others again.
 * One that does not say how many it holds may hold some.
 */
const isGivenUp = ({ status, count }: Group): boolean => {
  const { total, registeredSuccess } = asRecord(count);
  const isRefused = Number(total) > 0 && registeredSuccess === 0;
  return status === "DELETED" || status === "FAILED" || (status === "PENDING" && isRefused);
};

/**
 * Whether another group, which was not given up, holds rows of one that failed as a whole: the same ones, or unknown
 * ones of a retry of them.
 */
export const hasRowsOf = (group: Group, failed: Group): boolean => {
  const known = namesIn(failed);
  const { rows } = namesIn(group);
  if (known.rows === "" || group.groupId === failed.groupId || isGivenUp(group)) return false;
  // What a retry repeats was refused in the groups of its run; one of these that was resent since is sent.
  if (known.of.includes(rows))
    return Date.parse(group.dateSent ?? "") > Date.parse(failed.dateCreated);
  if (rows !== known.rows) return mayBeSame(rows, known.rows) || isRetry(group, known);
  const [held, refused] = [group, failed].map((it) => parseRows(customField(it, "msg.rows")));
  return !held || !refused || overlap(held, refused);
};

/** The values that were written as several fields. */
const valuesNamed = ({ customFields }: WithFields, name: string): readonly string[] =>
  Object.keys(customFields ?? {})
    .filter((it) => it === name || it.startsWith(`${name}.`))
    .flatMap((it) => asText(customFields?.[it]) ?? []);

export const retriedCode = "Retried";

/** It is not known which of the rows the group holds. */
export const retriedError = (group: Group, isKeyed: boolean): MsgError => {
  const run = customField(group, "msg.run") ?? "";
  const { groupId, status, scheduledDate } = group;
  const name = t`group ${groupId}`;
  const unsent: Readonly<Record<string, string>> = {
    PENDING: t`run ${run} is sending the same rows`,
    SCHEDULED: t`the same rows are scheduled for ${shownTime(scheduledDate ?? "")} by run ${run}, in ${name}`,
  };
  return new MsgError(
    "stopped",
    unsent[status] ?? t`the same rows were sent by run ${run}, in ${name}`,
    {
      code: retriedCode,
      where: t`run ${run}`,
      outcome: "not_sent",
      // Resumed, the run would stop at the same group.
      todo: () =>
        status === "PENDING"
          ? t`if that run does not go on, msg group delete ${groupId} leaves its rows to others; ${howToSendAnyway(group, isKeyed)}`
          : howToSendAnyway(group, isKeyed),
    },
  );
};

/** How rows are sent whatever others did with a group that holds them. */
export const howToSendAnyway = ({ groupId }: Group, isKeyed: boolean): string =>
  isKeyed
    ? t`msg group get ${groupId} shows what was done to it; another key sends the rows whatever became of it`
    : t`msg group get ${groupId} shows what was done to it; --again sends the rows whatever became of it`;

/** Someone else has done something with a group. */
export const touchedError = (
  { groupId, status }: Group,
  what = t`someone else has changed a group of this run: it is ${status}`,
  todo: Todo = t`msg group get ${groupId} shows what was done to it`,
): MsgError =>
  new MsgError("refused", what, {
    code: "GroupTouched",
    where: t`group ${groupId}`,
    outcome: "refused",
    todo,
  });

export const otherPartsCode = "OtherParts";

export const otherPartsError = (group: Group, own: string | undefined): MsgError => {
  const run = customField(group, "msg.run") ?? "";
  const worker = customField(group, "msg.worker");
  const { groupId } = group;
  return new MsgError(
    "stopped",
    worker === undefined
      ? t`run ${run} sends the same rows without parts, in group ${groupId}`
      : t`run ${run} sends part ${worker} of the same rows, in group ${groupId}`,
    {
      code: otherPartsCode,
      where: t`group ${groupId}`,
      outcome: "not_sent",
      todo:
        own === undefined
          ? t`nothing was sent by this one; give each worker the same number of parts, or delete what was not sent: msg group delete ${groupId}`
          : t`nothing was sent as part ${own}; give each worker the same number of parts, or delete what was not sent: msg group delete ${groupId}`,
    },
  );
};
