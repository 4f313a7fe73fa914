/** Calls of a run whose outcome is unknown: candidates that the service shows, and what an operator decides. */

import type { Client } from "../client/client.ts";
import type { ServiceClock } from "../client/service-clock.ts";
import { readGroup } from "../contract/groups.ts";
import type { Group, StoredMessage } from "../contract/message-records.ts";
import { listMessages } from "../contract/messages.ts";
import { invalidValue, MsgError, type Problem, usageError } from "../errors.ts";
import { shownTime, t } from "../locale/locale.ts";
import { formatMessageCount, formatWon } from "../message/price.ts";
import type { Ports } from "../ports.ts";
import { rowIn, rowOf } from "../send/messages/correlation.ts";
import type { AcceptedCall, Entry, Signature } from "../send/protocol/entries.ts";
import { costOf, foundCallOutcome } from "../send/protocol/outcomes.ts";
import type { State } from "../send/protocol/state.ts";
import { plannedMessages } from "../send/reconcile/run-groups.ts";
import { decidableFrom, elapsedSinceSigned, isExpired } from "../send/run/clocks.ts";
import { recipientOf } from "../send/store/row-outcomes.ts";
import { nameOf, type RunFile } from "../send/store/run-file.ts";
import { storeOf } from "../send/store/run-folder.ts";

interface UnknownCall {
  /** The number that operators use, from 1. */
  readonly part: number;
  readonly chunk: number;
  readonly rows: number;
  readonly first: number;
  /** When its request was signed, and when the service no longer accepts a copy of it. */
  readonly signed: string;
  readonly decidable: string;
  /** Whether that time has come, if a person confirms it. */
  readonly isOver: boolean;
  /** Groups that were sent with the same number of messages, one to the first recipient; newest first. */
  readonly candidates: readonly Group[];
  /** The plan of the run cannot be read, so it is unknown what to look for. */
  readonly isBlind: boolean;
}

/** The unknown outcomes of a run without groups; `left`: what still is unknown, with its evidence. */
export const openCalls = async (ctx: Ports, run: RunFile, state: State) => {
  const unknown = await listUnknownCalls(ctx, run, state);
  const [{ part, decidable } = { part: 1, decidable: "" }] = unknown;
  return {
    answers: (given: OperatorAnswers) => readCallAnswers(ctx, unknown, given),
    left: ({ chunks }: State) =>
      unknown.filter(({ chunk }) => chunks[chunk]?.status === "unknown").map(callProblem),
    todo: t`if you know the outcome of a part: msg run reconcile ${nameOf(run)} --accepted ${part}, or --not-sent ${part} after ${shownTime(decidable)}`,
  };
};

/** Reads the candidates. A group with the correlation id of another run, or of other rows, is not one. */
const listUnknownCalls = async (
  ctx: Ports,
  run: RunFile,
  state: State,
): Promise<readonly UnknownCall[]> => {
  const store = storeOf(ctx);
  const client = await ctx.session.client();
  const unknown: UnknownCall[] = [];
  // A group known to belong to one part cannot belong to another.
  const known = new Set(state.chunks.map((it) => (it.status === "done" ? it.group : "")));
  for (const [at, chunk] of state.chunks.entries()) {
    const planned = run.chunks[at];
    if (state.shape.path === "G" || !("signature" in chunk) || !planned) continue;
    const { signature } = chunk;
    const messages = plannedMessages(store, run, at);
    const found = await readCandidates(client, run, planned.rows, messages ?? []);
    const candidates = found.filter(({ groupId }) => !known.has(groupId));
    unknown.push({
      part: at + 1,
      chunk: at,
      rows: planned.rows,
      first: planned.first,
      signed: signature.date,
      decidable: decidableFrom(signature.date),
      isOver: isPast(signature, client.clock, ctx.clock.now()),
      candidates,
      isBlind: messages === undefined,
    });
  }
  return unknown;
};

/**
 * Checks both clocks, since either may be wrong; false if the service gave no time. If this machine's clock is
 * before the signature, it was set since and proves nothing. It may take years to get there, so with a person's
 * confirmation the service's clock is enough.
 */
const isPast = (signature: Signature, service: ServiceClock, now: Date): boolean => {
  const passedMs = elapsedSinceSigned(signature, now);
  return isExpired(signature, service, passedMs < 0 ? Number.POSITIVE_INFINITY : passedMs);
};

/** At most this many of the newest messages to a recipient are checked. */
const newest = 100;

/** `messages`: the part as it was sent, or would have been; empty if unknown. */
const readCandidates = async (
  client: Client,
  run: RunFile,
  rows: number,
  messages: readonly object[],
): Promise<readonly Group[]> => {
  const to = recipientOf(messages[0]);
  // Without a recipient the answer only shows the service's time.
  const query = to === undefined ? { limit: 1 } : { to, limit: newest };
  const { messageList } = await client.call(listMessages, { query });
  if (to === undefined) return [];
  const planned = new Set(messages.map(rowIn));
  // It carries the correlation id of the part, or none if the part has none.
  const isOwn = ({ customFields: fields }: StoredMessage): boolean =>
    run.tagged
      ? fields?.["msg.run"] === run.run && planned.has(rowOf(fields))
      : fields?.["msg.run"] === undefined;
  const own = Object.values(messageList).filter(isOwn);
  const groups: Group[] = [];
  for (const groupId of new Set(own.map((it) => it.groupId))) {
    const group = await client.call(readGroup, { params: { groupId } });
    // An open or deleted group was not sent, so it cannot be the accepted one.
    if (foundCallOutcome(group, rows)) groups.push(group);
  }
  return groups;
};

/** `group G4V… of 2026-01-05T00:00:00.000Z: COMPLETE, 3 messages, 60 won`. */
export const describeShownGroup = (group: Group): string => {
  const { groupId, dateCreated, status, count } = group;
  return t`group ${groupId} of ${shownTime(dateCreated)}: ${status}, ${formatMessageCount(count.total)}, ${formatWon(costOf(group))}`;
};

/** A call with its evidence, as a line of an error. */
const callProblem = (call: UnknownCall): Problem => {
  const { part, rows, first, signed, candidates, isBlind } = call;
  const none = isBlind
    ? t`plan.jsonl cannot be read, so msg cannot look for it`
    : t`the service shows no group that it could be`;
  const found = candidates.length === 0 ? none : candidates.map(describeShownGroup).join("; ");
  return {
    code: "InDoubt",
    field: t`part ${part}`,
    row: first,
    text: t`${formatMessageCount(rows)}, signed ${shownTime(signed)}: ${found}`,
  };
};

export interface OperatorAnswers {
  /** `1`, or `1=<groupId>`. */
  readonly accepted?: readonly string[] | undefined;
  readonly notSent?: readonly string[] | undefined;
}

/** Journal entries for the calls that are reconciled now. Throws MsgError for an invalid answer. */
const readCallAnswers = async (
  ctx: Ports,
  unknown: readonly UnknownCall[],
  { accepted = [], notSent = [] }: OperatorAnswers,
): Promise<readonly Entry[]> => {
  const answers = [
    ...accepted.map((typed) => acceptedBy(unknown, typed)),
    ...notSent.map((typed) => notSentBy(findCall(unknown, typed, "--not-sent"))),
  ];
  const chunks = answers.map((entry) => entry.chunk);
  if (new Set(chunks).size < chunks.length) throw usageError(t`one part is named twice`);
  const groups = answers.flatMap(({ taken }) => (taken?.group ? [taken.group] : []));
  if (new Set(groups).size < groups.length)
    throw usageError(t`one group cannot be two parts: ${groups.join(", ")}`, {
      todo: t`nothing was recorded; name one of them, then check again`,
    });
  const { ask } = ctx;
  if (!ask || answers.length > 0) return answers;
  const asked: Resolved[] = [];
  for (const call of unknown) {
    const isFree = ({ groupId }: Group) => asked.every(({ taken }) => taken?.group !== groupId);
    const candidates = call.candidates.filter(isFree);
    asked.push(...(await askFor(ctx, { ...call, candidates })));
  }
  return asked;
};

type Resolved = Extract<Entry, { readonly t: "RESOLVED" }>;

const resolved = (chunk: number, taken?: AcceptedCall): Resolved => ({
  t: "RESOLVED",
  chunk,
  how: "operator",
  ...(taken && { taken }),
});

const findCall = (unknown: readonly UnknownCall[], typed: string, flag: string): UnknownCall => {
  const call = unknown.find((it) => String(it.part) === typed.trim());
  if (call) return call;
  const parts = unknown.map((it) => it.part);
  throw noUnknownOutcomeError(t`${flag}: part '${typed}' has no unknown outcome`, parts);
};

export const noUnknownOutcomeError = (
  what: string,
  names: readonly (string | number)[],
): MsgError =>
  invalidValue(
    what,
    names.length === 0
      ? t`no outcome is unknown any more`
      : t`outcome unknown: ${names.join(", ")}`,
  );

const acceptedBy = (unknown: readonly UnknownCall[], typed: string): Resolved => {
  const [part = "", groupId] = typed.split("=");
  const call = findCall(unknown, part, "--accepted");
  const { candidates } = call;
  const reject = (what: string): never => {
    const evidence = { todo: suggestGroup(call), details: [callProblem(call)] };
    throw usageError(what, { code: "InvalidValue", ...evidence });
  };
  if (groupId === undefined && candidates.length > 1)
    reject(t`part ${call.part} may be any of ${candidates.length} groups`);
  const group =
    groupId === undefined ? candidates[0] : candidates.find((it) => it.groupId === groupId);
  if (groupId !== undefined && !group)
    reject(t`--accepted: group '${groupId}' cannot be part ${call.part}`);
  return resolved(call.chunk, takenOf(call, group));
};

const suggestGroup = ({ part, candidates: [first] }: UnknownCall): string =>
  first
    ? t`nothing was recorded; use --accepted ${part}=${first.groupId}, or another group that is shown`
    : t`nothing was recorded; use --accepted ${part} if you know that it was accepted anyway`;

/** Without a group neither its cost nor its refused messages are known. */
const takenOf = ({ rows }: UnknownCall, group: Group | undefined): AcceptedCall => {
  const taken = group && foundCallOutcome(group, rows);
  if (!taken) return { group: "", cost: 0, accepted: rows, refused: 0 };
  return { group: taken.id, cost: taken.cost, ...taken.counts };
};

const notSentBy = (call: UnknownCall): Resolved => {
  if (!call.isOver)
    throw new MsgError("stopped", t`a copy of part ${call.part} may still arrive`, {
      code: "TooEarly",
      where: t`signed ${shownTime(call.signed)}`,
      todo: t`nothing was recorded; say so after ${shownTime(call.decidable)}, by the clock of the service`,
    });
  return resolved(call.chunk);
};

export const leaveOpen = "leave";
const absent = "not sent";

const askFor = async (ctx: Ports, call: UnknownCall): Promise<readonly Resolved[]> => {
  const { part, rows, first, signed, candidates, decidable, isOver } = call;
  await ctx.note(
    t`part ${part}: ${formatMessageCount(rows)} from row ${first}, signed ${shownTime(signed)}`,
  );
  if (!isOver) await ctx.note(t`a copy of it may still arrive until ${shownTime(decidable)}`);
  const groups = candidates.map((it) => ({
    value: it.groupId,
    label: t`accepted: ${describeShownGroup(it)}`,
  }));
  const none = { value: "", label: t`accepted, in a group that is not shown here` };
  const answer = await ctx.ask?.choose(t`What became of part ${part}?`, [
    { value: leaveOpen, label: t`leave it open` },
    ...(groups.length > 0 ? groups : [none]),
    ...(isOver ? [{ value: absent, label: t`not sent: --resume sends it` }] : []),
  ]);
  if (answer === undefined || answer === leaveOpen) return [];
  if (answer === absent) return [resolved(call.chunk)];
  const group = candidates.find((it) => it.groupId === answer);
  return [resolved(call.chunk, takenOf(call, group))];
};
