/** `msg help <topic>`: what is no command's alone. */
import { exitCodes } from "../../errors.ts";

const meanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  fault: "a fault in msg itself",
  usage: "usage, input or configuration is wrong; nothing more was sent",
  partial: "some rows were refused",
  unauthenticated: "not authenticated: no credentials, or the service does not take them",
  forbidden: "not allowed: scope, role, status, verification, second factor",
  missing: "not found, or past the six months that records are kept",
  stopped: "stopped by a limit of yours, or declined",
  pending: "still pending when waiting ended",
  unreachable: "no connection, or proof that nothing was executed: run it again",
  refused: "the service answered with an error, or with an answer that cannot be read",
  unknown: "outcome unknown: do not run it again, look first",
  interrupted: "interrupted",
};

const codeLines = Object.entries(exitCodes).map(
  ([kind, code]) => `  ${String(code).padStart(3)}  ${new Map(Object.entries(meanings)).get(kind)}`,
);

export const topics: Readonly<Record<string, string>> = {
  "exit-codes": `How a command ends.

    0  ok
${codeLines.join("\n")}

With --json the error is one object, the last line of standard error; -q leaves notes out.
Its member outcome says what became of the request: not_sent, refused, partial, unknown or done. Only
unknown must not simply be run again.
`,
  environment: `Variables that msg reads. A flag goes before them, a profile after them; an empty one is none.

  MSG_PROFILE                            which profile
  MSG_BASE_URL, MSG_AUTH_URL             hosts of the service and of OAuth2
  MSG_API_KEY with MSG_API_SECRET        a key; both, or MSG_API_SECRET_FILE for the second
  MSG_ACCESS_TOKEN                       a token instead of a key
  MSG_FROM                               the sender number when --from is left out
  MSG_OUTPUT, MSG_TZ, MSG_TIMEOUT        as the flags of these names
  MSG_NO_INPUT                           never ask
  MSG_CONFIG_DIR, MSG_STATE_DIR          folders of settings, and of runs and the sandbox
  BROWSER                                the program that auth login --web opens
  HTTPS_PROXY, HTTP_PROXY, NO_PROXY      proxies
  NODE_EXTRA_CA_CERTS                    certificates of a private authority
  NO_COLOR, FORCE_COLOR                  colours
`,
  output: `Standard output is data, standard error everything else.

On a terminal a table, in a pipe TSV without a header; -o table, tsv, csv, json, jsonl chooses, --json
is -o json. JSON is the service's own record, names and values untouched; a list is an array of its
rows, with --envelope {items, nextKey}. --fields a,b.c names columns or members, in their order.
Times of tables are in --tz, times of JSON in UTC as the service wrote them. Control characters are
shown, never sent to the terminal. A list in CSV opens safely in a spreadsheet: an apostrophe stands
before each text that it would calculate, in TSV only with --bom. msg run export is the exception: its
rows go back into msg send-many, so they hold the texts as sent; --for-spreadsheet adds the apostrophe.
-q prints of a written record only its id. --debug traces requests
without secrets.
`,
  limits: `What the service and msg allow.

  recipients of one call    10,000
  text                      2,000 bytes, of which Korean takes two a character; up to 90 bytes is SMS
  subject                   40 bytes
  custom fields             keys of 30, values of 100 characters
  a request                 15 MB
  rows of a page            500
  records                   kept for six months from their creation
  a signature               good for less than 15 minutes, once
  an authorization code     300 seconds, once; an access token 24 hours

msg profile set max-cost and max-recipients are limits of yours: a command that would pass them stops
with 7 and sends nothing. Of a profile that is protected each run asks for --confirm <number of messages>.
`,
  sandbox: `The service, emulated on this machine: strict, with state, and worth nothing.

  msg send --sandbox …        one command against it, in this process
  msg profile use sandbox     all commands from now on
  msg sandbox start           the same over HTTP, for any client; --port 0 takes a free port
  msg sandbox env             the variables that point a client at it
  msg sandbox accounts        keys, secrets, OAuth2 clients and senders
  msg sandbox clock advance   lets time pass
  msg sandbox requests        what was asked, and why it was refused
  msg sandbox assumptions     the choices that no source shows

A number 0100000NNNN ends with status code NNNN; 01000009999 breaks the line after the message was
accepted; every other one is delivered. The profiles sandbox:developer, sandbox:member and others are
further callers. A signature covers date and salt, not the body: who can read one header may use it
once within 15 minutes for another request, so treat headers as secrets.
`,
  sending: `How sending is kept safe.

Everything that can be checked here is checked before the first byte leaves. -n shows the request and
sends nothing; --estimate counts and prices a file. --max-cost and --max-recipients stop before money is
spent. A run goes out in groups, and the service sends a group at most once. A single call without an
answer is repeated with the same signature only, which the service accepts once, or looked for by its
correlation id. Where neither settles it, the command ends with 11, outcome unknown: do not run it again,
look first (msg message list --to …). msg help reliability lists the conditions.

  msg send             one message; --once <key> sends it once, however often the command is run
  msg send --at        the same later: it waits at the service; msg group unschedule takes it off
  msg send-many        the rows of a file or of a pipe, as a run that can be resumed: msg help runs

9 means that nothing was sent, for certain: run it again. 7 is a limit of yours, the
balance or the daily quota: nothing was sent. 3 means that some rows were refused, each with a code that
msg explain knows. Accepted is not delivered: --wait waits until it is known what arrived.

Calls that move money, and all others behind a second factor, are kept the same way: charge, transfer,
withdrawal, cards, bank account. What is left in doubt, even by a computer that was switched off, is told
by the next command that has to do with money, and by msg doctor, until the account shows what became of
it or 16 minutes have passed. Until then the same payment is refused with 7; --again makes it anyway.
msg api does none of this: without an answer it ends with 11, keeps no record, and settles nothing.
`,
  runs: `What becomes of msg send-many.

A run is planned first: every row is read, checked and priced before one is sent. It has an id, and a
folder of its own with what it is to send and what it did; last names the newest of the profile.

  planned      nothing was sent: a limit, the balance, the quota or you stopped it
  running      a process works on it now
  open         it was stopped on its way; what was sent is known
  unknown      of some rows it is not known whether they were sent
  scheduled    all of it waits at the service for its hour
  unscheduled  somebody else took groups of it off their schedule
  done         over; some rows may have been refused
  cancelled    what was not sent by then never will be

  msg run list, msg run show <run>          what there is, and what to do next
  msg send-many --resume <run>              continues; each group is sent at most once; asks on a terminal
  msg run reconcile <run>                   looks what became of rows that are in doubt
  msg run cancel <run>                      deletes groups that were not sent: proof that they never are
  msg run export <run> --status refused,not-sent     rows, ready to be fed back; skipped tells the reason
  msg send-many --retry-failed <run>        sends the refused rows anew, once
  msg send-many … --results <file>          what became of every row, as JSONL

Every row ends as one of accepted, refused, skipped, not sent or unknown: together they are the total.
The rows fill groups that are verified first and then sent, so that nothing is sent before all of it can
be. --direct sends one call per chunk and gives up the protection of the group: msg help reliability.
The same rows within 24 hours are stopped with 7; --again sends them.

A message of msg send --once <key> is a run of one row: it is in msg run list, and its key names it for
show, reconcile, cancel and export. msg run purge forgets the keys of the runs that it removes.
`,
  reliability: `What msg promises about sending, and under which conditions.

A run (msg send-many, msg send to several recipients) is always groups, from one row on: msg creates a
group, adds the rows, verifies the count and sends the group. The service sends a group at most once, so
each row goes out at most once, even where answers get lost, come late or come from a stranger.

A single call (msg send to one recipient, charge, transfer, withdraw) has no group. msg repeats it only
with the same signature and only within the replay window: the service remembers a signature for 15
minutes, msg stops repeating after less than 14. Behind the window msg looks for the message or the
movement and never sends again by itself.

What counts as what:
  refused    a complete JSON answer with an errorCode of the service: nothing was sent by it
  unknown    every other error answer (a proxy's page, a redirect, a cut answer), and no answer: exit 11
  not sent   no connection came about, or the service shows after the window that it has nothing: exit 9

Conditions:
  answers    One world is left out: a stranger who answers a single call with an error in the service's
             own form. msg believes it and reports a refusal, although the call may have been executed.
             A group is read back by its id, so a run does not depend on it; only a send that is refused
             so and also held back on its way can still go out later. It goes out once.
  --direct   gives up the protection of the group: one call per chunk. A process that was paused between
             its check and its request, or a foreign answer, can then cause rows to be sent twice.
  --no-tag   gives up the correlation id: msg cannot find what was sent, and more stays unknown.
  tokens     an access token signs nothing: msg never repeats a single call, it only looks.
  clocks     msg signs with the earlier of its own clock and the service's Date, 5 minutes back. It warns
             from 60 seconds of difference on. Only RequestTimeTooSkewed moves the time forward.
  --at       msg schedules on time or not at all: it stops a few seconds before the hour. The service
             sends at once what lies in the past.
  processes  One process works on a run at a time, by a lease in the state folder. An owner that lost the
             lease stops before its next request.
  machines   Each machine's state folder protects that machine only. Two machines that send the same
             rows, and a state folder that was lost, are not covered yet. Purge runs when they are over.
  disks      Keep MSG_STATE_DIR on a local disk. A disk that reports writes it did not make, or a network
             file system, breaks the journal.

What no client can promise: accepted is not delivered, the carrier decides. The service's documentation
says that it sends a group once and refuses a signature that it has seen. msg tries the second before it
relies on it.

When a command ends with 11:
  msg run reconcile <run>        looks for the rows at the service, sends nothing
  msg send-many --resume <run>   continues; a group that was sent is not sent again
  msg run cancel <run>           deletes what was not sent: it can never go out then
  msg message list --to <phone>  shows what a single send became
`,
  dates: `How dates are written.

  2026-01-15                the day; as an end it is the last moment of that day
  2026-01-15T09:00          in the zone of --tz; 2026-01-15 09:00:00 as well
  2026-01-15T09:00:00Z      an instant; +09:00 and other offsets too
  7d, 24h, 30m              so long ago
  today, yesterday, now

--tz names the zone, as Asia/Seoul; the machine's own when left out. They are sent as full instants.
--since and --until are the same as --start-date and --end-date. Days of quotas, statistics and prices
are those of Korea. --at takes the same, and has to lie ahead.
`,
  filters: `How lists are narrowed.

A flag of a list takes a value, and where its help says so an operator in front of it:

  --date-created gte:2026-01-01 --date-created lt:2026-02-01
  --name like:order                    contains
  --type in:SMS,LMS                    any of several

eq is meant when there is none; each operator once. Filters are ANDed. Phone numbers may be written with
blanks, dashes or +82. --limit 50 shows 50 rows, --all every one with the largest pages; when there is
more, standard error names the flag to go on with (--start-key or --offset).
`,
};
