/** The service as the explorer sees it: groups, a memory of signatures, and books. One row a chunk. */
import type { Action, Outcome } from "../../../src/send/protocol/actions.ts";
import type { Counts, Signature } from "../../../src/send/protocol/entries.ts";
import { countRows } from "../../../src/send/protocol/row-ranges.ts";

export interface GroupHere {
  readonly status: "open" | "scheduled" | "sent" | "failed" | "deleted";
  /** How often each chunk was added. */
  readonly adds: readonly number[];
  /** Chunks whose row was refused. */
  readonly declined: readonly number[];
  /** Somebody else took it off its schedule, and nobody has put it back. */
  readonly off?: boolean;
  /** Somebody else added a message to it. */
  readonly strange?: boolean;
  /** Somebody else took a message out of it. */
  readonly cut?: boolean;
  /** Someone else sent it. */
  readonly byOther?: boolean;
}

export interface ServiceHere {
  readonly groups: readonly GroupHere[];
  /** How often each chunk was sent: the judge. */
  readonly books: readonly number[];
  /** Salts that were seen, each with the minute. */
  readonly used: readonly { readonly salt: string; readonly status: number }[];
  /** Sending a group only lets it wait for its hour, or, when that is over, nothing any more. */
  readonly hour: "none" | "ahead" | "over";
}

export const emptyService = (chunks: number, scheduled: boolean): ServiceHere => ({
  hour: scheduled ? "ahead" : "none",
  groups: [],
  books: Array.from({ length: chunks }, () => 0),
  used: [],
});

type Done = readonly [ServiceHere, Outcome];

const ok = (id: string, accepted: number) =>
  ({ type: "ok", id, counts: { accepted, refused: 0 }, cost: 0, failed: false }) as const;
const sentAs = (id: string, counts: Counts): Outcome => ({ ...ok(id, 0), counts });
const refused: Outcome = { type: "refused", status: 400, code: "NotAllowedHere" };

const minuteMs = 60_000;
/** The service accepts a date, and remembers a signature from its arrival on, for so long. */
const windowMinutes = 15;

const isRemembered = ({ used }: ServiceHere, { salt }: Signature, minute: number): boolean =>
  used.some((it) => it.salt === salt && minute - it.status < windowMinutes);

/** One request, handled whole, so many minutes after the start of the walk. */
export const handle = (service: ServiceHere, action: Action, minute: number): Done => {
  if (!("signature" in action) || action.type === "findEvidence") return perform(service, action);
  const ageMs = minute * minuteMs - Date.parse(action.signature.date);
  if (Math.abs(ageMs) >= windowMinutes * minuteMs)
    return [service, { type: "unknown", isForeign: true }];
  if (isRemembered(service, action.signature, minute)) return [service, { type: "duplicated" }];
  return perform(burn(service, action, minute), action);
};

/** The signature is remembered and nothing is executed: a 5xx behind the check. */
export const burn = (service: ServiceHere, action: Action, at: number): ServiceHere =>
  "signature" in action && !isRemembered(service, action.signature, at)
    ? { ...service, used: [...service.used, { salt: action.signature.salt, status: at }] }
    : service;

const perform = (service: ServiceHere, action: Action): Done => {
  switch (action.type) {
    case "probe":
    case "clear":
    case "listRivals":
    case "waitForRival":
    case "readRival":
    case "deleteRival":
      return [service, { type: "yes" }];
    case "create":
      return create(service);
    case "post":
      return [{ ...service, books: plus(service.books, action.chunk) }, posted(action.chunk)];
    case "findEvidence":
      return [
        service,
        (service.books[action.chunk] ?? 0) > 0 ? posted(action.chunk) : { type: "absent" },
      ];
    default:
      return onGroup(service, action);
  }
};

/** Each call makes a group of its own. */
const posted = (chunk: number): Outcome => ok(`posted ${chunk}`, 1);

const create = (service: ServiceHere): Done => {
  const group: GroupHere = { status: "open", adds: service.books.map(() => 0), declined: [] };
  return [{ ...service, groups: [...service.groups, group] }, ok(`${service.groups.length}`, 0)];
};

const onGroup = (service: ServiceHere, action: Extract<Action, { readonly id: string }>): Done => {
  const group = service.groups[Number(action.id)];
  if (!group) return [service, refused];
  const change = (changed: GroupHere, books = service.books): ServiceHere => ({
    ...service,
    books,
    groups: service.groups.map((it) => (it === group ? changed : it)),
  });
  const total = group.adds.reduce((sum, it) => sum + it, group.strange ? 1 : 0);
  const counts = { accepted: total, refused: group.declined.length };
  switch (action.type) {
    case "add":
      if (group.status !== "open") return [service, refused];
      return [change({ ...group, adds: plus(group.adds, action.chunk) }), ok(action.id, 1)];
    case "send": {
      // It was sent, or never will be: what became of it is read.
      if (group.status === "deleted") return [service, refused];
      if (group.status !== "open") return [service, { type: "already" }];
      if (total === 0) return [service, refused];
      if (service.hour === "over") return [service, refused];
      if (service.hour === "ahead")
        return [change({ ...group, status: "scheduled", off: false }), sentAs(action.id, counts)];
      const books = service.books.map((it, at) => it + (group.adds[at] ?? 0));
      return [change({ ...group, status: "sent" }, books), sentAs(action.id, counts)];
    }
    case "unschedule":
      if (group.status !== "scheduled") return [service, { type: "already" }];
      return [change({ ...group, status: "open" }), ok(action.id, 0)];
    case "delete": {
      if (group.status !== "open" && group.status !== "failed") return [service, refused];
      const record = { type: "group", status: "deleted", counts, cost: 0 } as const;
      return [change({ ...group, status: "deleted" }), record];
    }
    case "readHeld": {
      const held = group.adds.flatMap((times, chunk) => {
        const refused = group.declined.includes(chunk) ? 1 : 0;
        return times + refused > 0 ? [{ chunk, accepted: times, refused }] : [];
      });
      const isCut = held.length < countRows(action.rows);
      return [service, { type: "held", held, cost: 0, isCut }];
    }
    default:
      return [service, { type: "group", status: group.status, counts, cost: 0 }];
  }
};

/** Refusals of a request that could have been performed, and what the service is then. */
export const refusalsOf = (service: ServiceHere, action: Action, minute: number): Done[] => {
  const poor: Outcome = { type: "refused", status: 402, code: "NotEnoughBalance" };
  const [performed] = handle(service, action, minute);
  if (action.type === "create") return [[service, refused]];
  if (action.type === "add") return [[service, refused], ...declinedRow(service, action, minute)];
  // Looked at behind the check of the signature: that copy has used it up.
  if (action.type === "post")
    return [
      [service, { type: "refused", status: 403, code: "Forbidden" }],
      ...(performed === service ? [] : [[burn(service, action, minute), poor] satisfies Done]),
    ];
  if (action.type !== "send" || performed === service) return [];
  const failed: Outcome = { ...ok(action.id, 0), failed: true };
  const groups = service.groups.map((it, at) =>
    at === Number(action.id) ? { ...it, status: "failed" as const } : it,
  );
  return [
    [service, poor],
    [{ ...service, groups }, failed],
  ];
};

/** The service takes the request, and refuses the row in it. */
const declinedRow = (
  service: ServiceHere,
  action: Extract<Action, { type: "add" }>,
  minute: number,
): Done[] => {
  const [performed] = handle(service, action, minute);
  const at = Number(action.id);
  if (performed.groups[at] === service.groups[at]) return [];
  const groups = service.groups.map((it, index) =>
    index === at ? { ...it, declined: [...it.declined, action.chunk] } : it,
  );
  const counts = { accepted: 0, refused: 1 };
  return [[{ ...performed, groups }, sentAs(action.id, counts)]];
};

/** The hour comes: what waits for it goes out. */
export const atItsHour = (service: ServiceHere): ServiceHere => {
  const leaving = service.groups.filter((it) => it.status === "scheduled");
  const sentIn = (chunk: number): number =>
    leaving.reduce((sum, it) => sum + (it.adds[chunk] ?? 0), 0);
  return {
    ...service,
    hour: "over",
    books: service.books.map((it, chunk) => it + sentIn(chunk)),
    groups: service.groups.map((it) => (leaving.includes(it) ? { ...it, status: "sent" } : it)),
  };
};

/** Somebody else takes one group off its schedule: the service as it is then, for each of them. */
export const takenOff = (service: ServiceHere): ServiceHere[] =>
  service.groups
    .filter((it) => it.status === "scheduled")
    .map((off) => ({
      ...service,
      groups: service.groups.map((it) =>
        it === off ? ({ ...it, status: "open", off: true } as const) : it,
      ),
    }));

/** The service with one of its open groups changed, for each of them. */
const withOpen = (service: ServiceHere, change: Partial<GroupHere>): ServiceHere[] =>
  service.groups
    .filter((it) => it.status === "open")
    .map((open) => ({
      ...service,
      groups: service.groups.map((it) => (it === open ? { ...it, ...change } : it)),
    }));

/** Somebody else deletes one open group. */
export const deleted = (service: ServiceHere): ServiceHere[] =>
  withOpen(service, { status: "deleted" });

/** Someone else sends one open group that holds something. */
export const sentByOther = (service: ServiceHere): ServiceHere[] =>
  service.groups
    .filter((it) => it.status === "open" && it.adds.some((times) => times > 0))
    .map((group) => ({
      ...service,
      books: service.books.map((it, at) => it + (group.adds[at] ?? 0)),
      groups: service.groups.map((it) =>
        it === group ? ({ ...it, status: "sent", byOther: true } as const) : it,
      ),
    }));

/** Somebody else takes a message out of one open group that holds others. */
export const takenOut = (service: ServiceHere): ServiceHere[] =>
  service.groups
    .filter((it) => it.status === "open" && it.adds.filter((times) => times > 0).length > 1)
    .map((group) => {
      const out = group.adds.findIndex((times) => times > 0);
      const adds = group.adds.map((times, at) => (at === out ? 0 : times));
      const groups = service.groups.map((it) => (it === group ? { ...it, adds, cut: true } : it));
      return { ...service, groups };
    });

/** Somebody else adds a message to one open group. */
export const addedTo = (service: ServiceHere): ServiceHere[] =>
  withOpen(service, { strange: true });

/** Whether a request to send it would send what somebody else added. */
export const isAddedTo = ({ groups }: ServiceHere, id: string): boolean => {
  const group = groups[Number(id)];
  return group?.status === "open" && group.strange === true;
};

const plus = (counts: readonly number[], at: number): readonly number[] =>
  counts.map((it, index) => (index === at ? it + 1 : it));
