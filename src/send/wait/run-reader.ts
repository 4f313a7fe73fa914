/** What a run is, again and again: its journal, the groups that are not over yet, and the failures that came since. */
import type { Client } from "../../client/client.ts";
import { readGroup } from "../../contract/groups.ts";
import type { Group, StoredMessage } from "../../contract/message-records.ts";
import { listMessages } from "../../contract/messages.ts";
import { failedOnly } from "../../message/failures.ts";
import { isFailure, statusMeaning } from "../../message/status.ts";
import { mayBeReplaced } from "../../message/type.ts";
import type { Ports } from "../../ports.ts";
import { isRefused } from "../protocol/outcomes.ts";
import { rowsDone } from "../report/progress.ts";
import { type RunRecord, runRecord } from "../report/run-record.ts";
import type { RunFile } from "../store/run-file.ts";
import type { RunStore } from "../store/run-folder.ts";
import { readState } from "../store/summary.ts";
import { isOver } from "./delivery.ts";
import { codeInPlaceOf, readInPlace } from "./in-place.ts";
import { countsOf, type Delivered } from "./wait-run.ts";

/** How a run stands. */
export interface Snapshot extends RunFigures, Delivered {
  readonly run: string;
  /** Rows that were filled into groups, or sent. */
  readonly filled: number;
  /** Rows a second, as they went lately; null where nothing went. */
  readonly rate: number | null;
  readonly secondsLeft: number | null;
  /** The most frequent first. */
  readonly failures: readonly FailureCount[];
  /** The newest first. */
  readonly lastFailures: readonly LastFailure[];
}

interface FailureCount {
  readonly code: string;
  readonly meaning: string;
  readonly count: number;
}

interface LastFailure {
  readonly date: string;
  readonly to: string;
  readonly code: string;
  readonly meaning: string;
}

/** `settled`: nothing of it changes any more. `stuck`: nothing will, unless someone does something. */
export type Standing = "moving" | "settled" | "stuck";

export interface RunReading {
  readonly snapshot: Snapshot;
  readonly standing: Standing;
}

/** One request after the other, however slow they are answered. */
export const createRunReader = (ctx: Ports, store: RunStore, run: RunFile) => {
  const groups = new Map<string, Group>();
  const failures = createFailureLog();
  const rateOf = createRate(ctx);
  return async (signal: AbortSignal): Promise<RunReading> => {
    const client = await ctx.session.client();
    const record = runRecord(store, run);
    for (const groupId of record.groups) {
      const known = groups.get(groupId);
      if (known !== undefined && isOver(known)) continue;
      const group = await client.call(readGroup, { params: { groupId } }, { signal });
      await failures.follow(client, group, signal);
      groups.set(groupId, group);
    }
    const read = [...groups.values()];
    const delivery = countsOf(read, record);
    const filled = record.state === "damaged" ? 0 : filledOf(store, run);
    const [progress, goal] = isFilling(record)
      ? [filled, run.messages]
      : [delivery.delivered + delivery.failed, record.accepted];
    const snapshot = {
      ...runFigures(record),
      run: run.run,
      filled,
      ...delivery,
      ...rateOf(progress, goal),
      ...failures.read(),
    };
    return { snapshot, standing: standingOf(record, read) };
  };
};

type RunFigures = ReturnType<typeof runFigures>;

const runFigures = ({ state, total, accepted, refused, skipped, notSent, unknown }: RunRecord) => ({
  state,
  total,
  accepted,
  refused,
  skipped,
  notSent,
  unknown,
});

const filledOf = (store: RunStore, run: RunFile): number => {
  const state = readState(store, run);
  return state === undefined ? 0 : rowsDone(state);
};

const isFilling = ({ state }: RunRecord): boolean => state === "running" || state === "open";

/** The journal of a run that waited for its hour says so until someone reconciles it: its groups show that it passed. */
const standingOf = ({ state }: RunRecord, groups: readonly Group[]): Standing => {
  // One that was filled and not sent stays so, where no process works on the run.
  const isMoving = groups.some((it) => !isOver(it) && it.status !== "PENDING");
  if (state === "running" || isMoving) return "moving";
  return settled.has(state) ? "settled" : "stuck";
};

const settled: ReadonlySet<string> = new Set(["done", "cancelled", "scheduled"]);

/** Of the newest failures so many. */
const kept = 50;

interface FailedInGroup {
  readonly failed: number;
  /** When the last of them was changed, and which ones then. */
  readonly updated: string;
  readonly ids: ReadonlySet<string>;
  /** Those that the service may send another in place of, until the group is over. */
  readonly open: readonly StoredMessage[];
}

const noneFailed: FailedInGroup = { failed: 0, updated: "", ids: new Set(), open: [] };

const mayYetArrive = (it: StoredMessage): boolean => !isRefused(it) && mayBeReplaced(it);

/** Failures of all groups. Those that are known are not asked for again; of what was replaced the last code counts. */
const createFailureLog = () => {
  const byCode = new Map<string, number>();
  const byGroup = new Map<string, FailedInGroup>();
  const last: LastFailure[] = [];
  const add = ({ to, dateUpdated: date }: StoredMessage, code: string): void => {
    byCode.set(code, (byCode.get(code) ?? 0) + 1);
    last.push({ date, to, code, meaning: statusMeaning(code) });
    last.sort((one, other) => other.date.localeCompare(one.date)).splice(kept);
  };
  return {
    follow: async (client: Client, group: Group, signal: AbortSignal) => {
      const { groupId, count } = group;
      const before = byGroup.get(groupId) ?? noneFailed;
      const failed = count.registeredFailed + count.sentFailed;
      const fresh = failed === before.failed ? [] : await readFailed(client, group, before, signal);
      const all = [...before.open, ...fresh.filter((it) => !it.replacement)];
      const open = isOver(group) ? [] : all.filter(mayYetArrive);
      const isReplaced = isOver(group) && all.some(mayYetArrive);
      const inPlace = isReplaced ? await readInPlace(client, groupId, { signal }) : new Map();
      // Behind the last answer: where one does not come, the same are asked for again.
      for (const it of isOver(group) ? all : all.filter((it) => !mayYetArrive(it))) {
        const code = codeInPlaceOf(it, inPlace) ?? it.statusCode;
        if (isFailure(code)) add(it, code);
      }
      const updated = [before.updated, ...fresh.map((it) => it.dateUpdated)].sort().at(-1) ?? "";
      const then = fresh.filter((it) => it.dateUpdated === updated).map((it) => it.messageId);
      const ids = new Set(updated === before.updated ? [...before.ids, ...then] : then);
      byGroup.set(groupId, { failed, updated, ids, open });
    },
    read: () => ({
      failures: [...byCode]
        .sort(([, one], [, other]) => other - one)
        .map(([code, count]) => ({ code, meaning: statusMeaning(code), count })),
      lastFailures: [...last],
    }),
  };
};

const readFailed = async (
  client: Client,
  { groupId }: Group,
  { updated, ids }: FailedInGroup,
  signal: AbortSignal,
): Promise<readonly StoredMessage[]> => {
  const since = updated !== "" && { dateType: "UPDATED" as const, startDate: updated };
  const query = { groupId, ...failedOnly, ...since };
  const found: StoredMessage[] = [];
  for await (const { rows } of client.pages(listMessages, { query }, { signal }))
    found.push(...rows.filter(({ messageId }) => !ids.has(messageId)));
  return found;
};

/** As far back as the rate looks. */
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
