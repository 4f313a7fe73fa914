/** What groups carry of the rows that they hold, how they are listed, and the same rows cut into other parts. */

import { type Client, detached } from "../../client/client.ts";
import { maxRows, type Reply } from "../../contract/endpoint.ts";
import { listGroups } from "../../contract/groups.ts";
import type { Group } from "../../contract/message-records.ts";
import { MsgError } from "../../errors.ts";
import { asText } from "../../json/read-json.ts";
import { t } from "../../locale/locale.ts";
import { formatRows, type Rows } from "../protocol/rows.ts";

/** Whose rows a group holds. */
export interface ClaimName {
  /** What the rows are: the same for all who send them. */
  readonly id: string;
  /** The key in place of the rows, as groups carry it. */
  readonly once?: string | undefined;
  /** `3/8`: which of several workers on the rows this is; each has rows of its own. */
  readonly worker?: string | undefined;
  readonly retried?: Retried | undefined;
}

/** The run that a retry is of; and what others know its rows by, where they are those that it was refused. */
export interface Retried {
  readonly run: string;
  readonly claim?: string | undefined;
}

/** The rows of a run, or of its part, in one word. */
export const claimWord = (id: string, worker: string | undefined): string =>
  worker === undefined ? id : `${id} ${worker}`;

/** The custom fields of a group that say whose rows it holds. */
export const claimFields = (
  { id, once, worker, retried }: ClaimName,
  rows: readonly Rows[],
): Readonly<Record<string, string>> => ({
  "msg.in": id,
  "msg.rows": formatRows(rows),
  ...(worker !== undefined && { "msg.worker": worker }),
  ...(once !== undefined && { "msg.once": once }),
  ...(retried && { "msg.retry": retried.run }),
  ...(retried?.claim !== undefined && { "msg.of": retried.claim }),
});

/** Throws MsgError where a page is the answer to another request. */
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
    if (page.nextKey === null || page.nextKey === at) return groups;
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
export type Marked = Pick<Group, "customFields">;

export const customField = ({ customFields }: Marked, name: string): string | undefined =>
  asText(customFields?.[name]);

/**
 * Whether a group that was made says that it holds these rows: the late answer to an earlier request of the
 * same run names a group that says something else, and others would go by that.
 */
export const isMadeFor = (group: Group, rows: readonly Rows[]): boolean =>
  [undefined, formatRows(rows)].includes(customField(group, "msg.rows"));

/** One that was deleted was never sent. */
export const isSplitDifferently = (group: Group, claim: ClaimName | undefined): boolean => {
  if (claim === undefined || customField(group, "msg.in") !== claim.id) return false;
  const partsOf = (worker: string | undefined): string => worker?.split("/")[1] ?? "1";
  return (
    partsOf(customField(group, "msg.worker")) !== partsOf(claim.worker) &&
    group.status !== "DELETED"
  );
};

/**
 * Whether a group that was not given up holds rows of this run under another name: those of a retry, to who sends
 * them as they were before; those of others who send them so, or retry them too, to a retry.
 */
export const isOfRetry = (
  group: Group,
  { id, worker, retried }: ClaimName,
  run: string,
): boolean => {
  if (group.status === "DELETED" || group.status === "FAILED") return false;
  const field = (name: string): string | undefined => customField(group, name);
  const its = claimWord(field("msg.in") ?? "", field("msg.worker"));
  const own = claimWord(id, worker);
  if (retried === undefined) return field("msg.of") === own && field("msg.retry") !== run;
  const isSibling = field("msg.retry") === retried.run && its !== own;
  return isSibling || (its === retried.claim && field("msg.run") !== retried.run);
};

export const retriedCode = "Retried";

/** Which of the rows it holds is not known. */
export const retriedError = (group: Group, isKeyed: boolean): MsgError => {
  const run = customField(group, "msg.run") ?? "";
  const { groupId, status } = group;
  return new MsgError(
    "stopped",
    status === "PENDING"
      ? t`run ${run} is sending the same rows`
      : t`the same rows were sent by run ${run}, in ${t`group ${groupId}`}`,
    {
      code: retriedCode,
      where: t`run ${run}`,
      outcome: "not_sent",
      todo: isKeyed
        ? t`msg group get ${groupId} shows what was done to it; another key sends the rows whatever became of it`
        : t`msg group get ${groupId} shows what was done to it; --again sends the rows whatever became of it`,
    },
  );
};

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
