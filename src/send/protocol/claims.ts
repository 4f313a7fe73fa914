/**
 * Several runs of the same rows, on machines that know nothing of each other: the service's groups are the
 * record. A group is sent only after a list has shown it, and after every group of others that the list
 * shows with the same rows was deleted. One of two groups with the same rows was made first, so the list that
 * is read before the other is sent shows it: it is deleted first, or it was sent and the other is given up.
 */
import { act, type Clock, type Outcome, type Step, tryAct } from "./actions.ts";
import { apply } from "./apply.ts";
import { type Entry, type Fact, type Facts, type ListedGroup, stop, totalOf } from "./entries.ts";
import { overlap, type RowRange, rowsWithout } from "./row-ranges.ts";
import { countsOf, type Group, rowsOfChunks, type State, type Taken, wasSent } from "./state.ts";

/** Before this process makes its first group: no one else may be at work on its rows. */
export const awaitTurn = (state: State, clock: Clock): Step => {
  const { rivals } = state;
  if (!rivals) return listRivals(state, clock);
  const scheduled = readScheduled(state, clock);
  if (scheduled) return scheduled;
  const active = rivals.find((it) => it.isActive);
  return active ? act({ type: "waitForRival", run: active.run }) : listRivals(state, clock);
};

/** Reads a group that waits for its hour with rows of this run: only its own record says that it still does. */
export const readScheduled = ({ rivals }: State, clock: Clock): Step | undefined => {
  const scheduled = rivals?.find(({ status }) => status === "scheduled");
  return scheduled && askRival(scheduled, clock);
};

/** The same for one that waited for it when an earlier process looked. */
export const readTaken = ({ taken }: State, clock: Clock): Step | undefined => {
  const scheduled = taken.find((it) => it.scheduled && it.inherited);
  return scheduled && askRival({ ...scheduled, status: "scheduled" }, clock);
};

/** Lists what others may have sent of the unsent rows: an operator may export these and send them again. */
export const listUnsent = (state: State, clock: Clock): Step | undefined =>
  state.shape.claim && !state.rivals && unsentRows(state).length > 0
    ? listRivals(state, clock)
    : undefined;

/** Lists what others hold. What cannot be listed is asked for again, and nothing is sent without it. */
export const listRivals = (state: State, clock: Clock): Step => {
  const own = state.groups.filter(({ status }) => status === "verified" || status === "sending");
  const since = own.flatMap((it) => it.created ?? []).sort()[0];
  const listed = own.filter(({ status, read }) => status === "verified" && read !== "gone");
  const ids = listed.map(({ id = "" }) => id);
  const known = state.groups.flatMap(({ id }) => id ?? []);
  return tryAct(
    `listRivals ${state.rivalUpdates}`,
    { type: "listRivals", own: ids, known, since },
    clock,
  );
};

/** What has to be done between verifying a group and sending it; undefined if nothing has. */
export const claimRows = (state: State, clock: Clock): Step | undefined => {
  const own = state.shape.claim;
  if (!own) return undefined;
  if (!state.rivals) return listRivals(state, clock);
  const earlier = state.rivals.find((it) => it.isActive && it.run < own.run);
  if (earlier) return act({ type: "waitForRival", run: earlier.run });
  const [rival] = state.rivals;
  return rival && askRival(rival, clock);
};

const askRival = ({ id, status }: Pick<ListedGroup, "id" | "status">, clock: Clock): Step => {
  const type = status === "scheduled" ? "readRival" : "deleteRival";
  return tryAct(`${type} ${id}`, { type, id }, clock);
};

/** Others list what was made in the last 25 hours: after 23 no request to send it is made. */
export const isTooOld = ({ shape }: State, { signed }: Group, clock: Clock): boolean =>
  shape.claim !== undefined && signed !== undefined && clock.isTooOld(signed);

/**
 * A list that does not show these groups with messages is older than what they hold, or the answer to another
 * request. An empty one is no proof: its messages may be what others know its rows by.
 */
export const listOutcome = (own: readonly string[], groups: readonly ListedGroup[]): Outcome => {
  const ids = own.filter((id) => groups.every((it) => it.id !== id || isEmpty(it)));
  return ids.length > 0 ? { type: "unlisted", ids } : { type: "list", groups };
};

const isEmpty = ({ status, counts }: ListedGroup): boolean =>
  status === "open" && totalOf(counts) === 0;

/** What follows from a list of the groups with the rows of this run. A cancellation goes on if it cannot be read. */
export const afterListing = (state: State, outcome: Outcome): Facts => {
  const facts = factsOf(state, outcome);
  if (!state.cancel) return facts;
  const shown = facts.filter(({ t }) => t !== "stop");
  const isListed = shown.some(({ t }) => t === "rivals");
  return isListed ? shown : [...shown, { t: "rivals", rivals: [] }];
};

const factsOf = (state: State, outcome: Outcome): Facts => {
  if (outcome.type === "unlisted")
    return state.groups
      .filter(({ id = "" }) => outcome.ids.includes(id))
      .map(({ groupIndex }) => ({ t: "unlisted", gen: groupIndex }));
  if (outcome.type === "bare") return abandonBare(state, outcome.ids);
  if (outcome.type !== "list") return stopAfter(outcome);
  const { groups } = outcome;
  const grown = state.groups.filter((it) => hasGrown(state, it, groups));
  if (grown.length > 0)
    return grown.map(({ groupIndex }) => ({ t: "ABANDON", gen: groupIndex, why: "count" }));
  const known = new Set(state.groups.map(({ id }) => id));
  const others = groups.filter(({ id }) => !known.has(id));
  const isNew = ({ id, status }: ListedGroup): boolean =>
    status === "sent" && state.taken.every((it) => it.id !== id);
  const { taking, after } = takeAll(state, others.filter(isNew));
  // Two machines that send one plan have the same run.
  const isContested = others.some(
    ({ run, status }) => run !== state.shape.claim?.run || status === "scheduled",
  );
  const gone = after.groups
    .filter((it) => wasDeleted(it, groups))
    .flatMap((it) => afterGone(it, isContested || taking.length > 0));
  const freed = gone.reduce(apply, after);
  if (others.some(({ status }) => status === "other") && unsentRows(freed).length > 0)
    return [...taking, ...gone, stop("refused")];
  const rivals = others.filter((it) => isRival(freed, it)).map((it) => asRival(state, it));
  return [...taking, ...gone, { t: "rivals", rivals }];
};

/** A copy of an add was executed after the group was verified: its rows would go out twice. */
const hasGrown = (state: State, own: Group, groups: readonly ListedGroup[]): boolean => {
  const listed = groups.find(({ id }) => id === own.id);
  const isVerified = own.status === "verified" && !own.inherited;
  return isVerified && (listed?.counts.accepted ?? 0) > countsOf(state, own).accepted;
};

/** Others do not know whose rows these hold: they are filled again, with messages that say it. */
const abandonBare = ({ groups }: State, ids: readonly string[]): Facts =>
  groups
    .filter(({ id = "", status }) => status === "verified" && ids.includes(id))
    .map(({ groupIndex }) => ({ t: "ABANDON", gen: groupIndex, why: "old" }));

/** One after the other: the second has not taken what the first has. */
const takeAll = (state: State, groups: readonly ListedGroup[]) => {
  const taking: Fact[] = [];
  let after = state;
  for (const group of groups) {
    const facts = takeRows(after, group);
    taking.push(...facts);
    after = facts.reduce(apply, after);
  }
  return { taking, after };
};

/** A group that was given up before is no longer asked about. */
const wasDeleted = ({ id, read, status }: Group, groups: readonly ListedGroup[]): boolean => {
  const isOpen = status === "filling" || status === "verified" || status === "sending";
  return (
    read === "gone" || (isOpen && groups.some((it) => it.id === id && it.status === "deleted"))
  );
};

/**
 * Another run deletes a group to send its rows itself, or to leave them to any other run: they are looked for,
 * and filled again. If there is no other run, a person deleted it who does not want them to go out.
 */
const afterGone = (
  { groupIndex, hasUnknownSend, status, inherited }: Group,
  isContested: boolean,
): Facts => {
  const free: Entry = { t: "ABANDON", gen: groupIndex, why: "gone" };
  if (isContested) return [free];
  if (hasUnknownSend || status === "sent") return [{ t: "CANCELLED", gen: groupIndex }];
  return inherited ? [free] : [free, stop("refused")];
};

const stopAfter = ({ type }: Outcome): Facts =>
  type === "notSent" || type === "refused" ? [stop("unable")] : [];

/** Records rows that others hold now, and gives up the groups of this run that hold some of them. */
const takeRows = (state: State, group: ListedGroup): Facts => {
  const { id, run, cost, sent, counts } = group;
  const taken = state.taken.flatMap((it) => (it.id === id ? [] : it.rows));
  const rows = rowsWithout(group.rows, taken);
  if (rows.length === 0) return [];
  const scheduled = group.status === "scheduled";
  const abandoned = state.groups
    .filter((own) => isUnsent(own) && overlap(rowsOfChunks(state, own.chunks), rows))
    .map((own): Entry => ({ t: "ABANDON", gen: own.groupIndex, why: "taken" }));
  // Last: where a power cut takes the end of these records, the next list shows the same group again.
  return [...abandoned, { t: "TAKEN", id, run, rows, scheduled, cost, sent, ...counts }];
};

const isUnsent = ({ status }: Group): boolean =>
  status === "creating" || status === "filling" || status === "verified" || status === "sending";

/** A group that is not sent, with rows that this run has not sent either. */
const isRival = (state: State, { id, rows, status }: ListedGroup): boolean => {
  const isOpen = status === "open" || status === "failed" || status === "scheduled";
  return isOpen && state.taken.every((it) => it.id !== id) && overlap(rows, unsentRows(state));
};

/** No one is waited for who has scheduled it, nor an earlier process of this run. */
const asRival = ({ shape }: State, group: ListedGroup): ListedGroup => ({
  ...group,
  isActive: group.isActive && group.run !== shape.claim?.run && group.status !== "scheduled",
});

const unsentRows = (state: State): readonly RowRange[] => {
  const sent = state.groups.filter(wasSent);
  const unsent = state.chunks.flatMap((_, at) =>
    sent.some(({ chunks }) => chunks.includes(at)) ? [] : [at],
  );
  return rowsOfChunks(state, unsent);
};

/** Its rows are not sent where it does not wait for its hour any more, and was not sent. */
const afterTaken = (state: State, { id, run }: Taken, group: ListedGroup): Facts => {
  if (group.status === "other") return [stop("refused")];
  const isHeld = group.status === "sent" || group.status === "scheduled";
  const facts = isHeld ? takeRows(state, group) : [];
  const free = { rows: [], scheduled: false, cost: 0, accepted: 0, refused: 0 };
  return facts.length > 0 ? facts : [{ t: "TAKEN", id, run, ...free }];
};

/** What became of a group of another run: only its own record says it. */
export const afterRival = (state: State, id: string, outcome: Outcome): Facts => {
  if (outcome.type !== "list") return stopAfter(outcome);
  const group = outcome.groups.find((it) => it.id === id);
  const taken = state.taken.find((it) => it.id === id);
  if (taken && group) return afterTaken(state, taken, group);
  const { rivals = [] } = state;
  const others = rivals.filter((it) => it.id !== id);
  const own = rivals.filter((it) => it.id === id);
  switch (group?.status) {
    case undefined:
      return [];
    case "deleted":
      return [{ t: "rivals", rivals: others }];
    case "sent":
    case "scheduled":
      return [...takeRows(state, group), { t: "rivals", rivals: others }];
    case "open":
    case "failed":
      return [
        { t: "rivals", rivals: [...others, ...own.map((it) => ({ ...it, status: group.status }))] },
      ];
    case "other":
      return [stop("refused")];
  }
};
