/** What is wrong with a request is told by member and limit, in words. */
import { expect, test } from "vitest";
import { korean } from "../../../src/locale/ko/korean.ts";
import { setLanguage } from "../../../src/locale/locale.ts";
import { openEnv } from "../environment.ts";

test.each([
  ["/messages/v4/list?limit=0", "'limit' must be a whole number from 1 to 500, not 0."],
  ["/messages/v4/list?limit=501", "'limit' must be a whole number from 1 to 500, not 501."],
  ["/messages/v4/list?limit=1.5", "'limit' must be a whole number from 1 to 500, not 1.5."],
  ["/storage/v1/files?limit=1001", "'limit' must be a whole number from 1 to 1000, not 1001."],
  ["/cash/v1/balance/history?offset=-1", "'offset' must be a whole number from 0, not -1."],
])("GET %s", async (path, errorMessage) => {
  const env = await openEnv();
  const refused = await env.call("GET", path);
  expect(refused).toMatchObject({
    status: 400,
    body: { errorCode: "ValidationError", errorMessage },
  });
});

test.each([
  ["POST", "/cash/v1/withdraw", { amount: 10_000.5 }, "'amount' must be a whole number."],
  ["POST", "/cash/v1/withdraw", { amount: 9999 }, "'amount' must be at least 10000."],
  ["POST", "/cash/v1/withdraw", { amount: "1" }, "'amount' must be a number."],
  ["POST", "/cash/v1/withdraw", {}, "'amount' is missing."],
  [
    "PUT",
    "/cash/v1/balance/alert",
    { balances: [200, 300, 400, 500], channels: [] },
    "'balances' must hold at most 3; 'channels' must hold at least 1.",
  ],
  [
    "PUT",
    "/cash/v1/balance/alert",
    { balances: [200, 200], channels: ["FAX"] },
    "'balances' must have no duplicates; 'channels.0' must be one of SMS, ATA, EMAIL.",
  ],
  [
    "POST",
    "/cash/v1/payment",
    { cardNumber: "4111111111111111", cvc: "123", expYear: 29, expMonth: "May" },
    "'expMonth' must be 1 to 12.",
  ],
  [
    "POST",
    "/quota/v1/me/system",
    { quota: 49, reasonRequested: "" },
    "'quota' must be at least 50; 'reasonRequested' must not be empty.",
  ],
] as const)("%s %s with %j", async (method, path, body, words) => {
  const env = await openEnv();
  const told = await env.call(method, path, body);
  expect(told.body).toEqual({ errorCode: "ValidationError", errorMessage: words });
  expect(told.status).toBe(400);
});

test.each([
  ["POST", "/messages/v4/send", { message: [] }, "message"],
  ["POST", "/messages/v4/send-many", { messages: [[]] }, "messages.0"],
  ["POST", "/messages/v4/send", { message: {}, agent: [] }, "agent"],
  ["POST", "/messages/v4/send", { message: { kakaoOptions: [] } }, "message.kakaoOptions"],
  ["POST", "/messages/v4/send", { message: { naverOptions: [] } }, "message.naverOptions"],
  ["POST", "/messages/v4/send", { message: { customFields: ["a"] } }, "message.customFields"],
  ["POST", "/messages/v4/send", { message: { replacements: [[]] } }, "message.replacements.0"],
  ["POST", "/messages/v4/groups", { customFields: [] }, "customFields"],
] as const)(
  "%s %s with the list in %j where an object belongs",
  async (method, path, body, name) => {
    const env = await openEnv();
    const refused = await env.call(method, path, body);
    const errorMessage = `'${name}' must be an object.`;
    expect(refused).toMatchObject({
      status: 400,
      body: { errorCode: "ValidationError", errorMessage },
    });
  },
);

test("the service speaks English, whatever the process that serves it speaks", async () => {
  const env = await openEnv();
  const stop = setLanguage({ language: "ko", catalogs: korean, topics: {} });
  try {
    const told = await env.call("POST", "/cash/v1/withdraw", { amount: 10_000.5 });
    expect(told.body).toMatchObject({ errorMessage: "'amount' must be a whole number." });
  } finally {
    stop();
  }
});
