import { expect, test } from "vitest";
import { contract } from "../../src/contract/index.ts";
import { statusClass, statusCodes } from "../../src/message/status.ts";
import { openEnv, sms } from "./environment.ts";
import { replyOf } from "./replies.ts";

const forced = [...statusCodes.keys()];

test("every published status code can be had by sending to 0100000NNNN", async () => {
  const env = await openEnv();
  const messages = forced.map((code) => sms(`0100000${code}`));
  const sent = await env.call("POST", "/messages/v4/send-many", { messages });
  const group = replyOf(contract.sendMany, sent);
  env.pass(5000);
  const path = `/messages/v4/list?groupId=${group.groupId}&limit=500`;
  const { messageList } = replyOf(contract.listMessages, await env.call("GET", path));
  const rows = Object.values(messageList);
  const ended = Object.fromEntries(rows.map((row) => [row.to.slice(-4), row.statusCode]));
  expect(ended).toEqual(Object.fromEntries(forced.map((code) => [code, code])));
  const atOnce = forced.filter((code) => statusClass(code) === "refused at registration");
  expect(group.count.registeredFailed).toBe(atOnce.length);
});
