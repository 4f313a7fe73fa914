/** What an operator says of doubts: by flags, or asked one after the other on a terminal. */

import type { Group } from "../../contract/message-records.ts";
import { MsgError, usageError } from "../../errors.ts";
import { formatMessageCount } from "../../message/counted.ts";
import type { Ports } from "../../ports.ts";
import type { AcceptedCall, Entry } from "../../send/protocol/entries.ts";
import { acceptedRows } from "../../send/protocol/outcomes.ts";
import { describeGroup, sendProblem, type UnknownSend } from "./open-requests.ts";

export interface OperatorAnswers {
  /** `1`, or `1=<groupId>`. */
  readonly accepted?: readonly string[] | undefined;
  readonly notSent?: readonly string[] | undefined;
}

/** Journal entries for the doubts that are settled now. Throws MsgError for what cannot be said. */
export const readAnswers = async (
  ctx: Ports,
  doubts: readonly UnknownSend[],
  { accepted = [], notSent = [] }: OperatorAnswers,
): Promise<readonly Entry[]> => {
  const told = [
    ...accepted.map((typed) => acceptedBy(doubts, typed)),
    ...notSent.map((typed) => notSentBy(doubtOf(doubts, typed, "--not-sent"))),
  ];
  const chunks = told.map((entry) => entry.chunk);
  if (new Set(chunks).size < chunks.length)
    throw usageError("one part is named twice", { code: "InvalidUsage" });
  const groups = told.flatMap(({ taken }) => (taken?.group ? [taken.group] : []));
  if (new Set(groups).size < groups.length)
    throw usageError(`one group cannot be two parts: ${groups.join(", ")}`, {
      code: "InvalidUsage",
      todo: "nothing was settled; name one of them, then look again",
    });
  const { ask } = ctx;
  if (!ask || told.length > 0) return told;
  const asked: Resolved[] = [];
  for (const doubt of doubts) {
    const isFree = ({ groupId }: Group) => asked.every(({ taken }) => taken?.group !== groupId);
    const candidates = doubt.candidates.filter(isFree);
    asked.push(...(await askedOf(ctx, { ...doubt, candidates })));
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

const doubtOf = (doubts: readonly UnknownSend[], typed: string, flag: string): UnknownSend => {
  const doubt = doubts.find((it) => String(it.part) === typed.trim());
  if (doubt) return doubt;
  const parts = doubts.map((it) => it.part).join(", ");
  throw usageError(`${flag}: '${typed}' is no part that is in doubt`, {
    code: "InvalidValue",
    todo: parts === "" ? "nothing is in doubt any more" : `in doubt: ${parts}`,
  });
};

const acceptedBy = (doubts: readonly UnknownSend[], typed: string): Resolved => {
  const [part = "", groupId] = typed.split("=");
  const doubt = doubtOf(doubts, part, "--accepted");
  const { candidates } = doubt;
  if (groupId === undefined && candidates.length > 1)
    throw usageError(`part ${doubt.part} may be any of ${candidates.length} groups`, {
      code: "InvalidValue",
      todo: oneOf(doubt),
      details: [sendProblem(doubt)],
    });
  const group =
    groupId === undefined ? candidates[0] : candidates.find((it) => it.groupId === groupId);
  if (groupId !== undefined && !group)
    throw usageError(`--accepted: group '${groupId}' is none that part ${doubt.part} could be`, {
      code: "InvalidValue",
      todo: oneOf(doubt),
      details: [sendProblem(doubt)],
    });
  return resolved(doubt.chunk, takenOf(doubt, group));
};

const oneOf = ({ part, candidates: [first] }: UnknownSend): string =>
  first
    ? `nothing was settled; --accepted ${part}=${first.groupId}, or another of those that are shown`
    : `nothing was settled; --accepted ${part} when you know that it was accepted all the same`;

/** Without a group nobody knows its cost, nor what was refused of it. */
const takenOf = ({ rows }: UnknownSend, group: Group | undefined): AcceptedCall => {
  const taken = group && acceptedRows(group, rows);
  if (!taken) return { group: "", cost: 0, accepted: rows, refused: 0 };
  return { group: taken.id, cost: taken.cost, ...taken.counts };
};

const notSentBy = (doubt: UnknownSend): Resolved => {
  if (!doubt.isOver)
    throw new MsgError("stopped", `a copy of part ${doubt.part} may still arrive`, {
      code: "TooEarly",
      where: `signed ${doubt.signed}`,
      todo: `nothing was settled; say so after ${doubt.decidable}, by the clock of the service`,
    });
  return resolved(doubt.chunk);
};

const leave = "leave";
const absent = "not sent";

const askedOf = async (ctx: Ports, doubt: UnknownSend): Promise<readonly Resolved[]> => {
  const { part, rows, first, signed, candidates, decidable, isOver } = doubt;
  await ctx.note(
    `part ${part}: ${formatMessageCount(rows)} from row ${first} on, signed ${signed}`,
  );
  if (!isOver) await ctx.note(`a copy of it may still arrive until ${decidable}`);
  const groups = candidates.map((it) => ({
    value: it.groupId,
    label: `accepted: ${describeGroup(it)}`,
  }));
  const none = { value: "", label: "accepted, in a group that is not shown here" };
  const answer = await ctx.ask?.choose(`What became of part ${part}?`, [
    { value: leave, label: "leave it open" },
    ...(groups.length > 0 ? groups : [none]),
    ...(isOver ? [{ value: absent, label: "not sent: --resume sends it" }] : []),
  ]);
  if (answer === undefined || answer === leave) return [];
  if (answer === absent) return [resolved(doubt.chunk)];
  const group = candidates.find((it) => it.groupId === answer);
  return [resolved(doubt.chunk, takenOf(doubt, group))];
};
