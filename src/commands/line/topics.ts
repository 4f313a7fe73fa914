/** `msg help <topic>`: what is no command's alone. */
import { exitCodes } from "../../errors.ts";

const meanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  fault: "a fault in msg itself",
  usage: "usage, input or configuration is wrong; nothing was sent",
  partial: "some rows were refused",
  unauthenticated: "not authenticated: no credentials, or the service does not take them",
  forbidden: "not allowed: scope, role, status, verification, second factor",
  missing: "not found, or past the six months that records are kept",
  stopped: "stopped by a limit of yours, or declined",
  pending: "still pending when waiting ended",
  unreachable: "not connected: nothing was sent, run it again",
  refused: "the service answered with an error",
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
spent. A request that may have been executed is never sent anew: it is repeated with the same signature,
which the service takes once, or looked for by the mark that it carries. Where that does not tell either
it ends with 11, outcome unknown: do not run it again, look first (msg message list --to …).

  msg send             one message; --once <key> sends it once, however often the command is run
  msg send --at        the same later: it waits at the service; msg group unschedule takes it off
  msg send-many        the rows of a file or of a pipe, as a run that can be resumed: msg help runs

9 means that no connection came about, and nothing was sent: run it again. 7 is a limit of yours, the
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
  msg send-many --resume <run>              goes on: no row is sent twice; asks first on a terminal
  msg run reconcile <run>                   looks what became of rows that are in doubt
  msg run cancel <run>                      deletes groups that were not sent: proof that they never are
  msg run export <run> --status refused,not-sent     rows, ready to be fed back; skipped tells the reason
  msg send-many --retry-failed <run>        sends the refused rows anew, once
  msg send-many … --results <file>          what became of every row, as JSONL

Every row ends as one of accepted, refused, skipped, not sent or unknown: together they are the total.
Up to 10,000 rows go in one call. More of them fill groups that are checked first and then sent, so that
nothing is sent before all of it can be; --staged does so for few rows, --direct sends as it goes.
The same rows within 24 hours are stopped with 7; --again sends them.

A message of msg send --once <key> is a run of one row: it is in msg run list, and its key names it for
show, reconcile, cancel and export. msg run purge forgets the keys of the runs that it removes.
`,
  reliability: `What msg cannot promise.

No row is accepted twice because of msg, and none is lost silently, whatever fails on this machine or on
the line. These things are not in its hands:

  1  Accepted is not delivered: the carrier decides. A message that fails later is refunded by the
     service, not sent again.
  2  A group is sent at most once, as the service documents it. That the service remembers signatures is
     tried out before it is relied on, and cannot be proven for every machine of the service.
  3  A single call that is in doubt for more than 15 minutes can only be settled by what is to be seen
     at the service; --no-tag takes that away, and a token instead of a key carries no signature.
  4  Two people or machines that send the same, --again, a folder of runs that was deleted or restored
     from a backup: msg cannot know of it. Purge runs when they are over, not before.
  5  Disks that say that they have written and have not, and network file systems whose locks do not
     hold: keep MSG_STATE_DIR on a disk of this machine.
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
