/** `send-many --once <key>`: what was sent under the key before, by this machine or by another one. */

import { quietly } from "../../durable/files.ts";
import type { Busy } from "../../durable/lease.ts";
import { exclusive, invalidValue, MsgError, usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { tableText, timeText, zoneName } from "../../output/text/cell.ts";
import type { Ports } from "../../ports.ts";
import { otherContentError } from "../claims/rivals.ts";
import { partName } from "../parts/part.ts";
import type { Source } from "../plan/read-source.ts";
import type { State } from "../protocol/state.ts";
import { scheduleError, serviceTime } from "../run/hours.ts";
import { isSingleSend, type RunFile } from "../store/run-file.ts";
import { isBegun, listSendManyIds, type RunStore, readRun } from "../store/run-folder.ts";
import { readState, summarize } from "../store/summary.ts";
import { onceWithinOf, type RunFlags } from "./run-flags.ts";

/** Throws MsgError (usage) for an empty key, and for flags that exclude or need one. */
export const checkKey = (flags: RunFlags): void => {
  const { once, onceWithin, direct, tag, again } = flags;
  onceWithinOf(flags);
  if (once === undefined && onceWithin !== undefined)
    throw usageError(t`--once-within needs --once`);
  if (once === undefined) return;
  // An unset variable in a script would make all its messages one.
  if (once.trim() === "")
    throw invalidValue(
      t`the key of --once is empty`,
      t`nothing was sent; give each message its own key, such as an order number`,
    );
  const todo = again
    ? t`nothing was sent; to send the same once more, use another key`
    : t`nothing was sent; the key is kept in the groups of a run`;
  if (direct) throw exclusive("--direct", "--once", todo);
  if (tag === false) throw exclusive("--no-tag", "--once", todo);
  if (again) throw exclusive("--again", "--once", todo);
};

/**
 * Why nothing may be scheduled for the hour of --at. Throws it (usage), except for a send with a name: that may
 * have gone out at its hour, and is looked for first.
 */
export const checkHour = async (
  ctx: Ports,
  { at, once, estimate, planOut }: RunFlags,
  { findPredecessor }: Source,
): Promise<MsgError | undefined> => {
  const late = at === undefined ? undefined : scheduleError(at, await serviceTime(ctx));
  const isOnlyPlanned = ctx.consent.dryRun || estimate || planOut !== undefined;
  if (late && (isOnlyPlanned || (once ?? findPredecessor) === undefined)) throw late;
  return late;
};

/**
 * The run of this machine with the same key and messages; undefined if the service knows as much.
 * Throws MsgError (usage) if other messages were sent with the key.
 */
export const findKeyed = (store: RunStore, run: RunFile): RunFile | undefined => {
  const before = listSendManyIds(store)
    .filter((id) => id !== run.run)
    .reverse()
    .flatMap((id) => begunWith(store, id, run));
  const other = before.find((it) => it.file.claim !== run.claim && it.mayBeSent);
  if (other) throw otherContentError(run.once, t`run ${other.file.run}`);
  // What the service refused as a whole was not sent: it is filled again.
  const same = before.filter(
    ({ file, state }) =>
      file.claim === run.claim &&
      partName(file.part) === partName(run.part) &&
      !state.groups.some(({ status }) => status === "failed"),
  );
  return (same.find(({ state }) => state.ended) ?? same[0])?.file;
};

/** A run that cannot be read is left out: the service has its groups. */
const begunWith = (store: RunStore, id: string, made: RunFile) => {
  const { once, profile, account, key } = made;
  const read = () => {
    const file = isBegun(store, id) ? readRun(store, id) : undefined;
    if (!file || file.once !== once || isSingleSend(file)) return undefined;
    // Where no account may be read, another key may be that of another one.
    const isSame = file.account === null ? file.key === key : file.account === account;
    const state = file.profile === profile && isSame ? readState(store, file) : undefined;
    if (!state) return undefined;
    const { accepted, unknown } = summarize(file, state);
    return { file, state, mayBeSent: accepted + unknown > 0 };
  };
  return quietly(read, (error) => error instanceof MsgError) ?? [];
};

/** Notes once that another process of this machine is sending the key. */
export const waitingFor = (ctx: Ports, key: string): ((busy: Busy) => void) => {
  let isNoted = false;
  return ({ holder }) => {
    if (isNoted) return;
    isNoted = true;
    void ctx.note(
      t`another msg (process ${holder}) is sending --once ${key}: waiting for it to finish`,
    );
  };
};

/** Whether a run is known by its key, or by the run that it takes over, and not by its rows. */
export const hasOwnName = ({ once, takesOver }: RunFile): boolean =>
  (once ?? takesOver) !== undefined;

/** Reports when the messages of a key were sent before. */
export const noteSent = (ctx: Ports, run: RunFile, state: State): Promise<void> => {
  const { taken } = state;
  const scheduled = run.scheduledDate !== undefined && taken.every((it) => it.scheduled);
  // The one message of a key has a run that only msg knows.
  const runs = isSingleSend(run) ? "" : [...new Set(taken.map((it) => it.run))].join(", ");
  const [sent = run.started] = taken.flatMap((it) => it.sent ?? []).sort();
  const time = timeOf(ctx, scheduled ? (run.scheduledDate ?? sent) : sent);
  return ctx.note(scheduled ? alreadyScheduled(time, runs) : alreadySent(time, runs));
};

const alreadyScheduled = (time: string, runs: string): string =>
  runs === ""
    ? t`already scheduled for ${time}; not scheduled again`
    : t`already scheduled for ${time} by run ${runs}; not scheduled again`;

const alreadySent = (time: string, runs: string): string =>
  runs === ""
    ? t`already sent at ${time}; not sent again`
    : t`already sent at ${time} by run ${runs}; not sent again`;

/** Without its date if it was today. */
const timeOf = ({ clock, view }: Ports, time: string): string => {
  const shown = tableText(view);
  const [date, hour = ""] = shown(time).split(" ");
  const [today] = shown(clock.now().toISOString()).split(" ");
  return date === today ? `${hour.slice(0, 5)} ${zoneName(view)}` : timeText(view)(time);
};
