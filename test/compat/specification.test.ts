import { describe, expect, test } from "vitest";
import { controls } from "../../src/contract/sandbox.ts";
import { doors, openForEach } from "../sandbox/doors.ts";
import { replyOf } from "../sandbox/replies.ts";
import { type Ask, asking, proofFor, sms } from "./door.ts";

const templates = "/kakao/v1/templates";
const rejected = `${templates}/KA01TP260101000000000SANDBOX0003`;
const quotas = "/quota/v1/me/system";
const bank = { accountNumber: "0012345678901", bankCode: "004", holderName: "Operator One" };

const sizeOf = (list: object | undefined): number => Object.keys(list ?? {}).length;

describe.each(doors)("what the specification says, %s", (_name, open) => {
  const door = openForEach(open);
  const ask = asking(door);

  const statusAndCode = async (...asked: Parameters<Ask>) => {
    const { status, body } = await ask(...asked);
    return [status, body.errorCode];
  };

  test.each([
    ["2026-02-28T03:00:00.000Z", "2026-08-28T03:00:00.000Z", "2026-08-29T00:00:00.000Z"],
    ["2026-08-31T01:00:00.000Z", "2027-02-28T01:00:00.000Z", "2027-02-28T02:00:00.000Z"],
    ["2026-08-29T12:00:00.000Z", "2027-02-28T12:00:00.000Z", "2027-03-01T00:00:00.000Z"],
  ])("a group of %s is read until %s and never again", async (created, last, later) => {
    door.clock.now = new Date(created);
    const { groupId } = (await ask("POST", "/messages/v4/send", { message: sms() })).body;
    const seen = async (time: Date | string) => {
      door.clock.now = new Date(time);
      const one = await ask("GET", `/messages/v4/groups/${groupId}`);
      const groups = (await ask("GET", "/messages/v4/groups")).body.groupList;
      const messages = (await ask("GET", "/messages/v4/list")).body.messageList;
      return [one.status, sizeOf(groups), sizeOf(messages)];
    };
    expect(await seen(last)).toEqual([200, 1, 1]);
    expect(await seen(new Date(Date.parse(last) + 1))).toEqual([404, 0, 0]);
    expect(await seen(later)).toEqual([404, 0, 0]);
    expect(await seen("2027-03-01T00:00:00.000Z")).toEqual([404, 0, 0]);
  });

  test("a sender that is not registered is refused abroad as well", async () => {
    const message = sms({ from: "0211112222", country: "1", to: "2025550123" });
    const { status, body } = await ask("POST", "/messages/v4/send", { message });
    expect([status, body.errorMessage]).toEqual([400, expect.stringContaining("1062")]);
  });

  test.each(["quota", "requestedQuota"])(
    "a quota is asked for by %s, with a reason",
    async (name) => {
      const { body } = await ask("POST", quotas, { [name]: 200_000, reasonRequested: "notices" });
      expect(body).toMatchObject({ requestedQuota: 200_000, reasonRequested: "notices" });
      expect(await statusAndCode("POST", quotas, { [name]: 200_000 })).toEqual([
        400,
        "ValidationError",
      ]);
    },
  );

  test("a template takes no empty update, and shows null where it has nothing", async () => {
    expect(await statusAndCode("PUT", rejected, {})).toEqual([400, "ValidationError"]);
    const { body } = await ask("POST", templates, {
      pfId: "KA01PF260101000000000SANDBOX0001",
      name: "order",
      content: "hello",
      buttons: [{ buttonType: "WL", buttonName: "View", linkMo: "https://example.com" }],
    });
    expect(body.codes).toEqual([{ status: "PENDING", code: null, service: "biz", comments: [] }]);
    expect(body.buttons?.[0]).toMatchObject({ linkPc: null, linkAnd: null, linkIos: null });
  });

  test("a blocked app does not go live", async () => {
    expect(await statusAndCode("PUT", "/appstore/v2/me/apps/AppBlocked04/stage", {})).toEqual([
      400,
      "BlockedApp",
    ]);
  });

  test.each(["text/plain", "application/json-patch", "application/x-www-form-urlencoded", ""])(
    "a body that comes as '%s' is refused",
    async (type) => {
      const headers = { "content-type": type };
      const body = { message: sms() };
      expect(await statusAndCode("POST", "/messages/v4/send", body, { headers })).toEqual([
        400,
        "ValidationError",
      ]);
    },
  );

  test("redirect_uri must be there, and empty it is the registered one", async () => {
    const consent = "client_id=CID0SANDBOX00001&response_type=code&scope=message:read&state=s";
    const path = `/oauth2/v1/authorize?${consent}`;
    const asked = { signing: null, headers: { accept: "application/json" } };
    expect(await statusAndCode("GET", path, undefined, asked)).toEqual([400, "ValidationError"]);
    const { body } = await ask("GET", `${path}&redirect_uri=`, undefined, asked);
    const exchange = {
      grant_type: "authorization_code",
      code: body.code,
      client_id: "CID0SANDBOX00001",
      client_secret: "SANDBOXCLIENTSECRET0000000000001",
      redirect_uri: "",
    };
    const { status } = await ask("POST", "/oauth2/v1/access_token", exchange, asked);
    expect(status).toBe(200);
  });

  test.each([
    "/messages/v4/list?type=PIGEON",
    "/messages/v4/list?criteria=type&cond=eq&value=PIGEON",
    "/messages/v4/groups?criteria=status&cond=eq&value=DONE",
    "/cash/v1/balance/history?type=GIFT",
    "/cash/v1/withdraw?status=DONE",
    "/kakao/v1/templates?status=DONE",
    "/quota/v1/me/system?status=DONE",
    "/storage/v1/files?type=SONG",
    ...["/messages/v4/list", "/messages/v4/groups", "/cash/v1/withdraw", "/kakao/v1/templates"].map(
      (path) => `${path}?startKey=NONE`,
    ),
    ...["/kakao/v1/plus-friends", "/quota/v1/me/system", "/storage/v1/files"].map(
      (path) => `${path}?startKey=NONE`,
    ),
  ])("a word or a key that no list knows is refused: %s", async (target) => {
    expect(await statusAndCode("GET", target)).toEqual([400, "ValidationError"]);
  });

  test("the history tells refunds of failed messages from charges", async () => {
    const messages = [sms({ to: "01000003104" })];
    await ask("POST", "/messages/v4/send-many", { messages });
    door.clock.now = new Date(door.clock.now.getTime() + 5000);
    const { body } = await ask("GET", "/cash/v1/balance/history?type=REFUND");
    expect(body).toMatchObject([{ type: "REFUND", pointAmount: 20, serviceMethod: "MT" }]);
  });

  test("null for an optional member is the member left out", async () => {
    const body = {
      messages: [sms({ subject: null, imageId: null, kakaoOptions: null, customFields: null })],
      strict: null,
      agent: null,
    };
    const headers = { "content-type": "application/json; charset=utf-8" };
    const { status, body: group } = await ask("POST", "/messages/v4/send-many", body, { headers });
    expect([status, group.count?.registeredSuccess]).toEqual([200, 1]);
    const { messageList } = (await ask("GET", "/messages/v4/list")).body;
    expect(Object.values(messageList ?? {})).toMatchObject([{ type: "SMS", subject: null }]);
    expect(await statusAndCode("POST", "/messages/v4/send-many", { messages: null })).toEqual([
      400,
      "ValidationError",
    ]);
  });

  test("a withdrawal masks the number, and has no date of confirmation while it waits", async () => {
    await ask("PUT", "/_sandbox/settings", { secondFactor: "off" });
    await ask("POST", "/cash/v1/bank/accounts", bank);
    const { body } = await ask("POST", "/cash/v1/withdraw", { amount: 10_000 });
    expect(body).toMatchObject({ accountNumber: "*********8901", dateConfirmed: null });
  });

  test("blank rows of the permission table are told in full", async () => {
    const choices = replyOf(
      controls.listAssumptions,
      await ask("GET", "/_sandbox/assumptions?limit=500"),
    );
    const choice = choices.find(({ id }) => id === "blank-rows")?.choice;
    for (const words of ["POST /messages/v4/send", "storage:read", "appstore:write"])
      expect(choice).toContain(words);
  });

  test("a code is good for the body and the means that it was asked for, and for nothing else", async () => {
    const path = "/cash/v1/bank/accounts";
    const proof = await proofFor(ask, "POST", path, bank);
    const other = { ...bank, accountNumber: "9999999999" };
    const wrong = [403, "InvalidMFATransaction"];
    expect(await statusAndCode("POST", path, other, proof())).toEqual(wrong);
    expect(await statusAndCode("POST", path, bank, proof("OTP"))).toEqual(wrong);
    expect(await statusAndCode("POST", path, bank, proof())).toEqual([200, undefined]);
    const amount = await proofFor(ask, "POST", "/cash/v1/withdraw", { amount: 10_000 });
    expect(
      await statusAndCode("POST", "/cash/v1/withdraw", { amount: 4_000_000 }, amount()),
    ).toEqual(wrong);
  });

  test("five wrong codes lock the operation for ten minutes", async () => {
    const [method, path, body] = ["PUT", "/cash/v1/balance/alert/switch", { enabled: false }];
    const headers = { "x-mfa-data": '{"authType":"ARS"}' };
    const { mfa } = (await ask(method, path, body, { headers })).body;
    const proof = { ...mfa, authType: "ARS", token: "none" };
    for (let time = 0; time < 5; time += 1)
      await ask(method, path, body, { headers: { "x-mfa-data": JSON.stringify(proof) } });
    const again = async (other: object) => (await ask(method, path, other, { headers })).status;
    door.clock.now = new Date(door.clock.now.getTime() + 599_000);
    expect([await again(body), await again({ enabled: true })]).toEqual([429, 429]);
    door.clock.now = new Date(door.clock.now.getTime() + 1000);
    expect(await again(body)).toBe(403);
  });
});
