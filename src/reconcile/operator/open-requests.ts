/** Calls of a run of which nobody knows what became of them, and what the service shows that they may be. */

import type { Client } from "../../client/client.ts";
import { readGroup } from "../../contract/groups.ts";
import type { Group, StoredMessage } from "../../contract/message-records.ts";
import { listMessages } from "../../contract/messages.ts";
import { MsgError, type Problem } from "../../errors.ts";
import { formatMessageCount } from "../../message/counted.ts";
import type { Ports } from "../../ports.ts";
import { acceptedRows, costOf, rowOf } from "../../send/protocol/outcomes.ts";
import type { State } from "../../send/protocol/state.ts";
import { decidableFrom, isExpired, passedSince } from "../../send/run/clocks.ts";
import { messagesOf, recipientOf, rowIn } from "../../send/store/row-outcomes.ts";
import type { RunFile } from "../../send/store/run-file.ts";
import type { RunStore } from "../../send/store/run-folder.ts";

export interface UnknownSend {
  /** As operators name it, from 1. */
  readonly part: number;
  readonly chunk: number;
  readonly rows: number;
  readonly first: number;
  /** When its request was signed, and when the service accepts no copy of it any more. */
  readonly signed: string;
  readonly decidable: string;
  /**
   * That time has come by the service's clock and by this machine's: either may be wrong. False where the
   * service did not tell its time.
   */
  readonly isOver: boolean;
  /** Groups that were sent, with as many messages, one of them to the first recipient; the newest first. */
  readonly candidates: readonly Group[];
  /** The plan of the run cannot be read: nobody knows what to look for. */
  readonly isBlind: boolean;
}

/** Reads what may be them. A group with the mark of another run, or of other rows of this one, is none. */
export const listUnknownSends = async (
  ctx: Ports,
  store: RunStore,
  run: RunFile,
  state: State,
): Promise<readonly UnknownSend[]> => {
  const client = await ctx.session.client();
  const doubts: UnknownSend[] = [];
  // What one part is known to be no other can be.
  const known = new Set(state.chunks.map((it) => (it.status === "done" ? it.group : "")));
  for (const [at, chunk] of state.chunks.entries()) {
    const planned = run.chunks[at];
    if (state.shape.path === "G" || !("signature" in chunk) || !planned) continue;
    const { signature } = chunk;
    const { date } = signature;
    const messages = plannedOf(store, run, at);
    const sought = { run, rows: planned.rows, messages: messages ?? [] };
    const found = await candidatesOf(client, sought);
    const candidates = found.filter(({ groupId }) => !known.has(groupId));
    const decidable = decidableFrom(date);
    doubts.push({
      part: at + 1,
      chunk: at,
      rows: planned.rows,
      first: planned.first,
      signed: date,
      decidable,
      isOver: isExpired(signature, client.clock, passedSince(signature, ctx.clock.now())),
      candidates,
      isBlind: messages === undefined,
    });
  }
  return doubts;
};

/** Undefined where the plan is gone or damaged: only an operator knows then. */
const plannedOf = (store: RunStore, run: RunFile, at: number): readonly object[] | undefined => {
  try {
    return messagesOf(store, run, at);
  } catch (error) {
    if (error instanceof MsgError && error.code === "PlanDamaged") return undefined;
    throw error;
  }
};

/** The newest messages to a recipient that are looked at. */
const newest = 100;

/** A part as it was sent, or would have been. */
interface Sought {
  readonly run: RunFile;
  readonly rows: number;
  readonly messages: readonly object[];
}

const candidatesOf = async (client: Client, sought: Sought): Promise<readonly Group[]> => {
  const { rows, messages } = sought;
  const to = recipientOf(messages[0]);
  // Without one the answer tells the service's time, and no more.
  const query = to === undefined ? { limit: 1 } : { to, limit: newest };
  const { messageList } = await client.call(listMessages, { query });
  if (to === undefined) return [];
  const isOwn = markOf(sought);
  const others = Object.values(messageList).filter(({ customFields }) => isOwn(customFields));
  const groups: Group[] = [];
  for (const groupId of new Set(others.map((it) => it.groupId))) {
    const group = await client.call(readGroup, { params: { groupId } });
    // What is open, or deleted, nobody has sent: it cannot be what was accepted.
    if (acceptedRows(group, rows)) groups.push(group);
  }
  return groups;
};

/** Whether a message carries the mark of the part: of one without marks, none at all. */
const markOf = ({
  run,
  messages,
}: Sought): ((fields: StoredMessage["customFields"]) => boolean) => {
  if (!run.tagged) return (fields) => fields?.["msg.run"] === undefined;
  const rows = new Set(messages.map(rowIn));
  return (fields) => fields?.["msg.run"] === run.run && rows.has(rowOf(fields));
};

/** `group G4V… of 2026-01-05T00:00:00.000Z: COMPLETE, 3 messages, 60 won`. */
export const describeGroup = (group: Group): string => {
  const { groupId, dateCreated, status, count } = group;
  return `group ${groupId} of ${dateCreated}: ${status}, ${formatMessageCount(count.total)}, ${costOf(group)} won`;
};

/** A doubt with its evidence, as a line of an error. */
export const sendProblem = (doubt: UnknownSend): Problem => {
  const { part, rows, first, signed, candidates, isBlind } = doubt;
  const none = isBlind
    ? "plan.jsonl cannot be read, so it cannot be looked for"
    : "the service shows no group that it could be";
  const found = candidates.length === 0 ? none : candidates.map(describeGroup).join("; ");
  return {
    code: "InDoubt",
    field: `part ${part}`,
    row: first,
    text: `${formatMessageCount(rows)}, signed ${signed}: ${found}`,
  };
};
