/** The service as several machines see it that send the same rows: groups that say which rows they hold. */
import type { Action, Outcome } from "../../../../src/send/protocol/actions.ts";
import { listOutcome } from "../../../../src/send/protocol/claims.ts";
import type { ListedGroup } from "../../../../src/send/protocol/entries.ts";
import type { RowRange } from "../../../../src/send/protocol/row-ranges.ts";

export interface SharedGroup {
  readonly run: string;
  /** The machine that made it. */
  readonly by: number;
  /** Which sending its rows are of: others do not look at it. */
  readonly of: string;
  readonly rows: readonly RowRange[];
  readonly status: "open" | "scheduled" | "sent" | "failed" | "deleted";
  /** The rows that it holds; one that was added twice stands there twice. */
  readonly held: readonly number[];
  /** Its messages say whose rows they are. */
  readonly hasFields: boolean;
  /** Somebody took it off its schedule. */
  readonly off?: boolean;
  /** Hours since the start of the walk; `out`: when it was sent. */
  readonly created: number;
  readonly out?: number;
}

/** Which answers show the fields of groups: all of them, none, or only that to their creation. */
export type Fields = "kept" | "dropped" | "echoed";

export interface SharedService {
  readonly groups: readonly SharedGroup[];
  readonly hour: number;
  /** Groups wait for an hour of their own. */
  readonly isLater: boolean;
  readonly fields: Fields;
}

/** A request, and what is needed to perform it: the rows that it adds, who asks. */
export interface Asked {
  readonly action: Action;
  readonly run: string;
  readonly by: number;
  readonly of: string;
  /** Who asks has found out that fields of groups do not come back: messages carry them. */
  readonly marks: boolean;
  readonly rows: readonly number[];
}

export type Performed = readonly [SharedService, Outcome];

const refused: Outcome = { type: "refused", status: 400, code: "DeletedGroup" };
const ok = (id: string, accepted: number): Extract<Outcome, { type: "ok" }> => ({
  ...{ type: "ok", id, counts: { accepted, refused: 0 }, cost: 0, failed: false },
});

const hourText = (hour: number): string => String(hour).padStart(4, "0");

/** Others see what was made in the last 25 hours. */
const listedHours = 25;

export const withGroup = (
  service: SharedService,
  at: number,
  change: Partial<SharedGroup>,
): SharedService => ({
  ...service,
  groups: service.groups.map((it, index) => (index === at ? { ...it, ...change } : it)),
});

/** One request, performed whole. */
export const perform = (service: SharedService, asked: Asked): Performed => {
  const { groups, hour } = service;
  const { action, run, by, of } = asked;
  switch (action.type) {
    case "create": {
      const fresh = { status: "open", held: [], hasFields: false, created: hour } as const;
      const made: SharedGroup = { run, by, of, rows: action.rows, ...fresh };
      const after = { ...service, groups: [...groups, made] };
      return [after, createdAs(after, groups.length)];
    }
    case "listRivals":
      return [service, look(service, action, asked)];
    case "readRival":
      return [service, { type: "list", groups: [recordOf(service, Number(action.id))] }];
    case "deleteRival": {
      const [after] = remove(service, Number(action.id));
      return [after, { type: "list", groups: [recordOf(after, Number(action.id))] }];
    }
    case "waitForRival":
    case "clear":
      return [service, { type: "yes" }];
    default:
      return "id" in action ? onGroup(service, action, asked) : [service, refused];
  }
};

/** The answer to a creation, heard now. */
export const createdAs = ({ groups, hour }: SharedService, at: number): Outcome => {
  const created = groups[at]?.created ?? hour;
  return { ...ok(`${at}`, 0), created: hourText(created), signed: hourText(hour) };
};

const onGroup = (
  service: SharedService,
  action: Extract<Action, { readonly id: string }>,
  { rows, marks }: Asked,
): Performed => {
  const at = Number(action.id);
  const group = service.groups[at];
  if (!group) return [service, refused];
  const { status, held } = group;
  const counts = { accepted: held.length, refused: 0 };
  switch (action.type) {
    case "add":
      if (status !== "open") return [service, { type: "duplicated" }];
      return [
        withGroup(service, at, { held: [...held, ...rows], hasFields: marks }),
        ok(action.id, rows.length),
      ];
    case "send":
      if (status === "deleted") return [service, refused];
      if (status !== "open") return [service, { type: "already" }];
      return [
        withGroup(
          service,
          at,
          service.isLater ? { status: "scheduled" } : { status: "sent", out: service.hour },
        ),
        ok(action.id, held.length),
      ];
    case "delete":
      return remove(service, at);
    case "verify": {
      // Its own dates tell that it is older than the request that it answered.
      const isOlder = action.signed !== undefined && group.created < Number(action.signed);
      return [service, isOlder ? { type: "old" } : { type: "group", status, counts, cost: 0 }];
    }
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
  return { id: `${at}`, run, rows, status, counts, cost: 0, isActive: false };
};

/** What a list that is asked for shows; whether somebody is at work the walk decides. */
const look = (
  service: SharedService,
  { own, known, since }: Extract<Action, { type: "listRivals" }>,
  { of, marks }: Asked,
): Outcome => {
  const { groups, hour, fields } = service;
  const from = (since === undefined ? hour : Number(since)) - listedHours;
  const shown = groups.flatMap((it, at) => (it.of === of && it.created >= from ? [`${at}`] : []));
  const bare = own.filter((id) => shown.includes(id) && isBare(groups[Number(id)]));
  if (fields !== "kept" && bare.length > 0) return { type: "bare", ids: bare };
  const isNamed = (id: string): boolean =>
    fields === "kept" || known.includes(id) || (marks && isReadable(groups[Number(id)]));
  return listOutcome(
    own,
    shown.filter(isNamed).map((id) => recordOf(service, Number(id))),
  );
};

/** Whether it has messages, and none says whose rows they are. */
const isBare = (group: SharedGroup | undefined): boolean =>
  group !== undefined && group.held.length > 0 && !group.hasFields;

/** Whether one message of it says whose rows it holds. */
const isReadable = (group: SharedGroup | undefined): boolean =>
  group?.hasFields === true && group.status !== "deleted";

/** Whether an answer shows for the first time that fields of groups do not come back. */
export const tellsOfFields = ({ fields }: SharedService, asked: Asked, answer: Outcome): boolean =>
  answer.type === "bare" ||
  (fields === "dropped" && asked.action.type === "create" && answer.type === "ok");

/** Somebody takes a group off its schedule, for each of them; all of them go out at their hour. */
export const takenOff = (service: SharedService): readonly SharedService[] =>
  service.groups.flatMap((it, at) =>
    it.status === "scheduled" ? [withGroup(service, at, { status: "open", off: true })] : [],
  );

/** A row of a sending. */
export interface Row {
  readonly of: string;
  readonly at: number;
}

/** The groups that were sent, or wait for their hour, with a row. */
export const promises = (service: SharedService, { of, at }: Row): readonly SharedGroup[] =>
  service.groups.filter(
    (it) =>
      it.of === of && (it.status === "sent" || it.status === "scheduled") && it.held.includes(at),
  );

/** Whether it is nowhere: what somebody took off its schedule was there. */
export const isNowhere = (service: SharedService, row: Row): boolean =>
  promises(service, row).length === 0 &&
  !service.groups.some(({ of, off, held }) => of === row.of && off && held.includes(row.at));

/** A row goes out twice: by a group that holds it twice, by two at once, or by two that could have known of each other. */
export const isDuplicated = (service: SharedService, row: Row): boolean => {
  const sent = promises(service, row);
  return (
    sent.some(({ held }) => held.filter((it) => it === row.at).length > 1) ||
    sent.some((one, at) => sent.slice(at + 1).some((it) => isSameSending(one, it)))
  );
};

const isSameSending = (one: SharedGroup, other: SharedGroup): boolean =>
  Math.abs(other.created - one.created) <= listedHours ||
  (one.out !== undefined && one.out === other.out);
