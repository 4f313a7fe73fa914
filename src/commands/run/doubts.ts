/** Calls of a run of which nobody knows what became of them, and what the service shows that they may be. */
import { counted } from "../../bulk/counted.ts";
import type { State } from "../../bulk/protocol/state.ts";
import type { RunFile } from "../../bulk/run-file.ts";
import type { RunStore } from "../../bulk/run-folder.ts";
import type { Client } from "../../client/client.ts";
import type { Context } from "../../context.ts";
import { readGroup } from "../../contract/groups.ts";
import type { Group } from "../../contract/message-records.ts";
import { listMessages } from "../../contract/messages.ts";
import type { Problem } from "../../errors.ts";
import { messagesOf, recipientOf } from "../sending/fates.ts";

export interface Doubt {
  /** As operators name it, from 1. */
  readonly part: number;
  readonly chunk: number;
  readonly rows: number;
  readonly first: number;
  /** When its request was signed, and when no copy of it can be accepted any more. */
  readonly signed: string;
  readonly decidable: string;
  /** Groups with as many messages, one of them to the first recipient; the newest first. */
  readonly candidates: readonly Group[];
}

/** Behind it the service accepts no copy of a request: 15 minutes, and one for what is under way. */
const expiryMs = 16 * 60_000;

/** Reads what may be them. A group that another run has marked is none. */
export const doubtsOf = async (
  ctx: Context,
  store: RunStore,
  run: RunFile,
  state: State,
): Promise<readonly Doubt[]> => {
  const client = await ctx.client();
  const doubts: Doubt[] = [];
  for (const [at, chunk] of state.chunks.entries()) {
    const planned = run.chunks[at];
    if (state.shape.path === "G" || !("signature" in chunk) || !planned) continue;
    const { date } = chunk.signature;
    const to = recipientOf(messagesOf(store, run, at)[0]);
    doubts.push({
      part: at + 1,
      chunk: at,
      rows: planned.rows,
      first: planned.first,
      signed: date,
      decidable: new Date(Date.parse(date) + expiryMs).toISOString(),
      candidates: await candidatesOf(client, run, { to, rows: planned.rows }),
    });
  }
  return doubts;
};

/** The newest messages to a recipient that are looked at. */
const newest = 100;

const candidatesOf = async (
  client: Client,
  run: RunFile,
  { to, rows }: { readonly to: string | undefined; readonly rows: number },
): Promise<readonly Group[]> => {
  if (to === undefined) return [];
  const { messageList } = await client.call(listMessages, { query: { to, limit: newest } });
  const others = Object.values(messageList).filter(({ customFields }) =>
    [undefined, run.run].some((it) => it === customFields["msg.run"]),
  );
  const groups: Group[] = [];
  for (const groupId of new Set(others.map((it) => it.groupId))) {
    const group = await client.call(readGroup, { params: { groupId } });
    if (group.count.total === rows) groups.push(group);
  }
  return groups;
};

/** `group G4V… of 2026-01-05T00:00:00.000Z: COMPLETE, 3 messages, 60 won`. */
export const groupWords = ({ groupId, dateCreated, status, count, ...group }: Group): string =>
  `group ${groupId} of ${dateCreated}: ${status}, ${counted(count.total)}, ${wonOf(group)} won`;

export const wonOf = ({ balance, point }: Pick<Group, "balance" | "point">): number =>
  balance.requested + point.requested;

/** A doubt with its evidence, as a line of an error. */
export const problemOf = ({ part, rows, first, signed, candidates }: Doubt): Problem => {
  const found =
    candidates.length === 0
      ? "the service shows no group that it could be"
      : candidates.map(groupWords).join("; ");
  return {
    code: "InDoubt",
    field: `part ${part}`,
    row: first,
    text: `${counted(rows)}, signed ${signed}: ${found}`,
  };
};
