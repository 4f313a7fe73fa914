import { expect, test } from "vitest";
import { contract } from "../../../src/contract/index.ts";
import { checkBooks } from "../../support/books.ts";
import { openEnv, sms } from "../environment.ts";
import { replyOf } from "../replies.ts";
import { filledGroup, groups, readGroup } from "./group-environment.ts";

/** Different recipients, numbered from `first`, in one message. */
const message = (count: number, first = 0) => ({
  ...sms(""),
  to: Array.from({ length: count }, (_, at) => `0102${String(first + at).padStart(7, "0")}`),
});

test("20,000 messages in two calls: counted, sent, and listed page by page, each once", async () => {
  const env = await openEnv();
  const groupId = await filledGroup(env, []);
  for (const call of [0, 1]) {
    const messages = [message(10_000, call * 10_000)];
    const told = await env.call("PUT", `${groups}/${groupId}/messages`, { messages });
    expect(replyOf(contract.addGroupMessages, told).errorCount).toBe(0);
  }
  await env.call("POST", `${groups}/${groupId}/send`, {});
  env.pass(60_000);
  expect((await readGroup(env, groupId)).count).toMatchObject({
    total: 20_000,
    sentTotal: 20_000,
    sentSuccess: 20_000,
  });
  const page = async (startKey: string) => {
    const query = `limit=500${startKey && `&startKey=${startKey}`}`;
    const told = await env.call("GET", `${groups}/${groupId}/messages?${query}`);
    return replyOf(contract.listGroupMessages, told);
  };
  const seen = new Set<string>();
  let startKey: string | null = "";
  let pages = 0;
  while (startKey !== null) {
    const { messageList, nextKey }: Awaited<ReturnType<typeof page>> = await page(startKey);
    for (const { to } of Object.values(messageList)) seen.add(to);
    startKey = nextKey;
    pages += 1;
  }
  expect([seen.size, pages]).toEqual([20_000, 40]);
  checkBooks(env);
});

test("above the quota every message is refused, those behind the first slice as well", async () => {
  const env = await openEnv();
  const groupId = await filledGroup(env, [message(5_001)]);
  await env.call("PUT", "/_sandbox/settings", { quota: 0 });
  await env.call("POST", `${groups}/${groupId}/send`, {});
  expect((await readGroup(env, groupId)).status).toBe("FAILED");
  const codes = env.rows("SELECT statusCode, count(*) AS count FROM messages GROUP BY 1");
  expect(codes).toEqual([{ statusCode: "1030", count: 5_001 }]);
});
