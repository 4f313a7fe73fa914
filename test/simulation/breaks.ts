/** Mistakes that the product made once, or nearly: put back one at a time, each has to be found. */
import { retryBreaks } from "./retry-breaks.ts";

export interface Edit {
  readonly file: string;
  /** Occurs once in the file. */
  readonly find: string;
  readonly put: string;
}

export interface Break {
  readonly id: string;
  readonly what: string;
  readonly edits: readonly Edit[];
  /** What finds it in place of the simulation, whose world cannot meet it; and why not. */
  readonly elsewhere?: { readonly test: string; readonly because: string };
}

/** What has no text any more to put it back. */
export interface Gone {
  readonly id: string;
  readonly what: string;
  readonly because: string;
}

const one = (id: string, what: string, file: string, find: string, put: string): Break => ({
  ...{ id, what },
  edits: [{ file: `src/${file}`, find, put }],
});

const several = (
  id: string,
  what: string,
  ...edits: readonly (readonly [file: string, find: string, put: string])[]
): Break => ({
  ...{ id, what },
  edits: edits.map(([file, find, put]) => ({ file: `src/${file}`, find, put })),
});

const outcome = "client/outcome.ts";
const clock = "client/service-clock.ts";
const lease = "durable/lease.ts";
const log = "durable/log.ts";
const claims = "send/protocol/claims.ts";
const conclude = "send/protocol/conclude-groups.ts";
const groups = "send/protocol/groups.ts";
const posts = "send/protocol/posts.ts";
const clocks = "send/run/clocks.ts";
const requests = "send/run/requests.ts";
const rivals = "send/claims/rivals.ts";
const listing = "send/claims/group-fields.ts";
const folder = "send/store/run-folder.ts";

/** `where`: which answers may be about another group than was asked for. */
const foreign = (id: string, what: string, where: string): Break =>
  one(
    id,
    `the answer to ${what} may be another group's`,
    "client/codec.ts",
    "if (asked.length === 0) return undefined;",
    `if (asked.length === 0 || ${where}) return undefined;`,
  );

export const breaks: readonly Break[] = [
  one(
    "1a",
    "any 3xx or 4xx counts as the service's no",
    ...[
      outcome,
      'return serviceCode === undefined ? "unproven" : "declined";',
      'return "declined";',
    ],
  ),
  one(
    "1b",
    "behind a 429 a call is made with another signature, without a look",
    posts,
    'return [tagged ? { t: "limited", chunk } : { t: "DOUBT", chunk }];',
    'return [{ t: "limited", chunk }, { t: "RESOLVED", chunk, how: "absent" }];',
  ),
  one(
    "blind call",
    "a call in doubt is made again with another signature",
    posts,
    'return act({ type: "post", chunk, signature, again: true });',
    'return act({ type: "post", chunk, signature: clock.fresh(), again: true });',
  ),
  one(
    "blind add",
    "an add in doubt is made again with another signature",
    groups,
    "return act(add(state, group, chunk, signature, true));",
    "return act(add(state, group, chunk, clock.fresh(), true));",
  ),
  several(
    "2",
    "the Date of an answer alone proves that the window has closed",
    [
      clocks,
      "return age > expiryMs && age < keptMs && passedMs > expiryMs;",
      "return age > expiryMs && age < keptMs && passedMs >= 0;",
    ],
    [
      clock,
      "if (!isContradicted) state.seen = seen;",
      "if (!isContradicted || signed) state.seen = seen;",
    ],
  ),
  foreign("3 send", "a send", 'endpoint.path.endsWith("/send")'),
  foreign("3 schedule", "a schedule", 'endpoint.path.endsWith("/schedule")'),
  one(
    "3 create",
    "the answer to a creation may name a group that was made for other rows",
    ...[requests, 'if (!isMadeFor(group, rows)) return { type: "unknown" };', ""],
  ),
  foreign("3 read", "the reading of a group", 'endpoint.path.endsWith("/:groupId")'),
  {
    ...foreign("3 delete", "the deletion of a group", 'endpoint.method === "DELETE"'),
    elsewhere: {
      test: "test/faults/other-answers.test.ts: cancel: every delete is answered with that of another",
      because:
        "the record of another machine's group counts for the group that it names (claims/rivals.ts), and a group that a run gives up is never sent; only a person who cancels goes by the answer alone",
    },
  },
  {
    ...one(
      "3 call",
      "the answer to a call may be another call's",
      requests,
      "if (!isOfCall(group, run, chunk))",
      "if (!isOfCall(group, run, chunk) && chunk < 0)",
    ),
    elsewhere: {
      test: "test/faults/other-answers.test.ts: send-many --direct is answered with an older answer to its call",
      because:
        "all calls of a seed are of one run, which calls again only when it knows the groups of those before, and takes none of these for another's (protocol/posts.ts); another run's answer it never hears",
    },
  },
  {
    ...several("4 ahead", "dates are this machine's, which may be ahead of the service", [
      clock,
      "Math.min(here, serviceTime().earliest ?? here) - backdatedMs",
      "here",
    ]),
    elsewhere: {
      test: "test/client/refusal.test.ts: and from the service's time on, where this machine's clock is ahead of it",
      because:
        "a run that starts reads with a date that lies still further ahead, and signs by the service's clock once that is refused (run/signing-time.ts)",
    },
  },
  several(
    "5a",
    "an owner that lives shows no heartbeat",
    [
      lease,
      "const stop = options.processes.every(heartbeatMs, lease.beat);",
      "const stop = (): void => undefined;",
    ],
    [lease, "if (ticks() - state.beatAt >= heartbeatMs) beat();", ""],
  ),
  one(
    "5b",
    "an owner does not look whether it is one still",
    ...[lease, "if (!isStillOwned()) throw lostError(path);", ""],
  ),
  one(
    "5c",
    "a lease whose owner is gone is never taken over",
    lease,
    "if (isFree(found, processes) || seen.unchangedMs >= timeoutMs) {",
    "if (isFree(found, processes)) {",
  ),
  one(
    "5d",
    "a record of the journal is not on the disk before its request",
    ...[log, 'withFileError(path, "write", () => files.syncData(descriptor));', ""],
  ),
  one(
    "6a",
    "a group that is given up is not deleted",
    groups,
    "if (unusable) return deleteAbandoned(unusable, clock);",
    'if (unusable) return applyAndDecide(state, { t: "DELETED", gen: unusable.groupIndex }, clock);',
  ),
  {
    ...one(
      "6b",
      "an error alone proves that a group is deleted",
      requests,
      'if (code === "DuplicatedSignature") return { type: "duplicated" };',
      'if (action.type === "delete" && (code === "DeletedGroup" || http?.status === 404)) return { type: "group", status: "deleted", counts: { accepted: 0, refused: 0 }, cost: 0 };',
    ),
    elsewhere: {
      test: "test/faults/other-answers.test.ts: cancel: every delete is answered with 404 ResourceNotFound",
      because:
        "a run deletes only groups that it gives up, which are never sent; only a person who cancels would go by the answer alone",
    },
  },
  one(
    "6b rival",
    "an error alone proves that another run's group is deleted",
    rivals,
    "return isProven ? outcome : readRival(groupId, options);",
    'return isProven ? outcome : { type: "list", groups: [{ id: groupId, run: "", rows: [], status: "deleted", counts: { accepted: 0, refused: 0 }, cost: 0, isActive: false }] };',
  ),
  one(
    "7b",
    "a damaged journal counts as one that was not begun",
    folder,
    'if (stage === "begun" || stage === "damaged") return true;',
    'if (stage === "begun") return true;\n  if (stage === "damaged" || stage === "empty") return false;',
  ),
  several(
    "9",
    "a restored run is gone on with without a look",
    [
      "send/start/work.ts",
      'if (options.goal === "finish" && !options.isNew) await catchUp(ctx, run);',
      "",
    ],
    [
      rivals,
      "const sincePlannedMs = from - firstPlanned(options.run) + listedMs;",
      "const sincePlannedMs = 0 * firstPlanned(options.run);",
    ],
  ),
  one(
    "9 late",
    "what others have sent is looked for 25 hours back, whenever the run was planned",
    rivals,
    "const sincePlannedMs = from - firstPlanned(options.run) + listedMs;",
    "const sincePlannedMs = 0 * firstPlanned(options.run);",
  ),
  one(
    "20a",
    "a run looks for others, and sends beside them",
    claims,
    "return rival && askRival(rival, clock);",
    "return undefined;",
  ),
  one(
    "20b",
    "the lowest id wins: others are expected to give way",
    claims,
    "const [rival] = state.rivals;",
    "const [rival] = state.rivals.filter((it) => it.run < own.run);",
  ),
  one(
    "20c refused",
    "a send that was refused counts as sent",
    conclude,
    'return [{ t: "sendRefused", gen: groupIndex, code: outcome.code }];',
    'return [{ t: "SENT", gen: groupIndex, cost: 0, ...countsOf(state, group) }];',
  ),
  one(
    "20c deleted",
    "a group that cannot be sent because it is deleted counts as sent",
    conclude,
    'return [{ t: "sendRefused", gen: groupIndex, code: outcome.code }];',
    'return outcome.code === "DeletedGroup" ? [{ t: "SENT", gen: groupIndex, cost: 0, ...countsOf(state, group) }] : [{ t: "sendRefused", gen: groupIndex, code: outcome.code }];',
  ),
  one(
    "20d",
    "a group is sent however long ago it was made",
    ...[
      clocks,
      "const maxGroupAgeMs = 23 * 60 * minuteMs;",
      "const maxGroupAgeMs = 2_300 * 60 * minuteMs;",
    ],
  ),
  one(
    "20e",
    "what a list is leaves its hour out",
    ...[
      "send/plan/read-source.ts",
      "...(at === undefined ? [] : [{ at }]),",
      "...(at === undefined ? [] : []),",
    ],
  ),
  one(
    "20f",
    "what was scheduled counts as sent for ever",
    conclude,
    'const isNew = status === "open" && isWaiting(state, group) && schedule !== "off";',
    'const isNew = status !== "open" && isWaiting(state, group) && schedule !== "off";',
  ),
  one(
    "20f elsewhere",
    "what another machine has scheduled counts as sent for ever",
    ...[
      groups,
      "readTaken(state, clock) ?? readScheduled(state, clock)",
      "readScheduled(state, clock)",
    ],
  ),
  one(
    "20g made",
    "groups of others count from when they were made, not from when they were sent",
    rivals,
    "Date.parse(dateSent ?? dateCreated) < than",
    "Date.parse(dateCreated) < than",
  ),
  one(
    "20g page",
    "of the list of groups the first page is read",
    ...[
      listing,
      "if (!page.nextKey || page.nextKey === at) return groups;",
      "if (page !== undefined) return groups;",
    ],
  ),
  several(
    "20g clock",
    "groups are listed by this machine's clock",
    [clocks, "Math.min(here(), service.now().earliest ?? here())", "here()"],
    [
      rivals,
      "const from = since === undefined ? options.earliest() : Date.parse(since);",
      "const from = options.earliest() + (since === undefined ? 0 : 0);",
    ],
  ),
  one(
    "copied add",
    "a group that a copy of an add has filled twice is sent as it is",
    claims,
    'const isVerified = own.status === "verified" && !own.inherited;',
    'const isVerified = own.status === "touched" && !own.inherited;',
  ),
  one(
    "export",
    "an export does not ask what others have sent of the rows",
    "send/report/rows-by-status.ts",
    'wanted.has("not-sent") ? await withTakenRows(ctx, run, kept) : kept',
    "kept",
  ),
  one(
    "order",
    "the same rows in another order are sent by the same machine",
    "send/claims/same-rows.ts",
    "return holdsAsMany(it, run) && isYoung(it) && holdsSameMessages(store, it, run, ownSum);",
    "return false;",
  ),
  several(
    "retry",
    "what a run failed to deliver is sent again by each machine that has a copy of it",
    [
      "send/plan/plan-run.ts",
      "...claimOf(run, content, flags),",
      "...claimOf(run, content, { ...flags, again: flags.again || retried !== undefined }),",
    ],
    [listing, "const isSibling = rows !== own.rows &&", "const isSibling = rows === own.rows &&"],
  ),
  ...retryBreaks,
];

export const gone: readonly Gone[] = [
  {
    id: "7a",
    what: "a run's first record is written behind its first request",
    because:
      "a journal is made with its first record in one synchronised write, and nothing works on a run without one",
  },
  {
    id: "4 repeats",
    what: "repeats with one signature until 20 minutes in place of 14",
    because:
      "the service refuses a date of 15 minutes, and dates are five minutes back: it refuses a late repeat before it forgets the signature",
  },
];

/** The break that is named. Throws where there is none. */
export const breakOf = (id: string): Break => {
  const found = breaks.find((it) => it.id === id);
  if (found) return found;
  throw new Error(`there is no break '${id}': ${breaks.map((it) => it.id).join(", ")}`);
};
