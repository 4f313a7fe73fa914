/** The rows of a run by what became of them; refused ones with their codes, ready to be fed back. */

import type { StoredMessage } from "../../contract/message-records.ts";
import { listMessages } from "../../contract/messages.ts";
import { usageError } from "../../errors.ts";
import { asRecord } from "../../json/read-json.ts";
import { isFailure, statusMeaning } from "../../message/status.ts";
import type { Ports } from "../../ports.ts";
import { readSkippedRows } from "../plan/skipped-rows.ts";
import { isRefused } from "../protocol/outcomes.ts";
import {
  acceptedGroups,
  messagesOf,
  recipientOf,
  rowIn,
  rowOutcomeOf,
  withoutCorrelationId,
} from "../store/row-outcomes.ts";
import type { RunFile } from "../store/run-file.ts";
import type { RunStore } from "../store/run-folder.ts";
import { readState } from "../store/run-state.ts";
import { summarize } from "../store/summary.ts";

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

/** Rows in the order of the source. Which were refused is read from the service, group by group. */
export async function* rowsByStatus(
  ctx: Ports,
  store: RunStore,
  run: RunFile,
  wanted: ReadonlySet<RowStatus>,
): AsyncGenerator<RowOfRun> {
  const state = readState(store, run);
  const wantsDelivery = deliveryStatuses.some((it) => wanted.has(it));
  const wantsTaken = wantsDelivery || wanted.has("accepted") || wanted.has("refused");
  const codes = wantsTaken ? await codesOf(ctx, store, run, wantsDelivery) : noCodes;
  const skippedBefore = inTurn(wanted.has("skipped") ? skippedRows(store, run) : none);
  for (const at of run.chunks.keys()) {
    const { type } = rowOutcomeOf(state, at);
    if (type === "taken" ? !wantsTaken : !wanted.has(type)) continue;
    for (const message of messagesOf(store, run, at)) {
      const code = type === "taken" ? takeCode(codes, message) : undefined;
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
    const why = reasons[String(code)] ?? String(text ?? "");
    yield {
      row: typeof row === "number" ? row : undefined,
      message: to === undefined ? {} : { to },
      status: "skipped",
      code: String(code),
      meaning: line === undefined ? why : `line ${line}: ${why}`,
    };
  }
}

const reasons: Readonly<Record<string, string>> = {
  duplicate: "a row before it has the same recipient",
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

/** Which message it is: its row and its recipient; of an untagged run the recipient alone. */
const keyOf = (message: object): string => `${rowIn(message) ?? ""} ${recipientOf(message)}`;

interface Refused {
  readonly code: string;
  /** A row may name a number twice, and one of the two be refused as the other's duplicate. */
  left: number;
}
type Codes = Map<string, Refused>;

const noCodes: Codes = new Map();

/** The code of a message that was refused; of several equal ones, of as many as were. */
const takeCode = (codes: Codes, message: object): string | undefined => {
  const found = codes.get(keyOf(message));
  if (!found || found.left === 0) return undefined;
  found.left -= 1;
  return found.code;
};

/** Codes of what was refused; with `all` also of what has not arrived. */
const codesOf = async (ctx: Ports, store: RunStore, run: RunFile, all: boolean): Promise<Codes> => {
  const state = readState(store, run);
  if (!all && summarize(run, state).refused === 0) return noCodes;
  const codes: Codes = new Map();
  const taken = new Set<string>();
  const replaced = new Map<string, string>();
  const client = await ctx.session.client();
  const sort = (it: StoredMessage): void => {
    const key = keyOf(it);
    // Sent in place of another, which was accepted.
    if (it.replacement) {
      replaced.set(key, it.statusCode);
      return;
    }
    if (isRefused(it) || (all && it.statusCode !== "4000"))
      codes.set(key, { code: it.statusCode, left: (codes.get(key)?.left ?? 0) + 1 });
    else if (!run.tagged) taken.add(key);
  };
  for (const groupId of acceptedGroups(run, state))
    for await (const page of client.pages(listMessages, { query: { groupId } }))
      for (const it of page.rows) sort(it);
  // What came in its place decides what became of a row.
  for (const [key, code] of all ? replaced : []) {
    if (code === "4000") codes.delete(key);
    else if (codes.has(key)) codes.set(key, { code, left: 1 });
  }
  const both = [...codes.keys()].find((key) => taken.has(key));
  if (both !== undefined) throw cannotTell(run, both.trim());
  return codes;
};

/** Without correlation ids messages to one recipient look the same: sent anew, the accepted ones would go twice. */
const cannotTell = ({ run }: RunFile, to: string): Error =>
  usageError(
    `which of the messages to ${to} was refused is not known: the run was made with --no-tag`,
    {
      code: "CannotTell",
      where: `run ${run}`,
      todo: "nothing was sent; msg message list --group-id <id> --all shows them with their texts",
    },
  );
