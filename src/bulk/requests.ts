/** The protocol's actions as requests, and what their answers mean: the one place that says so. */
import type { CallOptions, Client, PageOf } from "../client/client.ts";
import {
  addGroupMessages,
  createGroup,
  deleteGroup,
  readGroup,
  scheduleGroup,
  sendGroup,
} from "../contract/groups.ts";
import type { Group, StoredMessage } from "../contract/message-records.ts";
import { listMessages, sendMany, sendMessage } from "../contract/messages.ts";
import { MsgError, type Problem } from "../errors.ts";
import { statusMeaning } from "../message/status.ts";
import type { Action, Outcome, Signature } from "./protocol/entries.ts";
import type { RunFile } from "./run-file.ts";

export interface RequestOptions {
  readonly client: Client;
  readonly run: RunFile;
  /** The bytes of a chunk's body. */
  readonly body: (chunk: number) => Uint8Array;
  readonly fresh: () => Signature;
  /** Ends requests that are under way, when the operator has waited long enough. */
  readonly signal: AbortSignal;
  /** Why nothing may be sent now; asked once, before the first request that sends. */
  readonly mayStart: () => Promise<MsgError | undefined>;
  readonly onAnswer: (headers: Readonly<Record<string, string>>) => void;
  /** Why an action did not succeed, for the one that ends the run. */
  readonly onError: (error: MsgError) => void;
  /** A row that the service refused, with its code. */
  readonly onRefused: (problem: Problem) => void;
  /** The answer of the call that sent one message. */
  readonly onReply: (reply: unknown) => void;
}

/** Performs one action. Throws only what is a fault of `msg` itself. */
export const perform = async (action: Action, options: RequestOptions): Promise<Outcome> => {
  try {
    return await request(action, options);
  } catch (error) {
    if (!(error instanceof MsgError)) throw error;
    options.onError(error);
    const outcome = outcomeOf(error, options.run);
    return isRead(action) && outcome.is !== "refused" ? { is: "unreadable" } : outcome;
  }
};

const isRead = ({ do: what }: Action): boolean =>
  what === "count" || what === "verify" || what === "readSent" || what === "look";

const outcomeOf = ({ code, outcome, http }: MsgError, run: RunFile): Outcome => {
  if (code === "DuplicatedSignature") return { is: "duplicated" };
  if (code === "AlreadySent" || code === "GroupInProcessing") return { is: "already" };
  if (code === "ScheduledGroup" && run.scheduledDate !== undefined) return { is: "already" };
  if (outcome === "unknown") return { is: "doubt" };
  if (outcome === "not_sent") return { is: "notSent" };
  const { status = 0 } = http ?? {};
  return status === 429 ? { is: "limited" } : { is: "refused", status, code };
};

const request = async (action: Action, options: RequestOptions): Promise<Outcome> => {
  const { client } = options;
  const call = callOf(options);
  switch (action.do) {
    case "clear":
      return clear(options);
    case "probe":
      return probe(options);
    case "create":
      return created(await client.call(createGroup, { body: groupMembers(options.run) }, call));
    case "add":
      return add(action, options);
    case "count":
    case "verify":
    case "readSent":
      return seen(
        await client.call(readGroup, { params: { groupId: action.id } }, call),
        options.run,
      );
    case "send":
      return send(action, options);
    case "delete":
      return created(await client.call(deleteGroup, { params: { groupId: action.id } }, call));
    case "post":
      return post(action, options);
    case "look":
      return look(action, options);
  }
};

const clear = async ({ mayStart, onError }: RequestOptions): Promise<Outcome> => {
  const stop = await mayStart();
  if (stop) onError(stop);
  return { is: stop ? "no" : "yes" };
};

const callOf = ({ signal, onAnswer }: RequestOptions): CallOptions => ({
  signal,
  onAnswer: ({ headers }) => onAnswer(headers),
  detached: true,
});

const groupMembers = ({ run, strict, allowDuplicates, tagged }: RunFile) => ({
  ...(strict && { strict }),
  ...(allowDuplicates && { allowDuplicates }),
  ...(tagged && { customFields: { "msg.run": run } }),
});

const ok = (id: string, accepted: number, refused: number, cost: number): Outcome => ({
  is: "ok",
  id,
  counts: { accepted, refused },
  cost,
  failed: false,
});

const created = ({ groupId }: Group): Outcome => ok(groupId, 0, 0, 0);

const costOf = ({ balance, point }: Group): number => balance.requested + point.requested;

/** A group that failed as a whole (balance, quota) sent none of its rows, registered or not. */
const sent = (group: Group): Outcome => {
  const { total, registeredSuccess, registeredFailed } = group.count;
  const failed = group.status === "FAILED";
  const counts = failed
    ? { accepted: 0, refused: total }
    : { accepted: registeredSuccess, refused: registeredFailed };
  return { is: "ok", id: group.groupId, counts, cost: costOf(group), failed };
};

/** A run for later schedules its groups: that too happens once, and may be repeated. */
const send = async (
  { id }: Extract<Action, { do: "send" }>,
  options: RequestOptions,
): Promise<Outcome> => {
  const { client, run } = options;
  const { scheduledDate } = run;
  const params = { groupId: id };
  const call = callOf(options);
  const group =
    scheduledDate === undefined
      ? await client.call(sendGroup, { params, body: {} }, call)
      : await client.call(scheduleGroup, { params, body: { scheduledDate } }, call);
  if (group.status === "FAILED") options.onError(failedWhole(group));
  return sent(group);
};

const failedWhole = ({ groupId, log }: Group): MsgError =>
  new MsgError(
    "refused",
    `The service refused a group as a whole: ${log.at(-1)?.message ?? "no reason given"}.`,
    {
      code: "GroupFailed",
      where: `group ${groupId}`,
      outcome: "refused",
      todo: `msg group get ${groupId} shows why`,
    },
  );

const statuses = {
  PENDING: "open",
  SCHEDULED: "other",
  SENDING: "sent",
  COMPLETE: "sent",
  FAILED: "failed",
  DELETED: "deleted",
} as const;

const seen = (group: Group, { scheduledDate }: RunFile): Outcome => ({
  is: "group",
  status:
    group.status === "SCHEDULED" && scheduledDate !== undefined
      ? "sent"
      : (statuses[group.status] ?? "other"),
  counts: { accepted: group.count.registeredSuccess, refused: group.count.registeredFailed },
  cost: costOf(group),
});

/** Two overlapping reads with one signature: the fence stands where exactly one is refused. */
const probe = async (options: RequestOptions): Promise<Outcome> => {
  const signature = options.fresh();
  const read = () =>
    options.client
      .call(listMessages, { query: { limit: 1 } }, { ...callOf(options), signature })
      .then(
        () => "read",
        (error: unknown) => (error instanceof MsgError ? error.code : "fault"),
      );
  const both = await Promise.all([read(), read()]);
  const stands = both.includes("read") && both.includes("DuplicatedSignature");
  return { is: stands ? "yes" : "no" };
};

const add = async (
  { id, chunk, signature }: Extract<Action, { do: "add" }>,
  options: RequestOptions,
): Promise<Outcome> => {
  const bytes = options.body(chunk);
  const input = { params: { groupId: id }, body: { messages: [] } };
  const reply = await options.client.call(addGroupMessages, input, {
    ...callOf(options),
    signature,
    bytes,
  });
  const rows = options.run.chunks[chunk]?.rows ?? 0;
  const refused = reply.resultList.filter((it) => it.statusCode !== "2000");
  for (const it of refused)
    options.onRefused({
      code: it.statusCode,
      field: it.to,
      text: statusMeaning(it.statusCode),
      row: rowOf(it.customFields),
    });
  return ok(id, rows - reply.errorCount, reply.errorCount, 0);
};

const rowOf = (fields: Readonly<Record<string, unknown>> | undefined): number | undefined => {
  const row = Number(fields?.["msg.row"]);
  return Number.isInteger(row) ? row : undefined;
};

const post = async (
  { chunk, signature }: Extract<Action, { do: "post" }>,
  options: RequestOptions,
): Promise<Outcome> => {
  const call = { ...callOf(options), signature, bytes: options.body(chunk) };
  const { client, run, onReply } = options;
  if (run.call === "send") {
    const reply = await client.call(sendMessage, { body: { message: {} } }, call);
    onReply(reply);
    return ok(reply.groupId, 1, 0, 0);
  }
  const group = await client.call(sendMany, { body: { messages: [] } }, call);
  return sent(group);
};

/** Minutes before the signature from which on messages are looked at: clocks differ. */
const earlierMs = 20 * 60 * 1000;

/** The newest rows of a recipient, looked at whatever their dates say. */
const newest = 500;

/**
 * Finds what a call sent by the tag of its first row: among the newest messages to its recipient, then
 * among all since the signature. Only the second search relies on clocks that agree.
 */
const look = async (
  { chunk, signature }: Extract<Action, { do: "look" }>,
  options: RequestOptions,
): Promise<Outcome> => {
  const { client, run } = options;
  const to = firstRecipient(options.body(chunk));
  const query = to === undefined ? {} : { to };
  const startDate = new Date(Date.parse(signature.date) - earlierMs).toISOString();
  const call = callOf(options);
  const searches = [
    client.pages(listMessages, { query }, { ...call, rows: newest }),
    client.pages(listMessages, { query: { ...query, startDate } }, call),
  ];
  for (const pages of searches) {
    const row = await tagged(pages, run.run, run.chunks[chunk]?.first);
    if (row === undefined) continue;
    options.onReply(row);
    const { groupId } = row;
    return sent(await client.call(readGroup, { params: { groupId } }, call));
  }
  return { is: "absent" };
};

/** The message that carries the tag of a row of this run. */
const tagged = async (
  pages: AsyncIterable<PageOf<StoredMessage>>,
  run: string,
  first: number | undefined,
): Promise<StoredMessage | undefined> => {
  for await (const page of pages)
    for (const row of page.rows)
      if (row.customFields["msg.run"] === run && rowOf(row.customFields) === first) return row;
  return undefined;
};

const firstRecipient = (body: Uint8Array): string | undefined => {
  const value: unknown = JSON.parse(Buffer.from(body).toString("utf8"));
  const message = member(value, "message") ?? member(member(value, "messages"), "0");
  const to = member(message, "to");
  const first: unknown = Array.isArray(to) ? to[0] : to;
  return typeof first === "string" ? first : undefined;
};

const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
