/** Groups of a run whose outcome is unknown: what the service shows of them, and what an operator decides. */

import type { Client } from "../client/client.ts";
import { readGroup } from "../contract/groups.ts";
import type { Group } from "../contract/message-records.ts";
import {
  asMsgError,
  invalidValue,
  MsgError,
  type Problem,
  passOver,
  usageError,
} from "../errors.ts";
import { t } from "../locale/locale.ts";
import { formatMessageCount } from "../message/price.ts";
import type { Ports } from "../ports.ts";
import type { Counts, Entry } from "../send/protocol/entries.ts";
import { costOf } from "../send/protocol/outcomes.ts";
import { countsOf, type State } from "../send/protocol/state.ts";
import { type RunFile, resumeCommand } from "../send/store/run-file.ts";
import {
  describeShownGroup,
  leaveOpen,
  noUnknownOutcomeError,
  type OperatorAnswers,
} from "./unknown-calls.ts";

interface UnknownGroup {
  readonly groupIndex: number;
  readonly groupId: string;
  /** Number of its first row in the source, and how many rows were added. */
  readonly first: number;
  readonly rows: number;
  readonly counts: Counts;
  /** The group as the service shows it now, or the error if it does not. */
  readonly shown: Group | MsgError;
}

/** The same as `openCalls`, for a run of groups. */
export const openGroups = async (ctx: Ports, run: RunFile, state: State) => {
  const unknown = await listUnknownGroups(ctx, run, state);
  const { groupId: missing } = unknown.find(isMissing) ?? {};
  return {
    answers: (given: OperatorAnswers) => readGroupAnswers(ctx, run, unknown, given),
    left: ({ groups }: State) =>
      unknown
        .filter(({ groupIndex }) => groups[groupIndex]?.status === "sending")
        .map(groupProblem),
    todo:
      missing === undefined
        ? t`to send it exactly once: ${resumeCommand(run)}; to delete it, and prove that it was not sent: msg run cancel ${run.run}`
        : t`the service no longer has the group; if you know what became of it: msg run reconcile ${run.run} --accepted ${missing}, or --not-sent ${missing}, which cancels the run`,
  };
};

/** Reads each of them again: what a run knows about such a group is not what it holds. */
const listUnknownGroups = async (
  ctx: Ports,
  run: RunFile,
  state: State,
): Promise<readonly UnknownGroup[]> => {
  const client = await ctx.session.client();
  const unknown: UnknownGroup[] = [];
  for (const group of state.groups) {
    if (group.status !== "sending") continue;
    const { groupIndex, id = "", chunks } = group;
    unknown.push({
      groupIndex,
      groupId: id,
      first: run.chunks[chunks[0] ?? 0]?.first ?? 1,
      rows: chunks.reduce((sum, at) => sum + (run.chunks[at]?.rows ?? 0), 0),
      counts: countsOf(state, group),
      shown: await readShown(client, id),
    });
  }
  return unknown;
};

/** A group that the service does not show is part of the evidence, not a reason to stop. */
const readShown = (client: Client, groupId: string): Promise<Group | MsgError> =>
  client.call(readGroup, { params: { groupId } }).catch((error: unknown) => {
    passOver(error);
    return asMsgError(error);
  });

/** What the service shows of it: `group G4V… of …: PENDING, 4 messages, 0 won`, and what that means. */
const describeEvidence = ({ groupId, shown }: UnknownGroup): string => {
  if (shown instanceof MsgError) return t`group ${groupId} cannot be read: ${shown.message}`;
  const description = describeShownGroup(shown);
  return shown.status === "PENDING"
    ? t`${description}; not sent so far, but a request that sends it may still arrive`
    : description;
};

/** A group with its evidence, as a line of an error. */
const groupProblem = (group: UnknownGroup): Problem => ({
  code: "InDoubt",
  field: t`group ${group.groupId}`,
  row: group.first,
  text: t`filled with ${formatMessageCount(group.rows)}: ${describeEvidence(group)}`,
});

/** Journal entries for what is reconciled now; nothing here sends. Throws MsgError (usage) for an invalid answer. */
const readGroupAnswers = async (
  ctx: Ports,
  run: RunFile,
  unknown: readonly UnknownGroup[],
  { accepted = [], notSent = [] }: OperatorAnswers,
): Promise<readonly Entry[]> => {
  const answers = [
    ...[...new Set(accepted)].map((typed) => acceptedBy(run, unknown, typed.trim())),
    ...[...new Set(notSent)].flatMap((typed) => notSentBy(run, unknown, typed.trim())),
  ];
  const { ask } = ctx;
  if (!ask || answers.length > 0) return answers;
  const asked: Entry[] = [];
  for (const group of unknown) {
    // Ending the run decides all that can be deleted.
    if (asked.some((it) => it.t === "CANCEL") && !isMissing(group)) continue;
    asked.push(...(await askFor(ctx, run, group)));
  }
  return asked;
};

/** The service says that it has no such group: it can be neither sent nor deleted any more. */
const isMissing = ({ shown }: UnknownGroup): boolean =>
  shown instanceof MsgError && shown.kind === "missing" && shown.code !== "HTTP_404";

const needsDeletionError = (run: RunFile): MsgError =>
  usageError(t`--not-sent: only deleting a group proves that it was not sent`, {
    todo: t`nothing was recorded; msg run cancel ${run.run} deletes it, ${resumeCommand(run)} sends it once`,
  });

const acceptedBy = (run: RunFile, unknown: readonly UnknownGroup[], typed: string): Entry => {
  const group = unknown.find((it) => it.groupId === typed);
  const ids = unknown.map((it) => it.groupId);
  if (!group)
    throw noUnknownOutcomeError(t`--accepted: group '${typed}' has no unknown outcome`, ids);
  if (isPending(group))
    throw invalidValue(
      t`--accepted: the service shows group ${typed} as PENDING: it has not sent it`,
      t`nothing was recorded; ${resumeCommand(run)} sends it once, msg run cancel ${run.run} deletes it`,
    );
  return accept(group);
};

const notSentBy = (
  run: RunFile,
  unknown: readonly UnknownGroup[],
  typed: string,
): readonly Entry[] => {
  const group = unknown.find((it) => it.groupId === typed);
  if (!group || !isMissing(group)) throw needsDeletionError(run);
  return notSent(group);
};

/** Ends the run; nothing is left to delete of a group that the service does not have. */
const notSent = (group: UnknownGroup): readonly Entry[] => [
  { t: "CANCEL" },
  ...(isMissing(group) ? [{ t: "CANCELLED", gen: group.groupIndex } as const] : []),
];

const isPending = ({ shown }: UnknownGroup): boolean =>
  !(shown instanceof MsgError) && shown.status === "PENDING";

/** If the group cannot be read, its cost is unknown. */
const accept = ({ groupIndex: gen, counts, shown }: UnknownGroup): Entry => {
  const cost = shown instanceof MsgError ? 0 : costOf(shown);
  return { t: "SENT", gen, cost, ...counts, how: "operator" };
};

const accepted = "accepted";
const deletes = "delete";

const askFor = async (ctx: Ports, run: RunFile, group: UnknownGroup): Promise<readonly Entry[]> => {
  const { groupId, rows, first } = group;
  await ctx.note(
    t`group ${groupId}: ${formatMessageCount(rows)} from row ${first}, outcome unknown`,
  );
  await ctx.note(describeEvidence(group));
  const answer = await ctx.ask?.choose(t`What became of group ${groupId}?`, [
    { value: leaveOpen, label: t`leave it open: ${resumeCommand(run)} sends it once` },
    ...(isPending(group) ? [] : [{ value: accepted, label: t`it was sent, and you know it` }]),
    {
      value: deletes,
      label: t`not sent: cancel the run, and delete what was not sent as proof (needs message:write)`,
    },
  ]);
  if (answer === accepted) return [accept(group)];
  return answer === deletes ? notSent(group) : [];
};
