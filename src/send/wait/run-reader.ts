/** Reads a run repeatedly: its journal, the groups that are not over yet, and the failures that came since. */
import type { Client } from "../../client/client.ts";
import { readGroup } from "../../contract/groups.ts";
import type { Group } from "../../contract/message-records.ts";
import { listMessages } from "../../contract/messages.ts";
import { failedOnly } from "../../message/failures.ts";
import { isFailure, statusMeaning } from "../../message/status.ts";
import type { Ports } from "../../ports.ts";
import { isRefused } from "../protocol/outcomes.ts";
import { rowsDone } from "../report/progress.ts";
import { type RunRecord, runRecord } from "../report/run-record.ts";
import type { RunFile } from "../store/run-file.ts";
import { storeOf } from "../store/run-folder.ts";
import { readState } from "../store/summary.ts";
import { isOver } from "./group-delivery.ts";
import { bestCode, type InPlace, readInPlace, recipientsInPlace } from "./in-place.ts";
import { countsOf, type Delivered } from "./wait-run.ts";

export interface Snapshot
  extends Delivered,
    Pick<RunRecord, "run" | "state" | "total" | "skipped" | "notSent" | "unknown"> {
  /** Rows that were filled into groups, or sent. */
  readonly filled: number;
  /** Recent rows a second; null if there were none. */
  readonly rate: number | null;
  readonly secondsLeft: number | null;
  /** The most frequent first. */
  readonly failures: readonly { code: string; meaning: string; count: number }[];
  /** The newest first. */
  readonly lastFailures: readonly LastFailure[];
}

type LastFailure = Omit<Failure, "others"> & { readonly meaning: string };

/** `final`: nothing of it changes any longer. `stuck`: nothing will, unless someone does something. */
type Standing = "active" | "final" | "stuck";

export interface RunReading {
  readonly snapshot: Snapshot;
  readonly standing: Standing;
}

/** Makes one request after the other, however slow the answers are. */
export const createRunReader = (ctx: Ports, run: RunFile) => {
  const store = storeOf(ctx);
  const groups = new Map<string, Group>();
  const failures = createFailureLog();
  const rateOf = createRate(ctx);
  return async (signal: AbortSignal): Promise<RunReading> => {
    const client = await ctx.session.client();
    const record = runRecord(store, run);
    const { state, total, skipped, notSent, unknown } = record;
    for (const groupId of record.groups) {
      const known = groups.get(groupId);
      if (known !== undefined && isOver(known)) continue;
      const group = await client.call(readGroup, { params: { groupId } }, { signal });
      await failures.follow(client, group, signal);
      groups.set(groupId, group);
    }
    const read = [...groups.values()];
    const delivery = countsOf(read, record);
    const found = state === "damaged" ? undefined : readState(store, run);
    const filled = found ? rowsDone(found) : 0;
    const isFilling = state === "running" || state === "open";
    const [progress, goal] = isFilling
      ? [filled, run.messages]
      : [delivery.delivered + delivery.failed, record.accepted];
    const snapshot = {
      run: run.run,
      state,
      total,
      filled,
      ...delivery,
      skipped,
      notSent,
      unknown,
      ...rateOf(progress, goal),
      ...failures.read(),
    };
    return { snapshot, standing: standingOf(record, read) };
  };
};

/** The journal of a run that waited for its hour says so until someone reconciles it: its groups show that it passed. */
const standingOf = ({ state }: RunRecord, groups: readonly Group[]): Standing => {
  // A group that was filled and not sent stays so if no process works on the run.
  const isActive = groups.some((it) => !isOver(it) && it.status !== "PENDING");
  if (state === "running" || isActive) return "active";
  return finalStates.has(state) ? "final" : "stuck";
};

const finalStates: ReadonlySet<string> = new Set(["done", "cancelled", "scheduled"]);

/** How many of the newest failures are kept. */
const kept = 50;

interface Failure {
  readonly to: string;
  readonly code: string;
  readonly date: string;
  /** The recipients to whom the service may send another in its place, until the group is over. */
  readonly others: readonly string[];
}

interface FailedInGroup {
  readonly failed: number;
  /** When the last of them was changed, and which ones then. */
  readonly updated: string;
  readonly ids: ReadonlySet<string>;
  /** Those that another may still replace. */
  readonly replaceable: readonly Failure[];
}

const noneFailed: FailedInGroup = { failed: 0, updated: "", ids: new Set(), replaceable: [] };

/** Failures of all groups. Known ones are not read again; the last code of a replaced message counts. */
const createFailureLog = () => {
  const byCode = new Map<string, number>();
  const byGroup = new Map<string, FailedInGroup>();
  const last: LastFailure[] = [];
  const add = ({ to, date }: Failure, code: string): void => {
    byCode.set(code, (byCode.get(code) ?? 0) + 1);
    last.push({ date, to, code, meaning: statusMeaning(code) });
    last.sort((one, other) => other.date.localeCompare(one.date)).splice(kept);
  };
  return {
    follow: async (client: Client, group: Group, signal: AbortSignal) => {
      const { groupId, count } = group;
      const before = byGroup.get(groupId) ?? noneFailed;
      const failed = count.registeredFailed + count.sentFailed;
      const { found, ...seen } =
        failed === before.failed
          ? { ...before, found: [] }
          : await readFailed(client, groupId, before, signal);
      const isGroupOver = isOver(group);
      const failures = [...before.replaceable, ...found];
      const replaceable = failures.filter(({ others }) => others.length > 0);
      const inPlace: InPlace =
        isGroupOver && replaceable.length > 0
          ? await readInPlace(client, groupId, { signal })
          : new Map();
      // After the last answer: where one does not come, the same are asked for again.
      for (const it of failures) {
        const code = bestCode(it.others, inPlace) ?? it.code;
        if ((isGroupOver || it.others.length === 0) && isFailure(code)) add(it, code);
      }
      byGroup.set(groupId, { ...seen, failed, replaceable: isGroupOver ? [] : replaceable });
    },
    read: () => ({
      failures: [...byCode]
        .sort(([, one], [, other]) => other - one)
        .map(([code, count]) => ({ code, meaning: statusMeaning(code), count })),
      lastFailures: [...last],
    }),
  };
};

/** Keeps little of each message: a group may hold a million. */
const readFailed = async (
  client: Client,
  groupId: string,
  before: FailedInGroup,
  signal: AbortSignal,
) => {
  const since = before.updated !== "" && {
    dateType: "UPDATED" as const,
    startDate: before.updated,
  };
  const query = { groupId, ...failedOnly, ...since };
  const found: Failure[] = [];
  let [updated, ids] = [before.updated, new Set(before.ids)];
  for await (const { rows } of client.pages(listMessages, { query }, { signal }))
    for (const it of rows.filter(({ messageId }) => !before.ids.has(messageId))) {
      const { to, statusCode: code, dateUpdated: date } = it;
      const others = isRefused(it) ? [] : recipientsInPlace(it);
      if (!it.replacement) found.push({ to, code, date, others });
      if (date > updated) [updated, ids] = [date, new Set()];
      if (date === updated) ids.add(it.messageId);
    }
  return { updated, ids, found };
};

/** How far back the rate looks. */
const windowMs = 15_000;

const createRate = ({ clock }: Ports) => {
  const samples: { readonly ticks: number; readonly progress: number }[] = [];
  return (progress: number, goal: number) => {
    const ticks = clock.ticks();
    // Filling was over and delivery began: it is counted from nothing.
    if (progress < (samples.at(-1)?.progress ?? 0)) samples.splice(0);
    samples.push({ ticks, progress });
    while (samples.length > 2 && ticks - (samples[0]?.ticks ?? 0) > windowMs) samples.shift();
    const [first = { ticks, progress }] = samples;
    const passed = ticks - first.ticks;
    const done = progress - first.progress;
    if (passed <= 0 || done <= 0) return { rate: null, secondsLeft: null };
    const rate = (done / passed) * 1000;
    return { rate: Math.round(rate * 10) / 10, secondsLeft: Math.ceil((goal - progress) / rate) };
  };
};
