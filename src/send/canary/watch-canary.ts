/** What becomes of the messages that a run sent first, as the service reports it. */

import { maxRows } from "../../contract/endpoint.ts";
import { readGroup } from "../../contract/groups.ts";
import type { Group } from "../../contract/message-records.ts";
import { listMessages } from "../../contract/messages.ts";
import { t } from "../../locale/locale.ts";
import { formatFigure, formatMessageCount } from "../../message/price.ts";
import { isFailure, statusMeaning } from "../../message/status.ts";
import type { Ports } from "../../ports.ts";
import { overlap } from "../protocol/rows.ts";
import type { State } from "../protocol/state.ts";
import type { Canary } from "../store/run-file.ts";
import { failedIn, isOver } from "../wait/group.ts";
import { pollShown } from "../wait/poll-shown.ts";

export interface Outcome {
  readonly messages: number;
  readonly delivered: number;
  /** Those that the service refused among them. */
  readonly failed: number;
  readonly pending: number;
  /** Status code → how many failed by it. */
  readonly codes: ReadonlyMap<string, number>;
}

/** Waits until each was delivered or failed, or the time is over. Throws what the client throws. */
export const watchCanary = async (ctx: Ports, canary: Canary, state: State): Promise<Outcome> => {
  const messages = state.shape.rows
    .slice(canary.from, canary.to)
    .reduce((sum, rows) => sum + rows, 0);
  const ids = groupsOf(canary, state);
  const client = await ctx.session.client();
  const ask = async () => {
    const groups: Group[] = [];
    for (const groupId of ids) groups.push(await client.call(readGroup, { params: { groupId } }));
    return { value: outcomeOf(groups, messages), done: groups.every(isDecided) };
  };
  const { value } = await pollShown(ctx, canary.withinMs, ask, describeCanary);
  return value.failed === 0 ? value : { ...value, codes: await readCodes(ctx, ids) };
};

/** A group of which each message was refused is never sent: its record does not come to an end. */
const isDecided = (group: Group): boolean =>
  isOver(group) || (group.count.total > 0 && group.count.registeredSuccess === 0);

/** Its own groups, and those of others that took its rows over. */
const groupsOf = ({ from, to }: Canary, { shape, groups, taken }: State): readonly string[] => {
  const before = shape.rows.slice(0, from).reduce((sum, it) => sum + it, 0);
  const end = shape.rows.slice(from, to).reduce((sum, it) => sum + it, before);
  const own = groups.filter(
    ({ status, chunks }) =>
      (status === "sent" || status === "failed") && chunks.some((at) => at >= from && at < to),
  );
  const others = taken.filter(({ rows }) => overlap(rows, [{ from: before, to: end }]));
  return [...new Set([...own, ...others].flatMap(({ id }) => (id ? [id] : [])))];
};

const outcomeOf = (groups: readonly Group[], messages: number): Outcome => {
  const sum = (of: (count: Group["count"]) => number): number =>
    groups.reduce((total, { count }) => total + of(count), 0);
  const delivered = sum(({ sentSuccess }) => sentSuccess);
  const isWhole = groups.length > 0 && groups.every(({ status }) => status === "FAILED");
  const failed = isWhole ? messages : sum((it) => it.registeredFailed + failedIn(it));
  const pending = Math.max(0, messages - delivered - failed);
  return { messages, delivered, failed, pending, codes: new Map() };
};

const readCodes = async (
  ctx: Ports,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const client = await ctx.session.client();
  const codes = new Map<string, number>();
  for (const groupId of ids) {
    const { messageList } = await client.call(listMessages, { query: { groupId, limit: maxRows } });
    for (const { statusCode } of Object.values(messageList))
      if (isFailure(statusCode)) codes.set(statusCode, (codes.get(statusCode) ?? 0) + 1);
  }
  return codes;
};

/** `canary of 20 messages: 18 delivered, 1 failed, 1 on the way`. */
export const describeCanary = ({ messages, delivered, failed, pending }: Outcome): string => {
  const first = formatMessageCount(messages);
  const [good, bad] = [formatFigure(delivered), formatFigure(failed)];
  return pending > 0
    ? t`${first} first: ${good} delivered, ${bad} failed, ${formatFigure(pending)} on the way`
    : t`${first} first: ${good} delivered, ${bad} failed`;
};

/** On standard error, for a script too: it is what the rest hangs on. */
export const showCanary = async (ctx: Ports, outcome: Outcome): Promise<void> => {
  await ctx.note(describeCanary(outcome));
  for (const [code, count] of outcome.codes)
    await ctx.note(`  ${t`${formatFigure(count)} failed with ${code}: ${statusMeaning(code)}`}`);
};
