/** What comes of a request of one of several machines: over a line that spoils, and from who answers in its place. */
import type { Action, Outcome } from "../../../../src/send/protocol/actions.ts";
import { formatRows } from "../../../../src/send/protocol/row-ranges.ts";
import type { Node } from "./machines.ts";
import {
  type Asked,
  createdAs,
  type Performed,
  perform,
  type SharedGroup,
  type SharedService,
  withGroup,
} from "./service.ts";

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

/** What comes of a request: an answer, and copies that are still on their way. */
export interface Answered {
  readonly service: SharedService;
  readonly answer: Outcome;
  readonly late: readonly Asked[];
  readonly isFault: boolean;
}

const unknown: Outcome = { type: "unknown" };

/** Everything that may come of it; a line that may spoil something costs a fault. */
export const answersTo = (node: Node, asked: Asked): readonly Answered[] => {
  const { service, faults, spoils } = node;
  const done = perform(service, asked);
  const well = moving(done[1], asked.run).map((answer) => answered([done[0], answer], false));
  const { type } = asked.action;
  const isSpoiled = faults > 0 && (spoils ?? type) === type;
  if (!isSpoiled || type === "clear" || type === "waitForRival") return well;
  const [after] = done;
  const faulty: readonly Performed[] = lasting.has(asked.action.type)
    ? [
        [service, unknown],
        [after, unknown],
        // It came twice: the answer to the second copy is heard.
        [after, { type: "duplicated" }],
        ...strange(service, asked).flatMap((it): Performed[] => [
          [service, it],
          [after, it],
        ]),
        ...refusals(service, asked),
      ]
    : [[service, { type: "unreadable" }]];
  const stale = asked.action.type === "listRivals" ? staleLists(node, asked) : [];
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

/**
 * In the service's own words, from something that only repeats them. The answer to an earlier creation of the same
 * machine, run and rows is not told from its own.
 */
const strange = (service: SharedService, { action, run, by }: Asked): readonly Outcome[] => {
  const { type } = action;
  if (type === "add") return [{ type: "duplicated" }];
  if (type === "create") {
    const isEarlier = (it: SharedGroup): boolean =>
      it.run === run && it.by === by && formatRows(it.rows) === formatRows(action.rows);
    return service.groups.flatMap((it, at) => (isEarlier(it) ? [createdAs(service, at)] : []));
  }
  const refused: Outcome = { type: "refused", status: 403, code: "Forbidden" };
  return type === "send" ? [refused, { type: "already" }] : [refused];
};

/** The deletion of another's group gets lost, or its record cannot be read. */
const rivalFaults = (service: SharedService, asked: Asked): readonly Performed[] => {
  if (asked.action.type !== "deleteRival") return [];
  const read = perform(service, { ...asked, action: { type: "readRival", id: asked.action.id } });
  return [read, [perform(service, asked)[0], { type: "unreadable" }]];
};

/** The answer to an earlier look of any of them: it counts only where it shows what has been made since. */
const staleLists = ({ seen }: Node, asked: Asked): readonly Outcome[] =>
  seen.map((service) => perform(service, asked)[1]);

/** Whether others are at work is only known to them: the walk goes both ways. */
const moving = (outcome: Outcome, run: string): readonly Outcome[] => {
  if (outcome.type !== "list") return [outcome];
  const isOther = outcome.groups.some((it) => it.run !== run && it.status === "open");
  const isActive = true;
  return isOther
    ? [outcome, { ...outcome, groups: outcome.groups.map((it) => ({ ...it, isActive })) }]
    : [outcome];
};
