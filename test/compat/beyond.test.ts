import { describe, expect, test } from "vitest";
import { contract } from "../../src/contract/index.ts";
import { doors, openForEach } from "../sandbox/doors.ts";
import { shell } from "../support/msg.ts";
import { type Ask, asking, sms } from "./door.ts";

const channelId = "KA01PF260101000000000SANDBOX0001";
const templates = "/kakao/v2/templates";
const made = { channelId, name: "order", content: "#{name}, #{no}.", categoryCode: "003001" };

describe.each(doors)("what the service has beyond its specification, %s", (_name, open) => {
  const ask = asking(openForEach(open));

  const codeOf = async (message: object) => {
    const body = { messages: [message] };
    const { failedMessageList } = (await ask("POST", "/messages/v4/send-many/detail", body)).body;
    return failedMessageList?.[0]?.statusCode ?? "2000";
  };
  const statusOf = async (...asked: Parameters<Ask>) => (await ask(...asked)).body.status;

  test("a template is the same under both versions", async () => {
    const buttons = [{ buttonType: "BC", buttonName: "talk", chatExtra: "order" }];
    const { body } = await ask("POST", templates, { ...made, buttons, emphasizeSubTitle: "sub" });
    expect(body).toMatchObject({
      ...made,
      channelGroupId: null,
      assignType: "CHANNEL",
      status: "PENDING",
      emphasizeSubtitle: "sub",
      messageType: "BA",
      buttons: [{ chatExtra: "order", targetOut: false, linkMo: null }],
      variables: [{ name: "name" }, { name: "no" }],
    });
    const older = await ask("GET", `/kakao/v1/templates/${body.templateId}`);
    expect(older.body).toMatchObject({ pfId: channelId, codes: [{ status: "PENDING" }] });
    expect(older.body.buttons?.[0]).not.toHaveProperty("chatExtra");
    const { templateList } = (
      await ask("GET", `${templates}?name[like]=ord&channelId=${channelId}`)
    ).body;
    expect(Object.values(templateList ?? {})).toMatchObject([
      { name: "order" },
      { name: "order shipped" },
    ]);
  });

  test("hidden templates are listed where they are asked for; the older path shows both", async () => {
    const hidden = "KA01TP260101000000000SANDBOX0002";
    await ask("PUT", `/kakao/v1/templates/${hidden}/hide`, { isHidden: true });
    const idsOf = async (path: string) =>
      Object.values((await ask("GET", path)).body.templateList ?? {}).map((it) => it.templateId);
    expect(await idsOf("/kakao/v1/templates")).toHaveLength(4);
    expect(await idsOf(templates)).toHaveLength(3);
    expect(await idsOf(`${templates}?isHidden=false`)).toHaveLength(3);
    expect(await idsOf(`${templates}?isHidden=true`)).toEqual([hidden]);
  });

  test("a review is asked for, cancelled and asked for again; a name changes in every state", async () => {
    const path = `${templates}/${(await ask("POST", templates, made)).body.templateId}`;
    expect(await statusOf("PUT", `${path}/inspection`, { comment: "soon" })).toBe("INSPECTING");
    expect((await ask("PUT", path, { content: "x" })).status).toBe(409);
    expect((await ask("PUT", `${path}/name`, { name: "new" })).body.name).toBe("new");
    expect(await statusOf("PUT", `${path}/inspection/cancel`)).toBe("PENDING");
    expect((await ask("PUT", `${path}/inspection/cancel`)).status).toBe(409);
    expect(await statusOf("PUT", path, { extra: "more" })).toBe("PENDING");
    expect((await ask("GET", path)).body).toMatchObject({ extra: "more", content: made.content });
    expect((await ask("DELETE", path)).body.isDeleted).toBe(true);
    expect((await ask("GET", path)).status).toBe(404);
  });

  test.each([
    {},
    { ...made, channelId: undefined },
    { ...made, channelGroupId: "KA01GI" },
    { ...made, categoryCode: undefined },
    { ...made, messageType: "XX" },
  ])("a template that cannot be: %j", async (body) => {
    expect((await ask("POST", templates, body)).status).toBe(400);
  });

  test("what can be sent with is approved; an approval that is cancelled ends that", async () => {
    const sendable = async () => Object.values((await ask("GET", `${templates}/sendable`)).body);
    const [first] = await sendable();
    expect(first).toMatchObject({ status: "APPROVED" });
    expect(await sendable()).toHaveLength(2);
    await ask("PUT", `${templates}/${first?.templateId}/approval/cancel`);
    expect(await sendable()).toHaveLength(1);
  });

  test("channels under both versions", async () => {
    const { body } = await ask("GET", `/kakao/v2/channels/${channelId}`);
    expect(body).toMatchObject({ channelId, searchId: "sandbox", sharedAccountIds: [] });
    const { channelList } = (await ask("GET", "/kakao/v2/channels?searchId[like]=sand")).body;
    expect(channelList).toMatchObject([{ channelId }]);
    await ask("DELETE", `/kakao/v2/channels/${channelId}`);
    expect((await ask("GET", `/kakao/v1/plus-friends/${channelId}`)).status).toBe(404);
  });

  test("blocked recipients are refused with their code until they are let go", async () => {
    const [blocked, gone] = [sms({ to: "01055550001" }), sms({ to: "01055550002" })];
    await ask("POST", "/_sandbox/blocks", { to: "010-5555-0001", memo: "asked to stop" });
    await ask("POST", "/_sandbox/blocks", { to: gone.to, from: gone.from, optOut: true });
    expect([await codeOf(blocked), await codeOf(gone)]).toEqual(["1060", "1061"]);
    expect(await codeOf({ ...gone, from: "01012340000" })).toBe("2000");
    const numbers = (await ask("GET", "/iam/v1/block/numbers?memo[like]=stop")).body;
    expect(numbers.blockNumbers).toMatchObject([{ phoneNumber: "01055550001" }]);
    const groups = (await ask("GET", "/iam/v1/block/groups?useAll=true")).body.blockGroups;
    expect(numbers.blockNumbers?.[0]?.blockGroupIds).toEqual([groups?.[0]?.blockGroupId]);
    const black = await ask("GET", `/iam/v1/black?type=DENIAL&senderNumber=${gone.from}`);
    expect(black.body.blackList).toMatchObject([{ recipientNumber: gone.to }]);
    expect((await ask("GET", "/iam/v1/black?startKey=NONE")).status).toBe(400);
    await ask("DELETE", "/_sandbox/blocks", { to: blocked.to });
    expect(await codeOf(blocked)).toBe("2000");
  });

  test("registered senders, and the older path of the list", async () => {
    const { senderIds } = (await ask("GET", "/senderid/v1/numbers")).body;
    expect(senderIds).toMatchObject([
      { phoneNumber: "01012340000", status: "ACTIVE" },
      { phoneNumber: "0200000000" },
    ]);
    const { messageId } = (await ask("POST", "/messages/v4/send", { message: sms() })).body;
    const [newer, older] = [
      await ask("GET", "/messages/v4/list"),
      await ask("GET", "/messages/v4/list-old"),
    ];
    expect(older.body).toEqual(newer.body);
    expect(older.body.messageList).toHaveProperty(String(messageId));
  });
});

test("msg has them where an operator wants them, and lists the paths apart", async () => {
  const msg = shell();
  const senders = await msg("sender list --sandbox --fields phoneNumber");
  expect(senders.out).toBe("01012340000\n0200000000\n");
  const send = "send --to 01055550001 --from 0200000000 --text hello --sandbox";
  const added = await msg("sandbox block add 010-5555-0001 --memo stop --json");
  expect(added.json()).toEqual({ to: "01055550001", from: null, statusCode: "1060", memo: "stop" });
  const refused = await msg(send);
  expect([refused.code, refused.err]).toEqual([10, expect.stringContaining("1060")]);
  expect((await msg("sandbox block add 01055550001 --opt-out")).code).toBe(10);
  expect((await msg("sandbox block remove 01055550001 --json")).json()).toEqual({
    to: "01055550001",
    removed: 1,
  });
  expect((await msg(send)).code).toBe(0);
  const unknown = await msg(send.replace("0200000000", "0311112222"));
  expect([unknown.code, unknown.err]).toEqual([
    10,
    expect.stringContaining("use a registered one: 01012340000, 0200000000"),
  ]);
  const listed = await msg("api --list --json");
  const beyond = Object.values(contract).filter((it) => "beyond" in it && it.beyond);
  expect(listed.out.match(/"beyond": ?true/g)).toHaveLength(beyond.length);
  expect(listed.out.indexOf('"beyond"')).toBeGreaterThan(
    listed.out.indexOf("/storage/v1/files/:fileId"),
  );
});
