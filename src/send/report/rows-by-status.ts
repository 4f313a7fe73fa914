/** The rows of a run by their outcome, with the service's codes: ready to be fed back. */

import { listMessages } from "../../contract/messages.ts";
import { MsgError, usageError } from "../../errors.ts";
import { asRecord } from "../../json/read-json.ts";
import { t, translated } from "../../locale/locale.ts";
import { formatMessageCount } from "../../message/price.ts";
import { isFailure, statusMeaning } from "../../message/status.ts";
import type { Ports } from "../../ports.ts";
import { withTakenRows } from "../claims/taken-rows.ts";
import { rowIn, withoutCorrelationId } from "../messages/correlation.ts";
import type { SkipReason } from "../messages/skip-rules.ts";
import { readSkippedRows } from "../plan/skipped-rows.ts";
import { isAnyWaiting } from "../protocol/group-status.ts";
import { isRefused } from "../protocol/outcomes.ts";
import type { State } from "../protocol/state.ts";
import { serviceTime } from "../run/hours.ts";
import {
  acceptedGroups,
  countIn,
  outcomesIn,
  recipientOf,
  rowOutcomeOf,
} from "../store/row-outcomes.ts";
import type { RunFile } from "../store/run-file.ts";
import { type RunStore, storeOf } from "../store/run-folder.ts";
import { readState, summarize } from "../store/summary.ts";
import { codeInPlaceOf, type InPlace, noteInPlace } from "../wait/in-place.ts";

export const rowStatuses = ["accepted", "refused", "unknown", "not-sent", "skipped"] as const;
/** What became of accepted rows, as the service shows it now. */
export const deliveryStatuses = ["delivered", "failed", "pending"] as const;
export type RowStatus = (typeof rowStatuses)[number] | (typeof deliveryStatuses)[number];

/** One message of a run, or one that was left out of it. */
export interface RowOfRun {
  /** Its number in the source; unknown for a run without correlation ids. */
  readonly row: number | undefined;
  /** As it was or would be sent; for one that was left out its recipient, if it has one. */
  readonly message: object;
  readonly status: RowStatus;
  /** A status code; for one that was left out the reason or the problem. */
  readonly code: string | undefined;
  readonly meaning: string | undefined;
}

/**
 * Rows in the order of the source. Codes are read from the service before the first row, since rows that
 * were shown before an error may be fed back. `byGroup`: reads those of a group when its rows come, so that
 * those of all groups are not held; only for output that is complete or not there at all.
 */
export async function* rowsByStatus(
  ctx: Ports,
  run: RunFile,
  wanted: ReadonlySet<RowStatus>,
  byGroup = false,
): AsyncGenerator<RowOfRun> {
  const store = storeOf(ctx);
  const kept = readState(store, run);
  const state = wanted.has("not-sent") ? await withTakenRows(ctx, run, kept) : kept;
  const wantsDelivery = deliveryStatuses.some((it) => wanted.has(it));
  const wantsTaken = wantsDelivery || wanted.has("accepted") || wanted.has("refused");
  const codes = wantsTaken ? await readCodes(ctx, run, state, wantsDelivery, byGroup) : undefined;
  const skippedBefore = inTurn(wanted.has("skipped") ? skippedRows(store, run) : none);
  for (const at of run.chunks.keys()) {
    const { type } = rowOutcomeOf(state, at);
    // Others may have sent some of the rows that this run has not.
    const hasTaken = type === "taken" || (state?.taken.length ?? 0) > 0;
    const isWanted = type !== "taken" && wanted.has(type);
    if (!isWanted && !(hasTaken && wantsTaken)) continue;
    const codesOfChunk = hasTaken ? await codes?.(at) : undefined;
    for (const { message, outcome } of outcomesIn(store, run, state, at)) {
      const isTaken = outcome.type === "taken";
      const code = isTaken && codesOfChunk ? takeCode(codesOfChunk, message) : undefined;
      const status = isTaken ? takenStatus(outcome.group, code, wantsDelivery) : outcome.type;
      if (!wanted.has(status)) continue;
      const row = rowIn(message);
      yield* skippedBefore(row);
      yield { row, message: withoutCorrelationId(message), status, ...meaningOf(status, code) };
    }
  }
  yield* skippedBefore(undefined);
}

const none = [][Symbol.iterator]();

/** Yields those that come before a row, each once; all that are left if it has no number. */
const inTurn = (rows: Iterator<RowOfRun>) => {
  const next = { found: rows.next() };
  return function* (before = Number.POSITIVE_INFINITY): Generator<RowOfRun> {
    while (!next.found.done && (next.found.value.row ?? 0) < before) {
      yield next.found.value;
      next.found = rows.next();
    }
  };
};

function* skippedRows(store: RunStore, { run }: RunFile): Generator<RowOfRun> {
  for (const skipped of readSkippedRows(store, run)) {
    const { row, to, code, text, line } = asRecord(skipped);
    const why = translated(reasons[String(code)] ?? String(text ?? ""));
    yield {
      row: typeof row === "number" ? row : undefined,
      message: to === undefined ? {} : { to },
      status: "skipped",
      code: String(code),
      meaning: typeof line === "number" ? t`line ${line}: ${why}` : why,
    };
  }
}

const reasons: Readonly<Record<string, string>> = {
  duplicate: "an earlier row has the same recipient",
  excluded: "the recipient is excluded",
} satisfies Record<SkipReason, string>;

const takenStatus = (group: string, code: string | undefined, wantsDelivery: boolean) => {
  // An operator said so of rows whose group no one knows: nor is what became of them.
  if (group === "" && wantsDelivery) return "pending";
  if (code !== undefined && isRefused({ statusCode: code })) return "refused";
  if (!wantsDelivery) return "accepted";
  if (code === undefined) return "delivered";
  return isFailure(code) ? "failed" : "pending";
};

const meaningOf = (status: RowStatus, code = status === "delivered" ? "4000" : undefined) => ({
  code,
  meaning: code === undefined ? undefined : statusMeaning(code),
});

/** Which message it is: its row and its recipient; in an untagged run only the recipient. */
const keyOf = (message: object): string => `${rowIn(message) ?? ""} ${recipientOf(message)}`;

interface Codes {
  /** Codes of the messages that a row has at the service, if one of them is wrong. */
  readonly byRow: Map<string, string[]>;
  readonly isWrong: (code: string) => boolean;
  readonly inPlace: InPlace;
}

const noCodes = (isWrong: Codes["isWrong"] = () => false): Codes => ({
  byRow: new Map(),
  isWrong,
  inPlace: new Map(),
});

/**
 * The code of a message that was refused, or has not arrived. Of equal messages each takes one. A refused copy of a
 * row, as a repeated request leaves it, says nothing of the row: it comes last.
 */
const takeCode = ({ byRow, isWrong, inPlace }: Codes, message: object): string | undefined => {
  const codes = byRow.get(keyOf(message)) ?? [];
  const at = codes.findIndex((it) => !isRefused({ statusCode: it }));
  const [found] = codes.splice(Math.max(at, 0), 1);
  if (found === undefined || !isWrong(found)) return undefined;
  if (isRefused({ statusCode: found })) return found;
  const code = codeInPlaceOf(message, inPlace) ?? found;
  return code === "4000" ? undefined : code;
};

/** Codes of the refused messages of a chunk; with `wantsDelivery`, also of those that have not arrived. */
const readCodes = async (
  ctx: Ports,
  run: RunFile,
  state: State | undefined,
  wantsDelivery: boolean,
  byGroup: boolean,
): Promise<(at: number) => Promise<Codes>> => {
  const isRead = wantsDelivery || summarize(run, state).refused > 0;
  if (!isRead && !(await mayHaveFailed(ctx, run, state))) return async () => noCodes();
  const isMixed = !run.tagged || (state?.taken.length ?? 0) > 0;
  if (byGroup && !isMixed) return codesByGroup(ctx, run, state, wantsDelivery);
  const codes = await codesOf(ctx, run, state, acceptedGroups(run, state), wantsDelivery);
  return async () => codes;
};

/** At its hour a group fails as a whole if money or quota does not suffice; the run heard nothing of it. */
const mayHaveFailed = async (ctx: Ports, { scheduledDate = "" }: RunFile, state?: State) =>
  state !== undefined &&
  isAnyWaiting(state) &&
  Date.parse(scheduledDate) <= (await serviceTime(ctx)).getTime();

/** Those of one group are held at a time: its chunks follow each other, or it is read again. */
const codesByGroup = (
  ctx: Ports,
  run: RunFile,
  state: State | undefined,
  wantsDelivery: boolean,
): ((at: number) => Promise<Codes>) => {
  let held = { group: "", codes: noCodes() };
  return async (at) => {
    const outcome = rowOutcomeOf(state, at);
    const group = outcome.type === "taken" ? outcome.group : "";
    // A list without its group would be that of all messages.
    if (group === "") return noCodes();
    if (group !== held.group)
      held = { group, codes: await codesOf(ctx, run, state, [group], wantsDelivery) };
    return held.codes;
  };
};

const codesOf = async (
  ctx: Ports,
  run: RunFile,
  state: State | undefined,
  groups: readonly string[],
  all: boolean,
): Promise<Codes> => {
  const isWrong = (code: string) => isRefused({ statusCode: code }) || (all && code !== "4000");
  const codes = noCodes(isWrong);
  const { byRow, inPlace } = codes;
  const client = await ctx.session.client();
  for (const groupId of groups) {
    const ofGroup: Codes["byRow"] = new Map();
    let listed = 0;
    for await (const { rows } of client.pages(listMessages, { query: { groupId } })) {
      for (const it of rows.filter(({ replacement }) => replacement)) noteInPlace(it, inPlace);
      const sent = rows.filter(({ replacement }) => !replacement);
      for (const it of sent) addCodes(ofGroup, keyOf(it), [it.statusCode]);
      listed += sent.length;
    }
    const held = state ? countIn(state, groupId) : 0;
    if (listed < held) throw unlistedError(groupId, listed, held);
    for (const [key, found] of ofGroup)
      if (!run.tagged || found.some(isWrong)) addCodes(byRow, key, found);
  }
  const mixed = [...byRow].find(([, codes]) => codes.some(isWrong) && !codes.every(isWrong));
  if (mixed && !run.tagged) throw cannotTellError(run, mixed[0].trim());
  return codes;
};

/** What is not listed was not accepted, or delivered, for all that is known. */
const unlistedError = (groupId: string, listed: number, held: number): MsgError =>
  new MsgError(
    "refused",
    t`the service lists ${listed} of ${formatMessageCount(held)} of group ${groupId}`,
    {
      code: "MessagesUnlisted",
      where: t`group ${groupId}`,
      outcome: "refused",
      todo: t`nothing was sent; it lists messages for 6 months: of a newer group run this again later`,
    },
  );

const addCodes = (to: Codes["byRow"], key: string, codes: readonly string[]): void => {
  to.set(key, [...(to.get(key) ?? []), ...codes]);
};

/** Without correlation ids messages to one recipient look the same: the accepted ones would be sent twice. */
const cannotTellError = ({ run }: RunFile, to: string): Error =>
  usageError(t`msg cannot tell which message to ${to} was refused: the run used --no-tag`, {
    code: "CannotTell",
    where: t`run ${run}`,
    todo: t`nothing was sent; msg message list --to ${to} --all shows them with their texts`,
  });
