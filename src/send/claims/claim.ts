/** How a run treats others that are at work on the same rows: it waits for them, or takes their rows over. */

import { MsgError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import type { Facts } from "../protocol/entries.ts";
import type { State } from "../protocol/state.ts";
import type { EngineEnvironment } from "../run/engine-environment.ts";
import type { ClaimName } from "./group-fields.ts";
import type { GroupFields } from "./message-fields.ts";

/** What a run knows of itself before it is begun. */
export interface ClaimSettings extends ClaimName {
  /** What groups say of their rows, or their messages in place of them. */
  readonly fields: GroupFields;
  /** This run waits for another that is at work; else that one stops it (exit 7). */
  readonly mayWait: boolean;
  readonly note: (line: string) => void;
}

interface ClaimOptions
  extends ClaimSettings,
    Pick<EngineEnvironment, "ticks" | "random" | "wait" | "signal"> {
  /** The service's time, in milliseconds. */
  readonly time: () => number;
}

export type Claim = ReturnType<typeof createClaim>;

export const createClaim = (options: ClaimOptions) => {
  const { mayWait, ticks, time, note } = options;
  /** By group, its last change, and the ticks of that as far as this process can know. */
  const seen = new Map<string, { readonly updated: string; readonly ticks: number }>();
  const noted = new Set<string>();
  const noteOnce = (run: string, line: string): void => {
    if (!noted.has(run)) note(line);
    noted.add(run);
  };
  return {
    ...options,
    /** How long ago someone worked on a group whose last change was at `updated`. */
    idleMs: (groupId: string, updated: string): number => {
      const before = seen.get(groupId);
      // The `Date` of an answer may be a proxy's: what changes while we watch has certainly changed.
      const agoMs = before ? 0 : Math.max(0, time() - Date.parse(updated));
      const now = { updated, ticks: ticks() - agoMs };
      const known = before?.updated === updated ? before : now;
      seen.set(groupId, known);
      return ticks() - known.ticks;
    },
    /** Throws MsgError if this run does not wait for one that is at work; resolves when it is time to list again. */
    waitForRival: async (run: string): Promise<void> => {
      if (!mayWait) throw rivalAtWorkError(run);
      noteOnce(run, t`run ${run} is sending the same rows: waiting for it`);
      await pause(options);
    },
    takeOver: (runs: readonly string[]): void => {
      for (const run of runs)
        noteOnce(`over:${run}`, t`run ${run} has stopped sending the same rows: taking them over`);
    },
  };
};

/** Between one second and three: two runs that wait for each other do not meet again. */
const pause = ({ random, wait, signal }: ClaimOptions): Promise<void> =>
  wait(1_000 + (random(1)[0] ?? 0) * 8, signal).catch(() => undefined);

const rivalAtWorkError = (run: string): MsgError =>
  new MsgError("stopped", t`run ${run} is sending the same rows`, {
    code: "SentElsewhere",
    where: t`run ${run}`,
    todo: t`nothing was sent by this one; without --no-wait it waits until that one ends`,
  });

/** The runs whose rows this one fills groups with from now on: none of them is at work. */
export const takenOverRuns = ({ mayFill, shape }: State, facts: Facts): readonly string[] => {
  const rivals = facts.flatMap((it) => (it.t === "rivals" ? (it.rivals ?? []) : []));
  const isIdle = rivals.every((it) => !it.isActive && it.status !== "scheduled");
  const isOver = shape.goal === "finish" && !mayFill && isIdle;
  return isOver ? rivals.map(({ run }) => run).filter((run) => run !== shape.claim?.run) : [];
};
