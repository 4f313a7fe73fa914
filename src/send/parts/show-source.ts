/** `msg run show --source`: what all workers have sent of a source, only from the service's groups. */
import type { Group } from "../../contract/message-records.ts";
import { asText, memberOf } from "../../json/read-json.ts";
import { t } from "../../locale/locale.ts";
import type { Result } from "../../output/view.ts";
import type { Ports } from "../../ports.ts";
import { customField } from "../claims/group-fields.ts";
import { listWithFields } from "../claims/message-fields.ts";
import { otherContentError } from "../claims/rivals.ts";
import { rejectWrong } from "../plan/plan-run.ts";
import { readSource } from "../plan/read-source.ts";
import { groupOutcome } from "../protocol/outcomes.ts";
import { countRows, mergeRows, parseRows } from "../protocol/row-ranges.ts";
import { listedMs } from "../run/clocks.ts";
import { serviceTime } from "../run/hours.ts";
import { onceWithinOf, type RunFlags } from "../start/run-flags.ts";
import { messagesOf, recipientOf } from "../store/row-outcomes.ts";
import { isClaimOfRows, keyDigest, type PlannedChunk } from "../store/run-file.ts";
import { createRunFolder, type RunStore, storeOf } from "../store/run-folder.ts";
import { removeRun } from "../store/run-removal.ts";
import { failedIn, sumIn } from "../wait/group-delivery.ts";
import { costIn } from "../wait/wait-run.ts";
import { maxParts, partOf } from "./part.ts";

/** What one worker has sent; `all` is the sum of them. */
export type WorkerRecord = Readonly<ReturnType<typeof workerOf>>;

const workerColumns = [
  "worker",
  "state",
  "messages",
  "accepted",
  "refused",
  "scheduled",
  "notSent",
  "delivered",
  "failed",
  "pending",
  "cost",
  { name: "runs", value: ({ runs }: WorkerRecord) => runs.join(" ") },
] as const;

/** Throws MsgError for a source that send-many would refuse, and for a key that has other messages. */
export const showSource = async (ctx: Ports, name: string, flags: RunFlags): Promise<Result> => {
  const store = storeOf(ctx);
  const run = createRunFolder(store);
  try {
    const { planned, all } = await readSource(ctx, run, { name }, flags);
    rejectWrong(planned, all);
    const groups = await groupsOf(ctx, planned.digest, flags);
    const counted = countParts(store, run, planned.chunks, partsIn(groups));
    const workers = [...counted].map(([worker, messages]) => {
      const own = groups.filter((it) => nameOf(it) === worker);
      return workerOf(worker, messages, own);
    });
    const whole = workerOf("all", planned.messages, groups);
    const notSent = notSentOf(workers, planned.messages);
    const sum = { ...whole, notSent, state: stateOf(groups, notSent) };
    return { rows: [...workers, sum], columns: workerColumns };
  } finally {
    removeRun(store, run);
  }
};

/** The groups of these rows, or of the key if they were sent with one. */
const groupsOf = async (
  ctx: Ports,
  content: string,
  flags: RunFlags,
): Promise<readonly Group[]> => {
  const { once, at } = flags;
  const backMs = once === undefined ? listedMs : onceWithinOf(flags);
  const since = (await serviceTime(ctx)).getTime() - backMs;
  const found = await listWithFields(ctx, since, at);
  const own = found.filter((it) => isOfRows(it, content, once));
  const ofKey = found.find(
    (it) => once !== undefined && customField(it, "msg.once") === keyDigest(once),
  );
  if (own.length === 0 && ofKey) throw otherContentError(once, t`group ${ofKey.groupId}`);
  return own.filter(({ status }) => status !== "DELETED");
};

const isOfRows = (group: Group, content: string, once: string | undefined): boolean => {
  const run = customField(group, "msg.run") ?? "";
  return isClaimOfRows({ run, claim: customField(group, "msg.in") }, content, once);
};

const wholeName = "1/1";
const nameOf = (group: Group): string => customField(group, "msg.worker") ?? wholeName;

/** The numbers of parts into which workers have cut the rows: one, unless some workers were stopped by others. */
const partsIn = (groups: readonly Group[]): readonly number[] => {
  const numbers = groups.map((it) => Number(nameOf(it).split("/")[1]));
  return [...new Set(numbers)].filter((it) => it >= 1 && it <= maxParts).sort((a, b) => a - b);
};

/** With `--again` rows went out more than once, maybe in other parts: the parts that left out the fewest count. */
const notSentOf = (workers: readonly WorkerRecord[], messages: number): number => {
  const left = new Map<string, number>();
  for (const { worker, notSent } of workers) {
    const [, of = ""] = worker.split("/");
    left.set(of, (left.get(of) ?? 0) + notSent);
  }
  return Math.min(messages, ...left.values());
};

/** How many messages each worker has to send, by its name. */
const countParts = (
  store: RunStore,
  run: string,
  chunks: readonly PlannedChunk[],
  numbers: readonly number[],
): ReadonlyMap<string, number> => {
  const counted = new Map<string, number>();
  for (const of of numbers)
    for (let index = 1; index <= of; index += 1) counted.set(`${index}/${of}`, 0);
  if (numbers.length === 0) return counted;
  for (const at of chunks.keys())
    for (const message of messagesOf(store, { run, chunks }, at))
      for (const of of numbers) {
        const country = asText(memberOf(message, "country")) || "82";
        const name = `${partOf(of, country, recipientOf(message) ?? "")}/${of}`;
        counted.set(name, (counted.get(name) ?? 0) + 1);
      }
  return counted;
};

const workerOf = (worker: string, messages: number, groups: readonly Group[]) => {
  const of = (status: string) =>
    groups.filter((it) => {
      const outcome = groupOutcome(it);
      return outcome.type === "group" && outcome.status === status;
    });
  const sent = of("sent");
  const scheduled = of("scheduled");
  const done = [...sent, ...scheduled];
  const rows = mergeRows(done.flatMap((it) => parseRows(customField(it, "msg.rows")) ?? []));
  const notSent = Math.max(0, messages - countRows(rows));
  return {
    worker,
    state: stateOf(groups, notSent),
    messages,
    notSent,
    runs: [...new Set(groups.flatMap((it) => customField(it, "msg.run") ?? []))].sort(),
    groups: done.map(({ groupId }) => groupId),
    accepted: sumIn(sent, (it) => it.registeredSuccess),
    refused: sumIn(sent, (it) => it.registeredFailed),
    scheduled: sumIn(scheduled, (it) => it.registeredSuccess + it.registeredFailed),
    delivered: sumIn(sent, (it) => it.sentSuccess),
    failed: sumIn(sent, failedIn),
    pending: sumIn(sent, (it) => it.sentPending),
    cost: costIn(sent),
  };
};

const stateOf = (groups: readonly Group[], notSent: number): string => {
  if (notSent > 0) return groups.length === 0 ? "planned" : "open";
  return groups.some(({ status }) => status === "SCHEDULED") ? "scheduled" : "done";
};
