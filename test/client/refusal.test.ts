import { describe, expect, test } from "vitest";
import { getBalance } from "../../src/contract/cash.ts";
import { addGroupMessages, createGroup, readGroup } from "../../src/contract/groups.ts";
import { sendMessage } from "../../src/contract/messages.ts";
import { getFile } from "../../src/contract/storage.ts";
import { removeCard, transfer } from "../contract/samples.ts";
import { clientOf, failure, type Given, type Reply, service } from "./service.ts";

const refused = (status: number, errorCode: string, errorMessage = "아니오"): Reply => ({
  status,
  body: JSON.stringify({ errorCode, errorMessage, statusCode: "x" }),
});

const reading = async (reply: Reply, given?: Given) => {
  const { url, seen } = await service(reply);
  const error = await failure(clientOf(url, given).client.call(getBalance, {}));
  return { error, seen };
};

const sending = async (reply: Reply, given?: Given) => {
  const { url, seen } = await service(reply);
  const body = { message: { to: "01000000001", from: "0200000000", text: "a" } };
  const error = await failure(clientOf(url, given).client.call(sendMessage, { body }));
  return { error, seen };
};

test("how long records are kept is told of those that are kept for a time", async () => {
  const { url } = await service(refused(404, "ResourceNotFound"));
  const { client } = clientOf(url);
  const group = await failure(client.call(readGroup, { params: { groupId: "G4V1" } }));
  const file = await failure(client.call(getFile, { params: { fileId: "ST1" } }));
  expect([group.todo, file.todo]).toEqual([expect.stringContaining("6 months"), "check the id"]);
});

test("what to look at names the record that was written to", async () => {
  const { url } = await service({ status: 500, body: "{}" });
  const input = { params: { groupId: "G4V1" }, body: { messages: [] } };
  const error = await failure(clientOf(url).client.call(addGroupMessages, input));
  expect(error).toMatchObject({ exitCode: 11 });
  expect(error.todo).toBe("do not run it again before you have checked: msg group get G4V1");
});

test("what to look at names the record whose state does not allow it", async () => {
  const { url } = await service(refused(400, "InvalidStatus"));
  const input = { params: { groupId: "G4V1" }, body: { messages: [] } };
  const error = await failure(clientOf(url).client.call(addGroupMessages, input));
  expect(error.todo).toBe("check its state: msg group get G4V1");
});

describe("S05 exit codes: by the service's word first, by the status second", () => {
  test.each([
    [403, "InvalidAPIKey", 4, "0001"],
    [400, "InvalidApiKey", 4, "0001"],
    [403, "SignatureDoesNotMatch", 4, "secret"],
    [400, "SignatureDoesNotMatch", 4, "secret"],
    [403, "RequestTimeTooSkewed", 4, "clock"],
    [401, "Unauthorized", 4, "log in"],
    [403, "Forbidden", 5, "role-cash:read"],
    [403, "InactiveAccount", 5, ""],
    [403, "DeletedAccount", 5, ""],
    [403, "UnverifiedMember", 5, ""],
    [403, "AccountNotAuthenticated", 5, "authenticate"],
    [403, "MFARequired", 5, ""],
    [429, "TooManyMFAAttempts", 5, ""],
    [404, "ResourceNotFound", 6, "check the id"],
    [404, "ImageNotFound", 6, ""],
    [400, "constructor", 10, "--help"],
    [400, "__proto__", 10, "--help"],
    [400, "ResourceNotFound", 6, ""],
    [404, "SomethingNew", 6, ""],
    [400, "ValidationError", 10, ""],
    [400, "DeletedGroup", 10, ""],
    [402, "NotEnoughBalance", 10, "top up"],
    [409, "AlreadySent", 10, ""],
    [413, "RecipientsTooMany", 10, ""],
    [418, "SomethingNew", 10, ""],
  ])("%i %s is exit %i", async (status, code, exitCode, hint) => {
    const { error, seen } = await reading(refused(status, code));
    expect(error).toMatchObject({
      exitCode,
      code,
      outcome: "refused",
      http: { status, method: "GET", path: "/cash/v1/balance" },
      where: `${status} ${code}, GET /cash/v1/balance`,
      api: { errorCode: code, errorMessage: "아니오", statusCode: "x" },
    });
    expect(`${error.message} ${error.todo}`).toContain(hint);
    expect(error.todo).not.toBe("");
    expect(seen).toHaveLength(1);
  });

  test.each([
    [401, 4],
    [403, 5],
    [404, 6],
    [400, 10],
    [413, 10],
  ])("%i of a proxy, without the service's word, is exit %i", async (status, exitCode) => {
    const { error } = await reading({ status, body: "<html>no</html>" });
    expect(error).toMatchObject({ exitCode, code: `HTTP_${status}`, api: "<html>no</html>" });
  });

  test("a second signature: a read may simply be run again, a write is in doubt", async () => {
    expect((await reading(refused(403, "DuplicatedSignature"))).error).toMatchObject({
      exitCode: 4,
      outcome: "refused",
    });
    expect((await sending(refused(403, "DuplicatedSignature"))).error).toMatchObject({
      exitCode: 11,
      outcome: "unknown",
    });
  });

  test.each([500, 502, 503, 504])("%i: a read is refused, a write is in doubt", async (status) => {
    const { error: read } = await reading({ status, body: "<html>bad gateway</html>" });
    expect(read).toMatchObject({ exitCode: 10, outcome: "refused", retryable: true });
    const { error: write, seen } = await sending(refused(status, "InternalError"));
    expect(write).toMatchObject({ exitCode: 11, outcome: "unknown", retryable: false });
    expect(write.todo).toMatch(/^do not run it again/);
    expect(seen).toHaveLength(1);
  });

  test("429 of a gateway: a write that it may have passed on may not be run again", async () => {
    const { error } = await sending({ status: 429, body: "slow down" });
    expect(error).toMatchObject({ exitCode: 11, outcome: "unknown", retryable: false });
    expect(error.todo).toMatch(/^do not run it again/);
  });

  test.each([403, 503])("%i: a write that settles itself may be run again", async (status) => {
    const { client } = clientOf((await service({ status })).url);
    const unknown = { exitCode: 11, outcome: "unknown", retryable: true };
    // A second `group create` leaves another empty group.
    expect(await failure(client.call(createGroup, { body: {} }))).toMatchObject({
      ...unknown,
      todo: "run it again: nothing is sent or paid twice",
    });
    expect(await failure(client.call(removeCard, { body: { paymentId: "1" } }))).toMatchObject({
      ...unknown,
      todo: "run it again: nothing is done twice; if that fails, it may have been done the first time",
    });
  });

  test("money in doubt is looked for in the history of the balance", async () => {
    const { url } = await service({ status: 504 });
    const error = await failure(clientOf(url).client.call(transfer, { body: { amount: 1 } }));
    expect(error.todo).toContain("msg balance history --since");
  });

  test("and from the service's time on, where this machine's clock is ahead of it", async () => {
    const date = "Mon, 05 Jan 2026 09:00:00 GMT";
    const known: Reply = { headers: { date }, body: '{"balance":1,"point":0}' };
    const { url } = await service(known, { status: 504 });
    const now = () => new Date("2026-01-05T09:10:00Z");
    const { client } = clientOf(url, { now, ticks: () => 0 });
    await client.call(getBalance, {});
    const error = await failure(client.call(transfer, { body: { amount: 1 } }));
    expect(error.todo).toContain("--since 2026-01-05T08:59:00Z");
  });
});

describe("S06 a clock that is off", () => {
  const at = (date: string, now: string) =>
    reading(
      { ...refused(403, "RequestTimeTooSkewed"), headers: { date } },
      { now: () => new Date(now) },
    );

  test.each([
    ["2026-01-05T09:16:03Z", "16 min 3 s ahead of the service's"],
    ["2026-01-05T07:00:00Z", "2 h behind the service's"],
  ])("%s is told as %s", async (now, words) => {
    const { error } = await at("Mon, 05 Jan 2026 09:00:00 GMT", now);
    expect(error.todo).toContain(words);
  });
});

describe("tokens", () => {
  const token = (claims: Record<string, unknown>): string =>
    ["{}", JSON.stringify(claims), "signature"].map((it) => btoa(it)).join(".");
  const exp = Date.parse("2026-01-06T09:00:00Z") / 1_000;
  const refuse = async (accessToken: string) =>
    reading(refused(401, "Unauthorized"), {
      credentials: { kind: "token", accessToken },
      now: () => new Date("2026-01-05T09:00:00Z"),
    });

  test("valid, but without the scope: exit 5, and the scope is named", async () => {
    const { error } = await refuse(token({ exp, scope: "message:read" }));
    expect(error.exitCode).toBe(5);
    expect(error.todo).toContain("cash:read");
  });

  test.each([
    ["expired", token({ exp: exp - 200_000, scope: "message:read" })],
    ["revoked", token({ exp, scope: "cash:read message:read" })],
    ["all scopes", token({ exp, scope: "*" })],
    ["not readable", "opaque"],
  ])("%s: exit 4", async (_, accessToken) => {
    const { error } = await refuse(accessToken);
    expect(error.exitCode).toBe(4);
    expect(error.todo).toContain("msg auth login");
    expect(JSON.stringify([error.message, error.todo, error.where])).not.toContain(accessToken);
  });
});

describe("answers that are none", () => {
  const html = {
    headers: { "content-type": "text/html" },
    body: "<p>Sign in\u001b[2J\u202e please",
  };

  test("S17 HTML with 200: a read is refused, a write is in doubt, the text is harmless", async () => {
    const { error: read } = await reading(html);
    expect(read).toMatchObject({ exitCode: 10, outcome: "refused", code: "UnreadableAnswer" });
    expect(read.message).toContain("text/html");
    expect(read.message).toContain("Sign in [2J please");
    expect((await sending(html)).error).toMatchObject({ exitCode: 11, outcome: "unknown" });
  });

  test.each(["", "{}", "[]", "null", '{"groupId":"G1"}', '{"groupId":null,"messageId":"M1"}'])(
    "a write answered 200 with '%s' has no proof of execution: exit 11",
    async (body) => {
      expect((await sending({ body })).error).toMatchObject({ exitCode: 11, outcome: "unknown" });
    },
  );

  test("S14 an answer that nests too deep: exit 10", async () => {
    const body = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    expect((await reading({ body })).error).toMatchObject({ exitCode: 10, outcome: "refused" });
  });

  test("T04 controls of an error text are taken out", async () => {
    const { error } = await reading(
      refused(400, "Odd\u001b[31mCode", "a\u001b]8;;x\u0007\nb\u009bc\u202e"),
    );
    for (const text of [error.message, error.where, error.code])
      expect(text).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  test.each([
    ["the service's text", refused(400, "ValidationError", "x".repeat(2_000_000))],
    ["a page", { status: 502, body: "x".repeat(2_000_000) }],
  ])("T06 %s of 2 MB is shown with 200 characters", async (_, reply) => {
    const { error } = await reading(reply);
    expect(error.message.length).toBeLessThan(300);
    expect(error.message).toContain(`${"x".repeat(200)}…`);
  });
});
