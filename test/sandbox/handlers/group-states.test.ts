import { describe, expect, test } from "vitest";
import { contract } from "../../../src/contract/index.ts";
import type { Method } from "../../../src/contract/wire.ts";
import { checkBooks } from "../../support/books.ts";
import { openEnv, sms } from "../environment.ts";
import { errorCodeOf, replyOf } from "../replies.ts";
import { filledGroup, groups, reach, readGroup, statuses } from "./group-environment.ts";

interface Operation {
  readonly method: Method;
  readonly path: string;
  readonly body?: unknown;
  /** The state afterwards, or the refusal, in the order of `statuses`. */
  readonly cells: readonly string[];
}

const soon = { scheduledDate: "2026-01-06T09:00:00.000Z" };
const closed = "400 InvalidGroupStatus";
const invalid = "400 InvalidStatus";
const notOperational = "400 NotOperationalStatus";
const deleted = "400 DeletedGroup";
const sending = [
  "409 ScheduledGroup",
  "409 GroupInProcessing",
  "409 AlreadySent",
  "400 FailedGroup",
  deleted,
];

const operations: Readonly<Record<string, Operation>> = {
  "add messages": {
    method: "PUT",
    path: "/messages",
    body: { messages: [sms("01000000002")] },
    cells: ["PENDING", closed, closed, closed, closed, closed],
  },
  "delete messages": {
    method: "DELETE",
    path: "/messages",
    cells: ["PENDING", closed, closed, closed, closed, closed],
  },
  send: { method: "POST", path: "/send", body: {}, cells: ["SENDING", ...sending] },
  schedule: { method: "POST", path: "/schedule", body: soon, cells: ["SCHEDULED", ...sending] },
  "change schedule": {
    method: "PUT",
    path: "/schedule",
    body: soon,
    cells: [invalid, "SCHEDULED", invalid, invalid, invalid, invalid],
  },
  "cancel schedule": {
    method: "DELETE",
    path: "/schedule",
    cells: [invalid, "PENDING", invalid, invalid, invalid, invalid],
  },
  "delete group": {
    method: "DELETE",
    path: "",
    cells: ["DELETED", notOperational, notOperational, notOperational, "DELETED", deleted],
  },
  resend: {
    method: "POST",
    path: "/resend",
    body: {},
    cells: [invalid, invalid, invalid, invalid, "SENDING", deleted],
  },
  read: { method: "GET", path: "", cells: statuses },
  "list messages": { method: "GET", path: "/messages", cells: statuses },
};

describe.each(Object.entries(operations))("%s", (_name, { method, path, body, cells }) => {
  test.each(statuses.map((status, at) => [status, cells[at] ?? ""] as const))(
    "a group that is %s: %s",
    async (status, cell) => {
      const env = await openEnv();
      const groupId = await filledGroup(env);
      const listed = await env.call("GET", `${groups}/${groupId}/messages`);
      const { messageList } = replyOf(contract.listGroupMessages, listed);
      await reach[status](env, groupId);
      const before = await readGroup(env, groupId);
      expect(before.status).toBe(status);
      const isRemoval = method === "DELETE" && path === "/messages";
      const given = isRemoval ? { messageIds: Object.keys(messageList) } : body;
      const told = await env.call(method, `${groups}/${groupId}${path}`, given);
      const after = await readGroup(env, groupId);
      if (/^\d/.test(cell)) {
        expect(`${told.status} ${errorCodeOf(told)}`).toBe(cell);
        expect(after).toEqual(before);
      } else {
        expect([told.status, after.status]).toEqual([200, cell]);
      }
      checkBooks(env);
    },
  );
});

test.each(Object.entries(operations))(
  "%s: an unknown id is 404, another account's group 403",
  async (_name, { method, path, body }) => {
    const env = await openEnv();
    const groupId = await filledGroup(env);
    const given = method === "DELETE" && path === "/messages" ? { messageIds: ["M4V"] } : body;
    const unknown = await env.call(method, `${groups}/G4V0${path}`, given);
    expect([unknown.status, errorCodeOf(unknown)]).toEqual([404, "ResourceNotFound"]);
    const foreign = await env.call(method, `${groups}/${groupId}${path}`, given, 4);
    expect([foreign.status, errorCodeOf(foreign)]).toEqual([403, "Forbidden"]);
  },
);
