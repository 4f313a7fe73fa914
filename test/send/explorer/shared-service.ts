/** The service as several machines see it that send the same rows: groups that say which rows they hold. */
import type { Action, ListedGroup, Outcome } from "../../../src/send/protocol/actions.ts";
import { listed } from "../../../src/send/protocol/claims.ts";
import type { Rows } from "../../../src/send/protocol/rows.ts";

export interface SharedGroup {
  readonly run: string;
  readonly rows: readonly Rows[];
  readonly status: "open" | "scheduled" | "sent" | "failed" | "deleted";
  /** The rows that it holds; one that was added twice stands there twice. */
  readonly held: readonly number[];
  /** Somebody took it off its schedule. */
  readonly off?: boolean;
  /** Hours since the start of the walk. */
  readonly created: number;
}

export interface SharedService {
  readonly groups: readonly SharedGroup[];
  readonly hour: number;
  /** Groups wait for an hour of their own. */
  readonly isLater: boolean;
}

/** A request, and what is needed to perform it: the rows that it adds, who asks. */
export interface Asked {
  readonly action: Action;
  readonly run: string;
  readonly rows: readonly number[];
}

type Performed = readonly [SharedService, Outcome];

const refused: Outcome = { type: "refused", status: 400, code: "DeletedGroup" };
const ok = (id: string, accepted: number, made?: string): Outcome => ({
  ...{ type: "ok", id, counts: { accepted, refused: 0 }, cost: 0, failed: false },
  ...{ created: made, signed: made },
});

const hourText = (hour: number): string => String(hour).padStart(4, "0");

/** Others see what was made in the last 25 hours. */
const listedHours = 25;

const withGroup = (
  service: SharedService,
  at: number,
  change: Partial<SharedGroup>,
): SharedService => ({
  ...service,
  groups: service.groups.map((it, index) => (index === at ? { ...it, ...change } : it)),
});

/** One request, performed whole. */
export const perform = (service: SharedService, { action, run, rows }: Asked): Performed => {
  const { groups, hour } = service;
  switch (action.type) {
    case "create": {
      const made: SharedGroup = { run, rows: action.rows, status: "open", held: [], created: hour };
      return [{ ...service, groups: [...groups, made] }, ok(`${groups.length}`, 0, hourText(hour))];
    }
    case "look":
      return [service, listed(action.own, list(service, action.since))];
    case "readRival":
      return [service, { type: "list", groups: [recordOf(service, Number(action.id))] }];
    case "deleteRival": {
      const [after] = remove(service, Number(action.id));
      return [after, { type: "list", groups: [recordOf(after, Number(action.id))] }];
    }
    case "giveWay":
    case "clear":
      return [service, { type: "yes" }];
    default:
      return "id" in action ? onGroup(service, action, rows) : [service, refused];
  }
};

const onGroup = (
  service: SharedService,
  action: Extract<Action, { readonly id: string }>,
  rows: readonly number[],
): Performed => {
  const at = Number(action.id);
  const group = service.groups[at];
  if (!group) return [service, refused];
  const { status, held } = group;
  const counts = { accepted: held.length, refused: 0 };
  switch (action.type) {
    case "add":
      if (status !== "open") return [service, { type: "duplicated" }];
      return [withGroup(service, at, { held: [...held, ...rows] }), ok(action.id, rows.length)];
    case "send":
      if (status === "deleted") return [service, refused];
      if (status !== "open") return [service, { type: "already" }];
      return [
        withGroup(service, at, { status: service.isLater ? "scheduled" : "sent" }),
        ok(action.id, held.length),
      ];
    case "delete":
      return remove(service, at);
    case "readHeld":
      return [service, { type: "refused", status: 0, code: "GroupTouched" }];
    default:
      return [service, { type: "group", status, counts, cost: 0 }];
  }
};

const remove = (service: SharedService, at: number): Performed => {
  const group = service.groups[at];
  if (group?.status !== "open" && group?.status !== "failed") return [service, refused];
  const counts = { accepted: group.held.length, refused: 0 };
  const record: Outcome = { type: "group", status: "deleted", counts, cost: 0 };
  return [withGroup(service, at, { status: "deleted" }), record];
};

const recordOf = ({ groups }: SharedService, at: number): ListedGroup => {
  const { run = "", rows = [], status = "other", held = [] } = groups[at] ?? {};
  const counts = { accepted: held.length, refused: 0 };
  return { id: `${at}`, run, rows, status, counts, cost: 0, isMoving: false };
};

/** What a list that is asked for shows; whether somebody is at work the walk decides. */
const list = (service: SharedService, since: string | undefined): readonly ListedGroup[] => {
  const from = (since === undefined ? service.hour : Number(since)) - listedHours;
  return service.groups.flatMap((it, at) => (it.created >= from ? [recordOf(service, at)] : []));
};

/** A send that the service refuses, or takes and fails as a whole. */
const refusals = (service: SharedService, { action }: Asked): readonly Performed[] => {
  if (action.type !== "send" || service.groups[Number(action.id)]?.status !== "open") return [];
  const failed = withGroup(service, Number(action.id), { status: "failed" });
  const counts = { accepted: 0, refused: 0 };
  return [
    [service, { type: "refused", status: 402, code: "NotEnoughBalance" }],
    [failed, { type: "ok", id: action.id, counts, cost: 0, failed: true }],
  ];
};

/** Somebody takes a group off its schedule, for each of them; all of them go out at their hour. */
export const takenOff = (service: SharedService): readonly SharedService[] =>
  service.groups.flatMap((it, at) =>
    it.status === "scheduled" ? [withGroup(service, at, { status: "open", off: true })] : [],
  );

/** The groups that were sent, or wait for their hour, with a row. */
export const promises = ({ groups }: SharedService, row: number): readonly SharedGroup[] =>
  groups.filter(
    ({ status, held }) => (status === "sent" || status === "scheduled") && held.includes(row),
  );

/** Whether it is nowhere: what somebody took off its schedule was there. */
export const isNowhere = (service: SharedService, row: number): boolean =>
  promises(service, row).length === 0 &&
  !service.groups.some(({ off, held }) => off && held.includes(row));

/** A row goes out twice: by a group that holds it twice, or by two that could have known of each other. */
export const isDuplicated = (service: SharedService, row: number): boolean => {
  const sent = promises(service, row);
  return (
    sent.some(({ held }) => held.filter((it) => it === row).length > 1) ||
    sent.some((one, at) =>
      sent.slice(at + 1).some((it) => Math.abs(it.created - one.created) <= listedHours),
    )
  );
};

/** Who hears an answer. */
interface Hearing {
  readonly run: string;
  readonly lastList: Outcome | undefined;
}

/** What comes of a request: an answer, and copies that are still on their way. */
export interface Answered {
  readonly service: SharedService;
  readonly answer: Outcome;
  readonly late: readonly Asked[];
  readonly isFault: boolean;
}

const unknown: Outcome = { type: "unknown" };

/** Everything that may come of it; a line that may spoil something costs a fault. */
export const answersTo = (
  { service, faults }: { readonly service: SharedService; readonly faults: number },
  machine: Hearing,
  asked: Asked,
): readonly Answered[] => {
  const done = perform(service, asked);
  const well = moving(done[1], machine.run).map((answer) => answered([done[0], answer], false));
  if (faults === 0 || asked.action.type === "clear" || asked.action.type === "giveWay") return well;
  const [after] = done;
  const faulty: readonly Performed[] = lasting.has(asked.action.type)
    ? [
        [service, unknown],
        [after, unknown],
        ...strange(asked.action).flatMap((it): Performed[] => [
          [service, it],
          [after, it],
        ]),
        ...refusals(service, asked),
      ]
    : [[service, { type: "unreadable" }]];
  const stale = asked.action.type === "look" ? staleList(machine, asked) : [];
  // A copy of what was performed carries its signature: the service refuses it.
  const late = lasting.has(asked.action.type)
    ? [{ ...answered([service, unknown], true), late: [asked] }]
    : [];
  return [
    ...well,
    ...faulty.map((it) => answered(it, true)),
    ...stale.map((it) => answered([service, it], true)),
    ...late,
    ...rivalFaults(service, asked).map((it) => answered(it, true)),
  ];
};

const answered = ([service, answer]: Performed, isFault: boolean): Answered => ({
  ...{ service, answer, late: [], isFault },
});

const lasting: ReadonlySet<Action["type"]> = new Set(["create", "add", "send", "delete"]);

/** In the service's own words, from something that only repeats them. */
const strange = ({ type }: Action): readonly Outcome[] => {
  if (type === "add") return [{ type: "duplicated" }];
  if (type === "create") return [];
  const refused: Outcome = { type: "refused", status: 403, code: "Forbidden" };
  return type === "send" ? [refused, { type: "already" }] : [refused];
};

/** The deletion of another's group gets lost, or its record cannot be read. */
const rivalFaults = (service: SharedService, asked: Asked): readonly Performed[] => {
  if (asked.action.type !== "deleteRival") return [];
  const read = perform(service, { ...asked, action: { type: "readRival", id: asked.action.id } });
  return [read, [perform(service, asked)[0], { type: "unreadable" }]];
};

/** The answer to an earlier look: it counts only where it shows what has been made since. */
const staleList = ({ lastList }: Hearing, { action }: Asked): readonly Outcome[] => {
  if (action.type !== "look" || lastList?.type !== "list") return [];
  const ids = action.own.filter((id) => lastList.groups.every((it) => it.id !== id));
  return [ids.length > 0 ? { type: "unlisted", ids } : lastList];
};

/** Whether others are at work is only known to them: the walk goes both ways. */
const moving = (outcome: Outcome, run: string): readonly Outcome[] => {
  if (outcome.type !== "list") return [outcome];
  const isOther = outcome.groups.some((it) => it.run !== run && it.status === "open");
  const isMoving = true;
  return isOther
    ? [outcome, { ...outcome, groups: outcome.groups.map((it) => ({ ...it, isMoving })) }]
    : [outcome];
};
