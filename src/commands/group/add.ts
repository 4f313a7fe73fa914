import * as v from "valibot";
import { command } from "../../cli/command.ts";
import type { Context } from "../../cli/context.ts";
import type { Client } from "../../client/client.ts";
import type { Reply } from "../../contract/endpoint.ts";
import { file, id } from "../../contract/fields.ts";
import { addGroupMessages, readGroup } from "../../contract/groups.ts";
import type { MessageInput, SendResult } from "../../contract/message-records.ts";
import { MsgError, passOver } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { formatMessageCount, formatRefusedCount } from "../../message/price.ts";
import { maxReported, refusedProblem } from "../../message/status.ts";
import { messageFlags } from "../../send/messages/message-flags.ts";
import { chunksOf, collectMessages } from "../../send/plan/collect-messages.ts";
import { sourceFlags, sourceOf } from "../../send/plan/source-flags.ts";
import { isRateLimit } from "../../send/run/probe-replay.ts";
import type { BodyMembers } from "../../send/sources/call-body.ts";

/** Adding sends nothing: cost ceilings and the flags of a group do not belong here. */
const { maxCost, allowDuplicates, strict, agent, ...bodyFlags } = messageFlags;

/** The rows are kept in memory until all are checked. A larger file is added in parts. */
const maxAtOnce = 100_000;

export default command({
  endpoint: addGroupMessages,
  args: {
    groupId: id("group id; the group must be PENDING"),
    file: v.optional(file("a file, or - for standard input")),
  },
  flags: { ...sourceFlags, ...bodyFlags },
  hiddenMembers: ["messages"],
  columns: [
    { name: "total", value: (row) => row.resultList.length },
    { name: "accepted", value: (row) => row.resultList.length - row.errorCount },
    { name: "refused", value: (row) => row.errorCount },
  ],
  examples: [
    'msg group add <groupId> customers.csv --from 0200000000 --text "#{name}님, 안녕하세요" --sandbox',
    "msg group add <groupId> messages.jsonl --on-invalid skip",
    `echo '[{"to":"01000000001","text":"a"}]' | msg group add <groupId> - --from 0200000000 --json`,
    "msg group add <groupId> customers.csv --text @notice.txt -n",
  ],
  input: (_ctx, _given, { params }) => ({ params, body: { messages: [] } }),
  run: async (ctx, { params }, { args, flags }) => {
    const source = sourceOf(ctx, "group add", args.file);
    const found = await collectMessages(ctx, source, maxAtOnce, flags);
    await noteGroupMembers(ctx, found.body);
    const record = await addAll(await ctx.session.client(), params.groupId, found.messages);
    return { record, ending: endingOf(params.groupId, record) };
  },
});

/** These control how rows are read; the service accepts them when a group is created, not when it is filled. */
const noteGroupMembers = async (ctx: Context, body: BodyMembers): Promise<void> => {
  const names = Object.entries(body).flatMap(([name, it]) => (it === null ? [] : [name]));
  if (names.length > 0)
    await ctx.note(
      t`ignored from the source: ${names.join(", ")}; these are set by msg group create`,
    );
};

type Added = Reply<typeof addGroupMessages>;

const isRefused = ({ statusCode }: SendResult): boolean => String(statusCode) !== "2000";

/** One call for each chunk, one after the other; merges their answers. */
const addAll = async (
  client: Client,
  groupId: string,
  messages: readonly MessageInput[],
): Promise<Added> => {
  const resultList: SendResult[] = [];
  let errorCount = 0;
  const before = await heldBy(client, groupId).catch(passOver);
  for (const chunk of chunksOf(messages)) {
    const input = { params: { groupId }, body: { messages: [...chunk] } };
    const added = await client.call(addGroupMessages, input).catch(async (error: unknown) => {
      const held = before === undefined ? undefined : before + resultList.length;
      const open = await behindLimit(client, groupId, held, error);
      throw resultList.length > 0 ? partly(open, groupId, resultList.length) : open;
    });
    // Not by errorCount, which is text in some answers and missing in others.
    errorCount += added.resultList.filter(isRefused).length;
    for (const result of added.resultList) resultList.push(result);
  }
  return { errorCount, resultList };
};

/** How many messages the group holds. Throws what the client throws. */
const heldBy = async (client: Client, groupId: string): Promise<number> =>
  (await client.call(readGroup, { params: { groupId } })).count.total;

/**
 * The error; unknown where the service asks to slow down and the group does not hold the same as before: a
 * gateway may say so after the execution.
 */
const behindLimit = async (
  client: Client,
  groupId: string,
  held: number | undefined,
  error: unknown,
): Promise<unknown> => {
  if (!(error instanceof MsgError && isRateLimit(error))) return error;
  // If the operator stops this read, the outcome is unknown, too.
  const now = await heldBy(client, groupId).catch(() => undefined);
  if (now !== undefined && now === held) return error;
  const what = t`${error.reason}; the messages may or may not have been added`;
  const todo = t`see what the group holds before you add them again: msg group messages ${groupId} --all`;
  return error.reworded("unknown", what, { todo });
};

/** Messages added before the failed call are not lost, and must not be added again. */
const partly = (error: unknown, groupId: string, count: number): unknown => {
  if (!(error instanceof MsgError)) return error;
  const { kind, message, outcome } = error;
  const before = formatMessageCount(count);
  return error.reworded(kind, t`${message}; the first ${before} had been added already`, {
    outcome: outcome === "unknown" ? outcome : "partial",
    todo: t`do not add the whole file again; see what the group holds: msg group messages ${groupId} --all`,
  });
};

const endingOf = (groupId: string, { errorCount, resultList }: Added): MsgError | undefined => {
  if (errorCount === 0) return undefined;
  const refused = resultList.filter(isRefused);
  const isPart = errorCount < resultList.length;
  return new MsgError("partial", formatRefusedCount(errorCount, resultList.length), {
    where: t`group ${groupId}`,
    todo: isPart
      ? t`the other messages were added; see all of them: msg group messages ${groupId} --all`
      : t`see what the group holds: msg group messages ${groupId}`,
    outcome: isPart ? "partial" : "refused",
    details: refused.slice(0, maxReported).map(refusedProblem),
  });
};
