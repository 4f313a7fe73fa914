/** The rows of a run by what became of them; refused ones with their codes, ready to be fed back. */

import { asRecord } from "../../../json/read-json.ts";
import { t, translated } from "../../../locale/locale.ts";
import { isFailure, statusMeaning } from "../../../message/status.ts";
import type { Ports } from "../../../ports.ts";
import { readSkippedRows } from "../../plan/skipped-rows.ts";
import { isRefused } from "../../protocol/outcomes.ts";
import { messagesOf, rowIn, rowOutcomeOf, withoutCorrelationId } from "../../store/row-outcomes.ts";
import type { RunFile } from "../../store/run-file.ts";
import type { RunStore } from "../../store/run-folder.ts";
import { readState } from "../../store/run-state.ts";
import { type CodesOptions, readCodes, takeCode } from "./row-codes.ts";

export const rowStatuses = ["accepted", "refused", "unknown", "not-sent", "skipped"] as const;
/** What became of accepted rows: read from the service, as it stands now. */
export const deliveryStatuses = ["delivered", "failed", "pending"] as const;
export type RowStatus = (typeof rowStatuses)[number] | (typeof deliveryStatuses)[number];

/** One message of a run, or one that was left out of it. */
export interface RowOfRun {
  /** Its number in the source; unknown of a run without correlation ids. */
  readonly row: number | undefined;
  /** As it was or would be sent; of one that was left out its recipient, where it has one. */
  readonly message: object;
  readonly status: RowStatus;
  /** A status code; of one that was left out the reason or the problem. */
  readonly code: string | undefined;
  readonly meaning: string | undefined;
}

/** Rows in the order of the source. Which were refused is read from the service, by default before the first row. */
export async function* rowsByStatus(
  ctx: Ports,
  store: RunStore,
  run: RunFile,
  wanted: ReadonlySet<RowStatus>,
  options: CodesOptions = {},
): AsyncGenerator<RowOfRun> {
  const state = readState(store, run);
  const wantsDelivery = deliveryStatuses.some((it) => wanted.has(it));
  const wantsTaken = wantsDelivery || wanted.has("accepted") || wanted.has("refused");
  const all = { ...options, wantsDelivery };
  const codes = wantsTaken ? await readCodes(ctx, run, state, all) : undefined;
  const skippedBefore = inTurn(wanted.has("skipped") ? skippedRows(store, run) : none);
  for (const at of run.chunks.keys()) {
    const { type } = rowOutcomeOf(state, at);
    if (type === "taken" ? !wantsTaken : !wanted.has(type)) continue;
    const ofPart = type === "taken" ? await codes?.(at) : undefined;
    for (const message of messagesOf(store, run, at)) {
      const code = ofPart && takeCode(ofPart, message);
      const status = type === "taken" ? takenStatus(code, wantsDelivery) : type;
      if (!wanted.has(status)) continue;
      const row = rowIn(message);
      yield* skippedBefore(row);
      yield { row, message: withoutCorrelationId(message), status, ...meaningOf(status, code) };
    }
  }
  yield* skippedBefore(undefined);
}

const none = [][Symbol.iterator]();

/** Answers those that come before a row, each once; all that are left where it has no number. */
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
};

const takenStatus = (code: string | undefined, wantsDelivery: boolean): RowStatus => {
  if (code !== undefined && isRefused({ statusCode: code })) return "refused";
  if (!wantsDelivery) return "accepted";
  if (code === undefined) return "delivered";
  return isFailure(code) ? "failed" : "pending";
};

const meaningOf = (status: RowStatus, code = status === "delivered" ? "4000" : undefined) => ({
  code,
  meaning: code === undefined ? undefined : statusMeaning(code),
});
