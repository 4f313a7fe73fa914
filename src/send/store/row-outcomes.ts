/** What became of the rows of a run, chunk by chunk, as its journal shows it; and the rows themselves. */

import { asRecord, asText, memberOf } from "../../json/read-json.ts";
import { totalOf } from "../protocol/entries.ts";
import { statusOfRows } from "../protocol/group-status.ts";
import { countRemaining, firstRow, remainingRows, rowsOf, type State } from "../protocol/state.ts";
import { readBody } from "./read-body.ts";
import type { PlannedBodies, RunFile } from "./run-file.ts";
import type { RunStore } from "./run-folder.ts";

/** `taken`: the service has them, and knows whether each was accepted or refused. */
export type RowOutcome =
  | { readonly type: "taken"; readonly group: string }
  | { readonly type: "unknown" | "not-sent" };

export const rowOutcomeOf = (state: State | undefined, at: number): RowOutcome => {
  const chunk = state?.chunks[at];
  if (!state || !chunk) return { type: "not-sent" };
  if (state.shape.path !== "G") {
    if (chunk.status === "done") return { type: "taken", group: chunk.group };
    return { type: "signature" in chunk ? "unknown" : "not-sent" };
  }
  const group = state.groups.find((it) => it.chunks.includes(at) && it.status !== "abandoned");
  const type = group ? statusOfRows(state, group) : "not-sent";
  if (type === "sent" || type === "failed") return { type: "taken", group: group?.id ?? "" };
  return countRemaining(state, at) === 0 ? takenByOthers(state) : { type };
};

/** The messages of a part, each with what became of it: others may have sent some of them. */
export function* outcomesIn(
  store: RunStore,
  run: RunFile,
  state: State | undefined,
  at: number,
): Generator<{ readonly message: object; readonly outcome: RowOutcome }> {
  const outcome = rowOutcomeOf(state, at);
  const isShared = state !== undefined && state.taken.length > 0 && outcome.type !== "taken";
  const left = isShared ? remainingRows(state, at) : [];
  const first = isShared ? firstRow(state.shape, at) : 0;
  for (const [nth, message] of messagesOf(store, run, at).entries()) {
    const isOwn = left.some(({ from, to }) => from <= first + nth && first + nth < to);
    yield { message, outcome: isShared && !isOwn ? takenByOthers(state) : outcome };
  }
}

const takenByOthers = ({ taken }: State): RowOutcome => ({
  type: "taken",
  group: taken[0]?.id ?? "",
});

/** Ids of the groups that were sent, by whatever run, or failed as a whole; each once. */
export const acceptedGroups = (run: RunFile, state: State | undefined): readonly string[] => {
  const outcomes = run.chunks.map((_, at) => rowOutcomeOf(state, at));
  const groups = outcomes.flatMap((it) => (it.type === "taken" && it.group ? [it.group] : []));
  return [...new Set([...groups, ...(state?.taken ?? []).map(({ id }) => id)])];
};

/** How many messages a group holds, as far as the run knows. */
export const countIn = (state: State, groupId: string): number => {
  const own = state.groups.find(({ id }) => id === groupId);
  if (own) return own.status === "failed" ? rowsOf(state, own) : totalOf(own.counts);
  const held =
    state.taken.find(({ id }) => id === groupId) ??
    state.chunks.find((it) => it.status === "done" && it.group === groupId);
  return held && "accepted" in held ? totalOf(held) : 0;
};

/** The messages of a chunk, as they were or would be sent. */
export const messagesOf = (store: RunStore, run: PlannedBodies, at: number): readonly object[] =>
  messagesIn(readBody(store, run, at));

/** The messages of a body of plan.jsonl; a `send` has one. */
export const messagesIn = (bytes: Uint8Array): readonly object[] => {
  const { messages, message } = asRecord(JSON.parse(Buffer.from(bytes).toString("utf8")));
  if (Array.isArray(messages)) return messages;
  return typeof message === "object" && message !== null ? [message] : [];
};

export const recipientOf = (message: object | undefined): string | undefined => {
  const to = memberOf(message, "to");
  return asText(Array.isArray(to) ? to[0] : to);
};
