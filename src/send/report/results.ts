/** The results of a run that has ended: what a command says of it and of each of its rows. */

import type { Client } from "../../client/client.ts";
import { readGroup } from "../../contract/groups.ts";
import type { StoredMessage } from "../../contract/message-records.ts";
import { listMessages } from "../../contract/messages.ts";
import { removeQuietly } from "../../durable/atomic-write.ts";
import { systemCode } from "../../durable/files.ts";
import { createJsonLines, type JsonLines } from "../../durable/new-file.ts";
import { MsgError, type Problem, toMsgError, usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { formatFigure } from "../../message/price.ts";
import { maxReported, refusedProblem } from "../../message/status.ts";
import { sanitize } from "../../output/text/safe.ts";
import type { Ports } from "../../ports.ts";
import { rowIn, rowOf } from "../messages/correlation.ts";
import { readSkippedRows } from "../plan/skipped-rows.ts";
import { isRefused } from "../protocol/outcomes.ts";
import type { State } from "../protocol/state.ts";
import { serviceTime } from "../run/hours.ts";
import { noteSent } from "../start/once.ts";
import {
  acceptedGroups,
  outcomesIn,
  type RowOutcome,
  recipientOf,
  rowOutcomeOf,
} from "../store/row-outcomes.ts";
import type { RunFile } from "../store/run-file.ts";
import { type RunStore, storeOf } from "../store/run-folder.ts";
import { type Summary, summarize } from "../store/summary.ts";
import { readDelivered } from "../wait/wait-run.ts";
import { type RunResult, resultOf, unscheduledError } from "./ending.ts";
import { nextStep } from "./next-step.ts";

/** The file of `--results`: one line for every row of the source. */
export type ResultsFile = ReturnType<typeof createResults>;

/** Makes the file of `--results` first, and keeps it if it says something. */
export const withResults = async <T>(
  store: RunStore,
  { results: path }: { readonly results?: string | undefined },
  action: (results: ResultsFile | undefined) => Promise<T>,
): Promise<T> => {
  const results = path === undefined ? undefined : createResults(store, path);
  try {
    return await action(results);
  } catch (error) {
    if (!hasRowProblems(error)) results?.discard();
    throw error;
  } finally {
    results?.close();
  }
};

/** Made before anything is sent, so a file that cannot be written is found in time. */
const createResults = (store: RunStore, path: string) => {
  try {
    const lines = createJsonLines(store.files, path);
    // Nothing was sent, and there is nothing to report: the next attempt may use the same name.
    return { ...lines, discard: () => removeQuietly(store.files, path) };
  } catch (error) {
    // It is the operator's file, not one of ours: its error says so.
    const reason = error instanceof MsgError ? reasons[systemCode(error.cause) ?? ""] : undefined;
    if (reason === undefined) throw error;
    throw usageError(reason(path), {
      code: "FileProblem",
      where: path,
      todo: t`nothing was sent; name a new file in a folder that you can write to`,
      cause: error,
    });
  }
};

const inMissingFolder = (path: string): string =>
  t`--results: '${path}' is in a folder that does not exist`;
const notWritable = (path: string): string => t`--results: no permission to write '${path}'`;

const reasons: Readonly<Record<string, (path: string) => string>> = {
  EEXIST: (path) => t`--results: '${path}' already exists; msg overwrites no file`,
  ENOENT: inMissingFolder,
  ENOTDIR: inMissingFolder,
  EACCES: notWritable,
  EPERM: notWritable,
  EROFS: (path) => t`--results: cannot write '${path}': the file system is read-only`,
};

/** Whether the file is kept: it has every wrong row. */
export const hasRowProblems = (error: unknown): boolean =>
  error instanceof MsgError && error.code === "InvalidRows";

/** The result of a run that has ended: nothing is sent. It ends as it did when it was sent. */
export const showEndedRun = async (
  ctx: Ports,
  run: RunFile,
  state: State,
  results: ResultsFile | undefined,
): Promise<ReturnType<typeof resultOf>> => {
  const summary = await withResent(ctx, state, summarize(run, state));
  if (run.once === undefined && results) await writeResults(ctx, run, state, results);
  const ending = { type: "done" } as const;
  const finished = { state, summary, ending, error: undefined, problems: [] };
  const result = resultOf(run, finished);
  if (summary.state === "unscheduled") return { ...result, ending: unscheduledError(run, summary) };
  const cancelled = cancelledError(run, state.cancel, summary);
  if (run.once === undefined) {
    const next = nextStep(run, summary, await serviceTime(ctx));
    const over = t`the run had already ended: nothing was sent now`;
    if (!cancelled) await ctx.note(next === undefined ? over : t`${over}; ${next}`);
    return { ...result, ending: cancelled ?? result.ending };
  }
  if (cancelled) return { ...result, ending: cancelled };
  if (summary.notSent === 0) await noteSent(ctx, run, state);
  const problems = await readRowResults(ctx, run, finished, results);
  return resultOf(run, { ...finished, problems });
};

/** Rows of a group that failed as a whole are accepted where someone has sent it since (`msg group resend`). */
export const withResent = async <T extends Summary>(
  ctx: Ports,
  state: State | undefined,
  summary: T,
): Promise<T> => {
  if (!state || state.groups.every(({ status }) => status !== "failed")) return summary;
  // What the run did is shown, whatever keeps its groups from being read.
  const { accepted, refused } = await readDelivered(ctx, summary).catch(() => summary);
  return { ...summary, accepted, refused };
};

/** For a command that was asked to send it; undefined where all of it was sent before. */
export const cancelledError = (
  { run }: RunFile,
  isCancelled: boolean,
  { notSent, accepted }: Summary,
): MsgError | undefined => {
  if (!isCancelled || notSent === 0) return undefined;
  return new MsgError("stopped", t`the run was cancelled: ${formatFigure(notSent)} not sent`, {
    code: "Cancelled",
    where: t`run ${run}`,
    todo: t`list the rows: msg run export ${run} --status not-sent`,
    outcome: accepted > 0 ? "partial" : "not_sent",
  });
};

/** Reads the results of single rows, and which were refused. What was sent stays sent if they cannot be read. */
export const readRowResults = async (
  ctx: Ports,
  run: RunFile,
  finished: RunResult,
  results: ResultsFile | undefined,
): Promise<readonly Problem[]> => {
  const later = t`msg send-many --resume ${run.run} --results <file> reads them, and sends nothing`;
  try {
    // Ctrl-C does not wait for what can be read later.
    if (ctx.signal.aborted) throw new MsgError("interrupted", t`interrupted`);
    if (results) await writeResults(ctx, run, finished.state, results);
    return await listRefusedRows(ctx, finished);
  } catch (error) {
    results?.discard();
    const { message, kind } = toMsgError(error);
    if (results || kind !== "interrupted")
      await ctx.io.err.write(
        `${t`the results of some rows are missing: ${sanitize(message)}; ${later}`}\n`,
      );
    return finished.problems;
  }
};

/** Writes every row: skipped ones, those that the service has, and those that it has not. A replacement is no row. */
const writeResults = async (
  ctx: Ports,
  run: RunFile,
  state: RunResult["state"] | undefined,
  lines: JsonLines,
): Promise<void> => {
  const store = storeOf(ctx);
  for (const row of readSkippedRows(store, run.run)) lines.add(row);
  const client = await ctx.session.client();
  for (const groupId of acceptedGroups(run, state))
    for await (const page of client.pages(listMessages, { query: { groupId } }))
      for (const it of page.rows.filter(({ replacement }) => !replacement)) lines.add(lineOf(it));
  const isListed = (it: RowOutcome): boolean => it.type === "taken" && it.group !== "";
  for (const at of run.chunks.keys()) {
    if (isListed(rowOutcomeOf(state, at))) continue;
    for (const { message, outcome } of outcomesIn(store, run, state, at)) {
      const status = outcome.type === "taken" ? "accepted" : outcome.type;
      const row = rowIn(message) ?? null;
      if (!isListed(outcome)) lines.add({ row, to: recipientOf(message), status });
    }
  }
  lines.end();
};

const lineOf = (it: StoredMessage): unknown => ({
  row: rowIn(it) ?? null,
  to: it.to,
  status: isRefused(it) ? "refused" : "accepted",
  messageId: it.messageId,
  statusCode: it.statusCode,
});

/** Refused rows for the error of a run: those of the answers, else a page of each group. */
export const listRefusedRows = async (
  ctx: Ports,
  { summary, problems }: Pick<RunResult, "summary" | "problems">,
): Promise<readonly Problem[]> => {
  if (summary.refused === 0 || problems.length > 0) return problems;
  const client = await ctx.session.client();
  const refused: Problem[] = [];
  for (const groupId of summary.groups)
    if (refused.length < maxReported) refused.push(...(await readRefused(client, groupId)));
  return refused.slice(0, maxReported).sort((left, right) => (left.row ?? 0) - (right.row ?? 0));
};

/** One page of messages that are not accepted: enough to see what is wrong. */
const readRefused = async (client: Client, groupId: string): Promise<readonly Problem[]> => {
  const query = { groupId, criteria: "statusCode", cond: "ne", value: "2000", limit: maxReported };
  const { messageList } = await client.call(listMessages, { query });
  const rows = Object.values(messageList).filter((it) => isRefused(it) && !it.replacement);
  const why = rows.some(isUnpaid) ? await readLastLine(client, groupId) : undefined;
  return rows.map((it) => ({
    ...refusedProblem(it),
    row: rowOf(it.customFields),
    ...(why !== undefined && isUnpaid(it) && { text: why }),
  }));
};

/** Accepted, then not sent for lack of money or quota. */
const isUnpaid = ({ statusCode }: StoredMessage): boolean => statusCode === "1030";

/** Only the log of the group says which of the two it was. */
const readLastLine = async (client: Client, groupId: string): Promise<string | undefined> => {
  const { status, log } = await client.call(readGroup, { params: { groupId } });
  return status === "FAILED" ? log.at(-1)?.message : undefined;
};
