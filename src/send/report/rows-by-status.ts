/** The rows of a run by what became of them; refused ones with their codes, ready to be fed back. */

import type { StoredMessage } from "../../contract/message-records.ts";
import { listMessages } from "../../contract/messages.ts";
import { usageError } from "../../errors.ts";
import type { Ports } from "../../ports.ts";
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

export const rowStatuses = ["accepted", "refused", "unknown", "not-sent"] as const;
export type RowStatus = (typeof rowStatuses)[number];

/** Rows in the order of the source. Which were refused is read from the service, group by group. */
export async function* rowsByStatus(
  ctx: Ports,
  store: RunStore,
  run: RunFile,
  wanted: ReadonlySet<RowStatus>,
): AsyncGenerator<object> {
  const state = readState(store, run);
  const wantsTaken = wanted.has("accepted") || wanted.has("refused");
  const codes = wantsTaken ? await codesOf(ctx, store, run) : noCodes;
  for (const at of run.chunks.keys()) {
    const { type } = rowOutcomeOf(state, at);
    if (type === "taken" ? !wantsTaken : !wanted.has(type)) continue;
    for (const message of messagesOf(store, run, at)) {
      const code = type === "taken" ? takeCode(codes, message) : undefined;
      const status = type !== "taken" ? type : code === undefined ? "accepted" : "refused";
      if (wanted.has(status)) yield { ...withoutCorrelationId(message), ...(code && { code }) };
    }
  }
}

/** Refused rows as JSONL: the source of a run that sends them anew. */
export async function* refusedLines(
  ctx: Ports,
  store: RunStore,
  run: RunFile,
): AsyncGenerator<Uint8Array> {
  for await (const row of rowsByStatus(ctx, store, run, new Set(["refused"])))
    yield Buffer.from(`${JSON.stringify(row)}\n`);
}

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

const codesOf = async (ctx: Ports, store: RunStore, run: RunFile): Promise<Codes> => {
  const state = readState(store, run);
  if (summarize(run, state).refused === 0) return noCodes;
  const codes: Codes = new Map();
  const taken = new Set<string>();
  const client = await ctx.session.client();
  const sort = (it: StoredMessage): void => {
    // Sent in place of another, which was accepted.
    if (it.replacement) return;
    const key = keyOf(it);
    if (isRefused(it))
      codes.set(key, { code: it.statusCode, left: (codes.get(key)?.left ?? 0) + 1 });
    else if (!run.tagged) taken.add(key);
  };
  for (const groupId of acceptedGroups(run, state))
    for await (const page of client.pages(listMessages, { query: { groupId } }))
      for (const it of page.rows) sort(it);
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
