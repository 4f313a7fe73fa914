/** Calls of a run of which nobody knows what became of them, and what the service shows that they may be. */
import { certainFrom, serviceClock } from "../../bulk/clocks.ts";
import { counted } from "../../bulk/counted.ts";
import type { State } from "../../bulk/protocol/state.ts";
import type { RunFile } from "../../bulk/run-file.ts";
import type { RunStore } from "../../bulk/run-folder.ts";
import type { CallOptions, Client } from "../../client/client.ts";
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
  /** When its request was signed, and when the service accepts no copy of it any more. */
  readonly signed: string;
  readonly decidable: string;
  /**
   * That time has come by the service's own clock: this machine's may be fast. False where the service
   * did not tell its time.
   */
  readonly isOver: boolean;
  /** Groups with as many messages, one of them to the first recipient; the newest first. */
  readonly candidates: readonly Group[];
}

/** Reads what may be them. A group that another run has marked is none. */
export const doubtsOf = async (
  ctx: Context,
  store: RunStore,
  run: RunFile,
  state: State,
): Promise<readonly Doubt[]> => {
  const client = await ctx.client();
  const service = serviceClock(ctx);
  const call: CallOptions = { onAnswer: ({ headers }) => service.note(headers) };
  const doubts: Doubt[] = [];
  for (const [at, chunk] of state.chunks.entries()) {
    const planned = run.chunks[at];
    if (state.shape.path === "G" || !("signature" in chunk) || !planned) continue;
    const { date } = chunk.signature;
    const to = recipientOf(messagesOf(store, run, at)[0]);
    const candidates = await candidatesOf(client, run, { to, rows: planned.rows }, call);
    const decidable = certainFrom(date);
    const { earliest } = service.now();
    doubts.push({
      part: at + 1,
      chunk: at,
      rows: planned.rows,
      first: planned.first,
      signed: date,
      decidable,
      isOver: earliest !== undefined && earliest > Date.parse(decidable),
      candidates,
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
  call: CallOptions,
): Promise<readonly Group[]> => {
  if (to === undefined) return [];
  const { messageList } = await client.call(listMessages, { query: { to, limit: newest } }, call);
  const others = Object.values(messageList).filter(({ customFields }) =>
    [undefined, run.run].some((it) => it === customFields["msg.run"]),
  );
  const groups: Group[] = [];
  for (const groupId of new Set(others.map((it) => it.groupId))) {
    const group = await client.call(readGroup, { params: { groupId } }, call);
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
