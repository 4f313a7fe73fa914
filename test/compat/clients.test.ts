import { describe, expect, test } from "vitest";
import { doors, openForEach } from "../sandbox/doors.ts";
import { authorization } from "../support/signer.ts";
import { asking, type Members, sms } from "./door.ts";

const groups = "/messages/v4/groups";
const channel = "KA01PF260101000000000SANDBOX0001";
const plain = "KA01TP260101000000000SANDBOX0004";
const prices = { "82": { sms: 20, lms: 50, mms: 200, ata: 19, cta: 13, cti: 20 } };

describe.each(doors)("what real clients send and read, %s", (_name, open) => {
  const ask = asking(openForEach(open));

  const detail = async (...messages: unknown[]): Promise<Members> =>
    (await ask("POST", "/messages/v4/send-many/detail", { messages })).body;
  const codeOf = async (message: object) => {
    const { failedMessageList } = await detail(message);
    return failedMessageList?.[0]?.statusCode ?? "2000";
  };
  const emptyGroup = async () => `${groups}/${(await ask("POST", groups, {})).body.groupId}`;
  const listed = async () =>
    Object.values((await ask("GET", "/messages/v4/list")).body.messageList ?? {});

  test("prices are an array in send-many, unit prices in every other answer", async () => {
    const { body } = await ask("POST", "/messages/v4/send-many", { messages: [sms()] });
    expect(body.price).toEqual({ "82": [] });
    expect((await detail(sms())).groupInfo?.price).toEqual(prices);
    expect((await ask("GET", `${groups}/${body.groupId}`)).body.price).toEqual(prices);
    const path = await emptyGroup();
    expect((await ask("GET", path)).body.price).toEqual({});
    await ask("PUT", `${path}/messages`, { messages: [sms()] });
    expect((await ask("POST", `${path}/send`, {})).body.price).toEqual(prices);
  });

  test.each([
    ["voiceOptions", { voiceOptions: { voiceType: "FEMALE" } }],
    ["faxOptions", { faxOptions: { fileIds: [] } }],
    ["bms beside a template", { kakaoOptions: { pfId: channel, templateId: plain, bms: {} } }],
  ])("%s asks for a type that is not charged, and is refused", async (_what, options) => {
    expect(await codeOf(sms(options))).toBe("1025");
  });

  test("a refused row breaks no strict client", async () => {
    await detail(sms({ type: "PIGEON" }), sms({ customFields: { n: 1, s: "x", o: { a: [] } } }));
    expect(await listed()).toMatchObject([
      { statusCode: "1032", customFields: { s: "x" } },
      { statusCode: "1025", type: null },
    ]);
  });

  test("a template without variables can be sent at once", async () => {
    expect(
      await codeOf(sms({ text: undefined, kakaoOptions: { pfId: channel, templateId: plain } })),
    ).toBe("2000");
  });

  test("scheduledDate is there where it is set, and in rows of lists", async () => {
    const path = await emptyGroup();
    expect((await ask("GET", path)).body).not.toHaveProperty("scheduledDate");
    const { groupList } = (await ask("GET", groups)).body;
    expect(Object.values(groupList ?? {})).toMatchObject([{ scheduledDate: null }]);
    await ask("PUT", `${path}/messages`, { messages: [sms()] });
    const scheduledDate = "2026-01-06T09:00:00.000Z";
    const { body } = await ask("POST", `${path}/schedule`, { scheduledDate });
    expect(body).toMatchObject({ status: "SCHEDULED", scheduledDate });
  });

  test("a wrong member is named in adds as in sends, and a null item is that message's 1010", async () => {
    const path = `${await emptyGroup()}/messages`;
    const said = "'messages.1.to' must be a string or an array.";
    const wrong = [sms(), sms({ to: 5 })];
    for (const [method, target, messages] of [
      ["POST", "/messages/v4/send-many", wrong],
      ["PUT", path, wrong],
      ["PUT", path, JSON.stringify(wrong)],
    ] as const)
      expect((await ask(method, target, { messages })).body.errorMessage).toBe(said);
    for (const messages of [[null, sms()], JSON.stringify([null, sms({ to: "01000000002" })])]) {
      const { body } = await ask("PUT", path, { messages });
      expect(body.resultList).toMatchObject([{ statusCode: "1010" }, { statusCode: "2000" }]);
    }
    expect((await detail(null, sms())).failedMessageList).toMatchObject([{ statusCode: "1010" }]);
  });

  test("a signature by the wall clock of Seoul is taken where the switch is on", async () => {
    const headers = { authorization: authorization({ date: "2026-01-05T18:00:00.32400Z" }) };
    const signed = () => ask("GET", "/cash/v1/balance", undefined, { signing: null, headers });
    const { status, body } = await signed();
    expect([status, body.errorCode]).toEqual([403, "RequestTimeTooSkewed"]);
    expect(body.errorMessage).toContain("--lenient-dates");
    await ask("PUT", "/_sandbox/settings", { lenientDates: true });
    expect((await signed()).status).toBe(200);
  });
});
