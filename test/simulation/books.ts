/** What the service has sent, straight from its tables. */
import type { openDatabase } from "../../src/sandbox/store/driver.ts";
import type { Scenario } from "./scenario.ts";

type Tables = ReturnType<typeof openDatabase>;

export interface Counted {
  /** How often the recipient is in a group that was sent, or will be at its hour. */
  readonly count: number;
  readonly isTwice: boolean;
}

interface Sent {
  readonly recipient: string;
  readonly groupSeq: number;
  readonly added: number;
  readonly created: number;
  readonly sent: number | null;
  readonly scheduled: number | null;
}

const isSent = "groups.sent IS NOT NULL AND groups.status <> 'FAILED'";

export const countsOf = (
  tables: Tables,
  scenario: Scenario,
  numbers: readonly string[],
  /** When the groups were made that a person sent although their rows were out. */
  resent: ReadonlySet<number>,
  /** Nothing that was made before counts. */
  sinceMs: number,
): Counted[] => {
  const isMeant =
    scenario.way.isLater || scenario.way.acts
      ? `(${isSent} OR groups.status = 'SCHEDULED')`
      : isSent;
  const rows = tables.all<Sent>(
    `SELECT recipient, groups.seq AS groupSeq, messages.created AS added,
       groups.created, groups.sent, groups.scheduled
     FROM groups JOIN batches ON groupSeq = groups.seq
       JOIN messages ON messages.seq BETWEEN firstSeq AND lastSeq
     WHERE ${isMeant} AND statusCode NOT LIKE '1%' AND groups.created >= ?
     ORDER BY groups.created, messages.seq`,
    [sinceMs],
  );
  return numbers.map((to) => {
    const own = rows.filter((it) => it.recipient === to);
    const sent = own.filter(({ created }) => !resent.has(created));
    const isTwice = sent.some((it, at) => sent.slice(0, at).some((o) => isSame(scenario, o, it)));
    return { count: own.length, isTwice };
  });
};

const hourMs = 60 * 60_000;
/** From the list before the first send to the last send, at their slowest. */
const copiedMs = 5_000;

/**
 * Whether two groups are of one sending. The same list once more 25 hours behind its sending is another one, unless
 * it goes by a key, or the run itself is gone on with.
 */
const isSame = ({ way, plot }: Scenario, first: Sent, then: Sent): boolean => {
  if (way.hasHours && first.scheduled !== then.scheduled) return false;
  // No list before the send can show it (`msg help reliability`, tokens).
  const isCopied = plot?.tokenMs !== undefined && first.groupSeq === then.groupSeq;
  if (isCopied && then.added > (then.sent ?? 0) - copiedMs) return false;
  const isNamed = way.command.includes("--once") || plot?.restores !== undefined;
  return isNamed || then.created - (first.sent ?? first.created) <= 25 * hourMs;
};
