import { command } from "../../cli/command.ts";
import type { QueryOf } from "../../contract/endpoint.ts";
import { choice } from "../../contract/fields.ts";
import { listMessages } from "../../contract/messages.ts";
import { messageRowColumns } from "../../send/wait/message-delivery.ts";

/** The service filters only by code; every code but these three is a failure. */
const codes = { PENDING: "2000", SENDING: "3000", COMPLETE: "4000" } as const;
const statuses = ["PENDING", "SENDING", "COMPLETE", "FAILED"] as const;

type Query = QueryOf<typeof listMessages>;

/** The same filter in the service's terms, ANDed with the given one. */
const filterOf = (status: (typeof statuses)[number], query: Query): Query => {
  const wanted = status === "FAILED" ? Object.values(codes) : [codes[status]];
  const joined = (given: string | undefined, more: string): string =>
    [...(given === undefined ? [] : [given]), ...wanted.map(() => more)].join(",");
  return {
    criteria: joined(query.criteria, "statusCode"),
    cond: joined(query.cond, status === "FAILED" ? "ne" : "eq"),
    value: [...(query.value === undefined ? [] : [query.value]), ...wanted].join(","),
  };
};

export default command({
  endpoint: listMessages,
  flags: { status: choice(statuses, "only messages with this status") },
  columns: messageRowColumns,
  examples: [
    "msg message list --sandbox",
    "msg message list --since 7d --to 01000000001",
    "msg message list --type in:LMS,MMS --all -o csv",
    "msg message list --status FAILED --since today",
    "msg message list --status-code 3104 --json --fields messageId,to",
  ],
  input: (_ctx, { flags }, derived) =>
    flags.status === undefined
      ? derived
      : { query: { ...derived.query, ...filterOf(flags.status, derived.query ?? {}) } },
});
