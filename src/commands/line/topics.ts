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

With --json the error is one object on standard error; its member outcome says what became of the
request: not_sent, refused, partial, unknown or done. Only unknown must not simply be run again.
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
shown, never sent to the terminal. -q prints of a written record only its id. --debug traces requests
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
with 7 and sends nothing.
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
sends nothing. --max-cost stops before money is spent. A request that may have been executed is never
sent a second time: when no answer tells, msg looks for the message by the tag it carries, and where
that does not tell either it ends with 11, outcome unknown. Then look first: msg message list --to …
A connection that did not come about is 9, and the same command may be run again.
`,
};
