/** The protocol's actions as requests, and what their answers mean: the one place that says so. */

import { type Attempt, detached } from "../../client/client.ts";
import {
  addGroupMessages,
  createGroup,
  deleteGroup,
  scheduleGroup,
  sendGroup,
  unscheduleGroup,
} from "../../contract/groups.ts";
import type { Group } from "../../contract/message-records.ts";
import { listMessages, sendMany, sendMessage } from "../../contract/messages.ts";
import { MsgError, type Problem } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { refusedProblem } from "../../message/status.ts";
import type { Claim } from "../claims/claim.ts";
import { claimFields, isMadeFor } from "../claims/group-fields.ts";
import { deleteRival, listRivals, type RivalAccess, readRival } from "../claims/rivals.ts";
import { rowOf } from "../messages/correlation.ts";
import type { Action, Outcome } from "../protocol/actions.ts";
import type { Signature } from "../protocol/entries.ts";
import { callOutcome, groupOutcome, okOutcome, sendOutcome } from "../protocol/outcomes.ts";
import { countRows, type RowRange } from "../protocol/row-ranges.ts";
import { type FindOptions, findSend, type RunAccess } from "../reconcile/send-evidence.ts";
import type { RunFile } from "../store/run-file.ts";
import { isAddedTo, isOfCall, isOfRun, isSentTo } from "./answer-matches.ts";
import { assertNotTooOld, groupTooOldCode, requestTimeMs } from "./clocks.ts";
import { type ReadOptions, readGroupAs, readHeld } from "./group-reads.ts";
import { assertOnTime, hourPassedCode } from "./hours.ts";
import { isRateLimit, probeReplay } from "./probe-replay.ts";

export interface RequestOptions extends ReadOptions, RivalAccess, FindOptions {
  readonly fresh: () => Signature;
  readonly claim?: Claim | undefined;
  /** What a call outside a run does in place of a run's own requests. */
  readonly single?: SingleCall | undefined;
  readonly body: RunAccess["body"];
  /** Why nothing may be sent now; checked before the first request that sends, by day before each. */
  readonly mayStart: () => Promise<MsgError | undefined>;
  /** A row that the service refused, with its code. */
  readonly onRefused: (problem: Problem) => void;
}

/** By action; each may throw MsgError. */
export type SingleCall = Partial<
  Record<Action["type"], (options: Pick<RequestOptions, "fresh" | "onReply">) => Promise<Outcome>>
>;

/** Performs one action. Throws only faults of `msg` itself. */
export const performAction = async (action: Action, options: RequestOptions): Promise<Outcome> => {
  const progress = { isReadingBody: false };
  const body = (chunk: number): Uint8Array => {
    progress.isReadingBody = true;
    const bytes = options.body(chunk);
    progress.isReadingBody = false;
    return bytes;
  };
  try {
    const perform = options.single?.[action.type];
    return await (perform ? perform(options) : request(action, { ...options, body }));
  } catch (error) {
    if (!(error instanceof MsgError)) throw error;
    options.onError(error);
    if (progress.isReadingBody) return { type: "noBody" };
    const outcome = outcomeOf(error, action, options.run);
    return reads.has(action.type) && outcome.type !== "refused" ? { type: "unreadable" } : outcome;
  }
};

const reads: ReadonlySet<Action["type"]> = new Set([
  "count",
  "verify",
  "check",
  "readSent",
  "readHeld",
  "findEvidence",
  "listRivals",
  "readRival",
  "deleteRival",
]);

const outcomeOf = (error: MsgError, action: Action, run: RunFile): Outcome => {
  const { code, outcome, http } = error;
  if (code === "DuplicatedSignature") return { type: "duplicated" };
  // A 3xx or 4xx that is not the service's own refusal: something answers in its place.
  const status = http?.status ?? 0;
  if (outcome === "unknown" && status >= 300 && status < 500)
    return { type: "unknown", isForeign: true };
  if (code === "AlreadySent" || code === "GroupInProcessing") return { type: "already" };
  if (code === "ScheduledGroup" && run.scheduledDate !== undefined) return { type: "already" };
  // Its record is read: an earlier send may have come before that.
  if (action.type === "send" && code === "FailedGroup") return { type: "already" };
  // It does not wait for its hour: it never did, is on its way, or was taken off before.
  if (code === "InvalidStatus" && action.type === "unschedule") return { type: "already" };
  if (code === groupTooOldCode) return { type: "old" };
  // Someone deleted the group, or sent it: its record says which.
  if (code === "InvalidGroupStatus" && action.type === "add" && run.claim)
    return { type: "duplicated" };
  if (code === hourPassedCode)
    return action.type === "send" ? { type: "no" } : { type: "refused", status: 0, code };
  if (outcome === "unknown") return { type: "unknown" };
  if (outcome === "not_sent") return { type: "notSent" };
  // If the client may sign another date, it has itself waited as often as is reasonable.
  const signed = action.type === "add" || action.type === "post";
  if (signed && isRateLimit(error)) return { type: "limited", waitMs: error.waitMs };
  return { type: "refused", status: http?.status ?? 0, code };
};

const request = async (action: Action, options: RequestOptions): Promise<Outcome> => {
  switch (action.type) {
    case "clear":
      return checkMayStart(options);
    case "probe":
      return probe(options);
    case "listRivals":
      return listRivals(action, options);
    case "waitForRival":
      await options.claim?.waitForRival(action.run);
      return { type: "yes" };
    case "readRival":
      return readRival(action.id, options);
    case "deleteRival":
      return deleteRival(action.id, options);
    case "create":
      return create(action, options);
    case "add":
      return add(action, options);
    case "count":
    case "verify":
    case "check":
    case "readSent":
      return readGroupAs(action, options);
    case "readHeld":
      return readHeld(action, options);
    case "send":
      return send(action, options);
    case "unschedule":
      return created(await options.client.call(unscheduleGroup, named(action), detached));
    case "delete":
      return groupOutcome(await options.client.call(deleteGroup, named(action), detached));
    case "post":
      return post(action, options);
    case "findEvidence":
      return findSend(action, options, detached);
  }
};

const probe = ({ client, fresh }: RequestOptions): Promise<Outcome> =>
  probeReplay((call) => client.call(listMessages, { query: { limit: 1 } }, call), fresh());

const named = ({ id: groupId }: { readonly id: string }) => ({ params: { groupId } });

const checkMayStart = async ({ mayStart, onError }: RequestOptions): Promise<Outcome> => {
  const stop = await mayStart();
  if (stop) onError(stop);
  return { type: stop ? "no" : "yes" };
};

const create = async (
  { rows }: Extract<Action, { type: "create" }>,
  { client, run, claim, time }: RequestOptions,
): Promise<Outcome> => {
  const { strict, allowDuplicates, tagged, agent } = run;
  const fields = claim && claimFields(claim, rows);
  const body = {
    ...agent,
    ...(strict && { strict }),
    ...(allowDuplicates && { allowDuplicates }),
    ...(tagged && { customFields: { "msg.run": run.run, ...fields } }),
  };
  const made: { at?: number } = {};
  const onAttempt = (attempt: Attempt): void => {
    made.at ??= requestTimeMs(attempt, time);
  };
  const group = await client.call(createGroup, { body }, { ...detached, onAttempt });
  claim?.fields.noteCreated(group, body.customFields);
  if (!isOfRun(group, run)) return { type: "unknown" };
  const outcome = created(group);
  if (claim === undefined || outcome.type !== "ok") return outcome;
  if (!isMadeFor(group, rows)) return { type: "unknown" };
  const date = Date.parse(group.dateCreated);
  // Without its date no one knows which groups are as recent as it is.
  if (Number.isNaN(date) || made.at === undefined) return { type: "unknown" };
  const signed = new Date(made.at).toISOString();
  return { ...outcome, created: new Date(date).toISOString(), signed };
};

const created = ({ groupId }: Group): Outcome =>
  withId(okOutcome(groupId, { accepted: 0, refused: 0 }));

/** Without an id to write down, the run could not be resumed. */
const withId = (outcome: Extract<Outcome, { type: "ok" }>): Outcome =>
  typeof outcome.id === "string" && outcome.id !== "" ? outcome : { type: "unknown" };

/** A run for later schedules its groups: that too happens once, and may be repeated. */
const send = async (
  { id, signed }: Extract<Action, { type: "send" }>,
  options: RequestOptions,
): Promise<Outcome> => {
  const { client, run } = options;
  const { scheduledDate } = run;
  const params = { groupId: id };
  const onAttempt = (attempt: Attempt): void => {
    assertOnTime(scheduledDate, options.time);
    assertNotTooOld(signed, attempt, options.time);
  };
  const checked = { ...detached, onAttempt };
  const group =
    scheduledDate === undefined
      ? await client.call(sendGroup, { params, body: {} }, checked)
      : await client.call(scheduleGroup, { params, body: { scheduledDate } }, checked);
  if (group.status === "FAILED") options.onError(failedGroupError(group));
  return sendOutcome(group);
};

const failedGroupError = ({ groupId, log }: Group): MsgError => {
  const reason = Array.isArray(log) ? log.at(-1)?.message : undefined;
  const what = t`the service refused a group as a whole: ${reason ?? t`no reason given`}`;
  return new MsgError("refused", what, {
    code: "GroupFailed",
    where: t`group ${groupId}`,
    outcome: "refused",
    todo: t`msg group get ${groupId} shows why`,
  });
};

const add = async (
  { id, chunk, signature, part, rows: all = [] }: Extract<Action, { type: "add" }>,
  options: RequestOptions,
): Promise<Outcome> => {
  const { client, run, claim } = options;
  const body = part ? sliceBody(options.body(chunk), part) : options.body(chunk);
  const bytes = claim?.fields.addFields(body, claimFields(claim, all)) ?? body;
  const rows = part ? countRows(part) : (run.chunks[chunk]?.rows ?? 0);
  const input = { params: { groupId: id }, body: { messages: [] } };
  const reply = await client.call(addGroupMessages, input, { ...detached, signature, bytes });
  // Some answers give it as text.
  const errorCount = Number(reply.errorCount ?? Number.NaN);
  const isCount = Number.isInteger(errorCount) && errorCount >= 0 && errorCount <= rows;
  // The run then counts what was added.
  if (!Array.isArray(reply.resultList) || !isCount) return { type: "unknown" };
  const results = reply.resultList.filter(Boolean);
  if (!results.every((it) => isAddedTo(it, id, run))) return { type: "unknown" };
  for (const it of results.filter(({ statusCode }) => statusCode !== "2000"))
    options.onRefused({ ...refusedProblem(it), row: rowOf(it.customFields) });
  return okOutcome(id, { accepted: rows - errorCount, refused: errorCount });
};

/** Leaves out what others have taken of a body: the same rows make the same bytes. */
const sliceBody = (bytes: Uint8Array, part: readonly RowRange[]): Uint8Array => {
  const body: { readonly messages: readonly unknown[] } = JSON.parse(Buffer.from(bytes).toString());
  const messages = part.flatMap(({ from, to }) => body.messages.slice(from, to));
  return Buffer.from(JSON.stringify({ ...body, messages }));
};

const post = async (
  { chunk, signature }: Extract<Action, { type: "post" }>,
  options: RequestOptions,
): Promise<Outcome> => {
  const bytes = options.body(chunk);
  const signed = { ...detached, signature, bytes };
  const { client, run, onReply } = options;
  if (run.call === "send") {
    const reply = await client.call(sendMessage, { body: { message: {} } }, signed);
    if (!isOfRun(reply, run) || !isSentTo(reply, bytes)) return { type: "unknown" };
    onReply(reply);
    return withId(okOutcome(reply.groupId, { accepted: 1, refused: 0 }));
  }
  const group = await client.call(sendMany, { body: { messages: [] } }, signed);
  if (!isOfCall(group, run, chunk)) return { type: "unknown" };
  return callOutcome(group, run.chunks[chunk]?.rows ?? 0) ?? { type: "unknown" };
};
