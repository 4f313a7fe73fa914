import { describe, expect, test } from "vitest";
import { contract } from "../../../src/contract/index.ts";
import { type Env, openEnv, sms } from "../environment.ts";
import { balanceOf } from "../money.ts";
import { replyOf } from "../replies.ts";

const pfId = "KA01PF260101000000000SANDBOX0001";
const templateId = "KA01TP260101000000000SANDBOX0001";
const variables = { name: "민지", "#{no}": "12" };
const button = {
  buttonType: "WL",
  buttonName: "주문 보기",
  linkMo: "https://example.com/orders/12",
};

/** The message as it was stored: type, code, text, options. */
const send = async (env: Env, members: Readonly<Record<string, unknown>>) => {
  await env.call("POST", "/messages/v4/send", {
    message: { ...sms("01000000001"), text: undefined, ...members },
  });
  const told = await env.call("GET", "/messages/v4/list?limit=1");
  return Object.values(replyOf(contract.listMessages, told).messageList)[0];
};

describe("alimtalk", () => {
  test("an approved template is sent as ATA with its text and buttons, values in place, for 19 won", async () => {
    const env = await openEnv();
    const stored = await send(env, { kakaoOptions: { pfId, templateId, variables } });
    expect(stored).toMatchObject({
      type: "ATA",
      statusCode: "2000",
      text: "민지님, 주문 12이 발송되었습니다.",
      kakaoOptions: { pfId, templateId, buttons: [button], disableSms: false },
    });
    expect((await balanceOf(env)).point).toBe(5000 - 19);
  });

  test("text and buttons may be given as the template writes them: values take their places", async () => {
    const env = await openEnv();
    const buttons = [{ ...button, linkMo: "https://example.com/orders/#{no}" }];
    const text = "#{name}님, 주문 #{no}이 발송되었습니다.";
    const stored = await send(env, {
      text,
      kakaoOptions: { pfId, templateId, variables, buttons },
    });
    expect(stored).toMatchObject({
      statusCode: "2000",
      text: "민지님, 주문 12이 발송되었습니다.",
      kakaoOptions: { buttons: [button] },
    });
    const unfilled = { pfId, templateId, variables: { name: "민지" }, buttons };
    expect(await send(env, { text: stored?.text, kakaoOptions: unfilled })).toMatchObject({
      statusCode: "1045",
    });
  });

  test("a text of one's own that keeps to the template, and a fallback, are kept as they came", async () => {
    const env = await openEnv();
    const replacements = [{ to: "01000000001", text: "instead" }];
    const stored = await send(env, {
      text: "A님, 주문 B이 발송되었습니다.",
      kakaoOptions: { pfId, templateId, variables: { no: "1" }, disableSms: true },
      replacements,
    });
    expect(stored).toMatchObject({
      statusCode: "2000",
      text: "A님, 주문 B이 발송되었습니다.",
      kakaoOptions: { disableSms: true },
      replacements,
    });
  });

  test.each<[string, string, Readonly<Record<string, unknown>>]>([
    ["an unknown channel", "1041", { kakaoOptions: { pfId: "KA01PFx", templateId, variables } }],
    ["no channel", "1041", { kakaoOptions: { templateId, variables } }],
    ["an unknown template", "1042", { kakaoOptions: { pfId, templateId: "KA01TPx" } }],
    [
      "a template that waits",
      "1042",
      { kakaoOptions: { pfId, templateId: templateId.replace(/1$/, "2") } },
    ],
    [
      "a template that was rejected",
      "1042",
      { kakaoOptions: { pfId, templateId: templateId.replace(/1$/, "3") } },
    ],
    ["another text", "1043", { text: "hello", kakaoOptions: { pfId, templateId } }],
    [
      "a variable without a value",
      "1043",
      { kakaoOptions: { pfId, templateId, variables: { name: "민지" } } },
    ],
    [
      "a button too many",
      "1047",
      { kakaoOptions: { pfId, templateId, variables, buttons: [button, button] } },
    ],
    [
      "another button",
      "1052",
      {
        kakaoOptions: {
          pfId,
          templateId,
          variables,
          buttons: [{ ...button, buttonName: "Other" }],
        },
      },
    ],
    [
      "another address",
      "1045",
      {
        kakaoOptions: {
          pfId,
          templateId,
          variables,
          buttons: [{ ...button, linkMo: "https://evil.example" }],
        },
      },
    ],
    [
      "a button of no kind",
      "1044",
      { kakaoOptions: { pfId, templateId, variables, buttons: [{ ...button, buttonType: "ZZ" }] } },
    ],
    [
      "a name of 15 characters",
      "1049",
      {
        kakaoOptions: {
          pfId,
          templateId,
          variables,
          buttons: [{ ...button, buttonName: "n".repeat(15) }],
        },
      },
    ],
    [
      "Kakao options on an SMS",
      "1033",
      { text: "hi", type: "SMS", kakaoOptions: { pfId, templateId } },
    ],
    [
      "a text of 1,001 characters once filled",
      "1031",
      { kakaoOptions: { pfId, templateId, variables: { ...variables, name: "가".repeat(990) } } },
    ],
  ])("%s: %s", async (_words, code, members) => {
    const env = await openEnv();
    expect(await send(env, members)).toMatchObject({ statusCode: code, status: "FAILED" });
  });

  test("a template without buttons takes none (1047), one with two wants both (1046)", async () => {
    const env = await openEnv();
    const approve = async (buttons: unknown[]) => {
      const made = await env.call("POST", "/kakao/v1/templates", {
        pfId,
        name: "n",
        content: "hello",
        buttons,
      });
      const id = replyOf(contract.createTemplate, made).templateId;
      await env.call("PUT", `/kakao/v1/templates/${id}/inspection`, {});
      await env.call("POST", "/_sandbox/review/template", {
        templateId: id,
        decision: "approve",
      });
      return id;
    };
    const plain = { buttonType: "BK", buttonName: "Help" };
    const without = { pfId, templateId: await approve([]), buttons: [plain] };
    expect(await send(env, { kakaoOptions: without })).toMatchObject({
      statusCode: "1047",
    });
    const two = { pfId, templateId: await approve([plain, plain]), buttons: [plain] };
    expect(await send(env, { kakaoOptions: two })).toMatchObject({ statusCode: "1046" });
  });

  test("a hidden template is sent all the same, one of an unlinked channel is not", async () => {
    const env = await openEnv();
    const kakaoOptions = { pfId, templateId, variables };
    await env.call("PUT", `/kakao/v1/templates/${templateId}/hide`, { isHidden: true });
    expect(await send(env, { kakaoOptions })).toMatchObject({ statusCode: "2000" });
    await env.call("DELETE", `/kakao/v1/plus-friends/${pfId}`);
    expect(await send(env, { kakaoOptions })).toMatchObject({ statusCode: "1041" });
  });

  test("each message of a call is filled with its own values", async () => {
    const env = await openEnv();
    const messages = ["가", "나", "다"].map((name, at) => ({
      to: `0100000000${at + 1}`,
      from: "0200000000",
      kakaoOptions: { pfId, templateId, variables: { name, no: String(at) } },
    }));
    const told = await env.call("POST", "/messages/v4/send-many", { messages });
    expect(replyOf(contract.sendMany, told).countForCharge.ata).toEqual({ "82": 3 });
    expect(env.rows("SELECT text FROM messages ORDER BY seq")).toMatchObject([
      { text: "가님, 주문 0이 발송되었습니다." },
      { text: "나님, 주문 1이 발송되었습니다." },
      { text: "다님, 주문 2이 발송되었습니다." },
    ]);
  });
});

describe("friend-talk", () => {
  const five = [
    {
      buttonType: "WL",
      buttonName: "web",
      linkMo: "https://example.com",
      linkPc: "https://example.com",
    },
    { buttonType: "AL", buttonName: "app", linkAnd: "app://a", linkIos: "app://i" },
    { buttonType: "BK", buttonName: "keyword" },
    { buttonType: "MD", buttonName: "forward" },
  ];

  test("CTA takes web, app, keyword and forward buttons and the advertising mark", async () => {
    const env = await openEnv();
    const kakaoOptions = { pfId, buttons: five, adFlag: true };
    expect(await send(env, { text: "sale", kakaoOptions })).toMatchObject({
      type: "CTA",
      statusCode: "2000",
      kakaoOptions: { buttons: five, adFlag: true },
    });
  });

  test("the fifth kind, delivery tracking, is for alimtalk alone (1053)", async () => {
    const env = await openEnv();
    const buttons = [...five, { buttonType: "DS", buttonName: "track" }];
    expect(await send(env, { text: "t", kakaoOptions: { pfId, buttons } })).toMatchObject({
      statusCode: "1053",
    });
  });

  test("a sixth button is 1050, a long address 1048", async () => {
    const env = await openEnv();
    const kakaoOptions = { pfId, buttons: [...five, ...five] };
    expect(await send(env, { text: "t", kakaoOptions })).toMatchObject({
      statusCode: "1050",
    });
    const long = { buttonType: "WL", buttonName: "w", linkMo: `https://e.kr/${"a".repeat(100)}` };
    expect(await send(env, { text: "t", kakaoOptions: { pfId, buttons: [long] } })).toMatchObject({
      statusCode: "1048",
    });
  });

  test("a picture makes it CTI, and one that storage does not hold is 1051", async () => {
    const env = await openEnv();
    const kakaoOptions = { pfId, imageId: "ST01FZnone" };
    expect(await send(env, { text: "t", kakaoOptions })).toMatchObject({
      type: "CTI",
      statusCode: "1051",
    });
  });
});
