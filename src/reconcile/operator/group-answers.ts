/** What an operator says of groups that are in doubt. Nothing here sends: a group is deleted at most. */

import { MsgError, usageError } from "../../errors.ts";
import { formatMessageCount } from "../../message/counted.ts";
import type { Ports } from "../../ports.ts";
import type { Entry } from "../../send/protocol/entries.ts";
import { costOf } from "../../send/protocol/outcomes.ts";
import type { RunFile } from "../../send/store/run-file.ts";
import type { OperatorAnswers } from "./answers.ts";
import { evidenceOf, type UnknownGroup } from "./open-groups.ts";

/** Journal entries for what is settled now. Throws MsgError (usage) for what cannot be said. */
export const readGroupAnswers = async (
  ctx: Ports,
  run: RunFile,
  doubts: readonly UnknownGroup[],
  { accepted = [], notSent = [] }: OperatorAnswers,
): Promise<readonly Entry[]> => {
  if (notSent.length > 0) throw onlyDeleting(run);
  const told = [...new Set(accepted)].map((typed) => acceptedBy(run, doubts, typed.trim()));
  const { ask } = ctx;
  if (!ask || told.length > 0) return told;
  const asked: Entry[] = [];
  for (const doubt of doubts) {
    // Who ends the run has said what becomes of all of them.
    if (asked.some((it) => it.t === "CANCEL")) break;
    asked.push(...(await askedOf(ctx, run, doubt)));
  }
  return asked;
};

const onlyDeleting = ({ run }: RunFile): MsgError =>
  usageError("--not-sent: of a group only its deletion proves that it was not sent", {
    code: "InvalidUsage",
    todo: `nothing was settled; msg run cancel ${run} deletes it, msg send-many --resume ${run} sends it once`,
  });

const acceptedBy = (run: RunFile, doubts: readonly UnknownGroup[], typed: string): Entry => {
  const doubt = doubts.find((it) => it.groupId === typed);
  const ids = doubts.map((it) => it.groupId).join(", ");
  if (!doubt)
    throw usageError(`--accepted: '${typed}' is no group that is in doubt`, {
      code: "InvalidValue",
      todo: ids === "" ? "nothing is in doubt any more" : `in doubt: ${ids}`,
    });
  if (isPending(doubt))
    throw usageError(
      `--accepted: the service shows group ${typed} as PENDING: it has not sent it`,
      {
        code: "InvalidValue",
        todo: `nothing was settled; msg send-many --resume ${run.run} sends it once, msg run cancel ${run.run} deletes it`,
      },
    );
  return taken(doubt);
};

const isPending = ({ shown }: UnknownGroup): boolean =>
  !(shown instanceof MsgError) && shown.status === "PENDING";

/** Of a group that cannot be read nobody knows what it cost. */
const taken = ({ groupIndex, counts, shown }: UnknownGroup): Entry => {
  const cost = shown instanceof MsgError ? 0 : costOf(shown);
  return { t: "SENT", gen: groupIndex, cost, ...counts, how: "operator" };
};

const leave = "leave";
const accepted = "accepted";
const deletes = "delete";

const askedOf = async (
  ctx: Ports,
  run: RunFile,
  doubt: UnknownGroup,
): Promise<readonly Entry[]> => {
  const { groupId, rows, first } = doubt;
  await ctx.note(
    `group ${groupId}: ${formatMessageCount(rows)} from row ${first} on, nobody knows if sent`,
  );
  await ctx.note(evidenceOf(doubt));
  const answer = await ctx.ask?.choose(`What became of group ${groupId}?`, [
    { value: leave, label: `leave it open: msg send-many --resume ${run.run} sends it once` },
    ...(isPending(doubt) ? [] : [{ value: accepted, label: `it was sent, as you know` }]),
    {
      value: deletes,
      label: "not sent: end the run, and delete what was not sent as proof (needs message:write)",
    },
  ]);
  if (answer === accepted) return [taken(doubt)];
  return answer === deletes ? [{ t: "CANCEL" }] : [];
};
