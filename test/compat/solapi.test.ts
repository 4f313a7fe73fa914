import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SolapiMessageService as Current } from "solapi";
import { SolapiMessageService as Older } from "solapi-5";
import * as v from "valibot";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { controls } from "../../src/contract/sandbox.ts";
import { openServer } from "../sandbox/serve.ts";
import { jpeg } from "../support/pictures.ts";
import { secretOf } from "../support/signer.ts";

const from = "0200000000";
const channelId = "KA01PF260101000000000SANDBOX0001";
const approved = "KA01TP260101000000000SANDBOX0001";
const plain = "KA01TP260101000000000SANDBOX0004";
const to = "01012345678";

/** The address that the clients are built for. */
const live = "https://api.solapi.com";
const realFetch = globalThis.fetch;

let baseUrl: string;
let close: () => Promise<void>;
let refused: string[];

beforeAll(async () => {
  ({ url: baseUrl, close } = await openServer({ now: () => new Date() }));
  // They know no other host: the line leads elsewhere, and nothing else changes.
  globalThis.fetch = async (address, init) => {
    const answer = await realFetch(String(address).replace(live, baseUrl), init);
    if (!answer.ok) refused.push(`${init?.method} ${address}: ${await answer.clone().text()}`);
    return answer;
  };
});
afterAll(async () => {
  globalThis.fetch = realFetch;
  await close();
});
beforeEach(() => {
  refused = [];
});

const control = async (method: string, path: string, body?: object) => {
  const headers = { "content-type": "application/json" };
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  return (await realFetch(`${baseUrl}/_sandbox/${path}`, init)).json();
};

describe.each([
  ["6.0.1", new Current("SANDBOXKEY000001", secretOf(1))],
  ["5.5.4", new Older("SANDBOXKEY000001", secretOf(1))],
])("the service's own SDK %s", (version, client) => {
  test("messages: one, several, later, and what became of them", async () => {
    const sent = await client.send({ to, from, text: "hello" }, { showMessageList: true });
    expect(sent.groupInfo.count).toMatchObject({ total: 1, registeredSuccess: 1 });
    const several = [
      { to, from, text: "one" },
      { to, from, text: "two" },
    ];
    const two = await client.send(several, { allowDuplicates: true });
    expect(two.groupInfo.count.registeredSuccess).toBe(2);
    const half = await client.send([...several, { to: "01087654321", from, text: "x" }]);
    expect(half.failedMessageList).toMatchObject([{ statusCode: "1026" }]);
    const later = new Date(Date.now() + 86_400_000);
    const waiting = await client.send(
      { to, from, text: "later" },
      { scheduledDate: later.toISOString() },
    );
    expect(waiting.groupInfo.status).toBe("SCHEDULED");
    await expect(client.send({ to, from: "0211112222", text: "x" })).rejects.toThrow();
    const kakaoOptions = { pfId: channelId, templateId: plain };
    const alimtalk = await client.send({ to, from, kakaoOptions });
    expect(alimtalk.groupInfo.countForCharge.ata).toEqual({ "82": 1 });
    const { groupId } = sent.groupInfo;
    const { messageList } = await client.getMessages({ groupId });
    expect(Object.values(messageList)).toMatchObject([{ to, from, text: "hello", type: "SMS" }]);
    const { total } = await client.getStatistics({ startDate: new Date(Date.now() - 86_400_000) });
    expect(total.sms).toBeGreaterThanOrEqual(4);
    if ("sendOne" in client)
      expect(await client.sendOne({ to, from, text: "x" })).toMatchObject({ statusCode: "2000" });
  });

  test("groups: made, filled, sent, scheduled, emptied, removed", async () => {
    const groupId = await client.createGroup(true);
    const { resultList } = await client.addMessagesToGroup(groupId, [
      { to, from, text: "one" },
      { to, from, text: "two" },
    ]);
    expect(resultList.map((it) => it.statusCode)).toEqual(["2000", "2000"]);
    const [first] = resultList;
    const removed = await client.removeGroupMessages(groupId, [first?.messageId ?? ""]);
    expect(removed).toMatchObject({ groupId, errorCount: 0 });
    const messages = await client.getGroupMessages(groupId, { limit: 10 });
    expect(Object.keys(messages.messageList)).toHaveLength(1);
    await client.reserveGroup(groupId, new Date(Date.now() + 86_400_000));
    expect((await client.getGroup(groupId)).status).toBe("SCHEDULED");
    await client.removeReservationToGroup(groupId);
    const other = await client.createGroup();
    await client.addMessagesToGroup(other, { to, from, text: "x" });
    expect(await client.sendGroup(other)).toMatchObject({ status: "SENDING" });
    const empty = await client.createGroup();
    expect(await client.removeGroup(empty)).toMatchObject({ status: "DELETED" });
    const { groupList } = await client.getGroups({ groupId: other });
    expect(Object.keys(groupList)).toEqual([other]);
  });

  test("channels: categories, link, list, one, unlink", async () => {
    const [category] = await client.getKakaoChannelCategories();
    const wish = { searchId: `shop${version}`, phoneNumber: "01012340000" };
    expect(await client.requestKakaoChannelToken(wish)).toEqual({ success: true });
    const codes = v.parse(controls.listCodes.reply, await control("GET", "codes"));
    const token = codes.find(({ kind }) => kind === "LINK")?.code ?? "";
    const categoryCode = category?.code ?? "";
    const linked = await client.createKakaoChannel({ ...wish, categoryCode, token });
    const { channelList } = await client.getKakaoChannels({ searchId: wish.searchId });
    expect(channelList).toMatchObject([{ channelId: linked.channelId, sharedAccountIds: [] }]);
    expect(await client.getKakaoChannel(linked.channelId)).toMatchObject(wish);
    await client.removeKakaoChannel(linked.channelId);
    await expect(client.getKakaoChannel(linked.channelId)).rejects.toThrow();
  });

  test("templates: categories, create, change, review, list, remove", async () => {
    const [category] = await client.getKakaoAlimtalkTemplateCategories();
    const made = await client.createKakaoAlimtalkTemplate({
      channelId,
      name: `order ${version}`,
      content: "#{name}, order #{no}.",
      categoryCode: category?.code ?? "",
      buttons: [{ buttonType: "WL", buttonName: "view", linkMo: "https://example.com" }],
      quickReplies: [{ name: "yes", linkType: "BK" }],
    });
    expect(made).toMatchObject({ status: "PENDING", quickReplies: [{ name: "yes" }] });
    const { templateId } = made;
    const content = "#{name}, your order.";
    expect(await client.updateKakaoAlimtalkTemplate(templateId, { content })).toMatchObject({
      content,
    });
    const name = `renamed ${version}`;
    expect(await client.updateKakaoAlimtalkTemplateName(templateId, name)).toMatchObject({ name });
    await expect(client.cancelInspectionKakaoAlimtalkTemplate(templateId)).rejects.toThrow();
    const found = await client.getKakaoAlimtalkTemplates({
      status: "PENDING",
      // The older one writes the name as [object Object].
      ...(version === "6.0.1" && { name }),
    });
    expect(found.templateList.map((it) => it.templateId)).toContain(templateId);
    expect(await client.getKakaoAlimtalkTemplate(approved)).toMatchObject({ status: "APPROVED" });
    await client.removeKakaoAlimtalkTemplate(templateId);
    await expect(client.getKakaoAlimtalkTemplate(templateId)).rejects.toThrow();
  });

  test("blocked recipients: refused, and listed", async () => {
    const [blocked, gone] = ["01055550001", "01055550002"];
    await control("POST", "blocks", { to: blocked, memo: "asked to stop" });
    await control("POST", "blocks", { to: gone, from, optOut: true });
    const sent = await client.send([blocked, gone, to].map((it) => ({ to: it, from, text: "x" })));
    expect(sent.failedMessageList.map((it) => [it.to, it.statusCode])).toEqual([
      [blocked, "1060"],
      [gone, "1061"],
    ]);
    const { blackList } = await client.getBlacks({ senderNumber: from });
    expect(blackList).toMatchObject([{ recipientNumber: gone, type: "DENIAL" }]);
    const { blockNumbers } = await client.getBlockNumbers({ phoneNumber: blocked });
    expect(blockNumbers).toMatchObject([{ memo: "asked to stop" }]);
    const { blockGroups } = await client.getBlockGroups();
    expect(blockGroups).toMatchObject([{ useAll: true, status: "ACTIVE" }]);
    await control("DELETE", "blocks", { to: blocked });
    await control("DELETE", "blocks", { to: gone });
  });

  test("files: a picture for each use that has one", async () => {
    const folder = mkdtempSync(join(tmpdir(), "msg-sdk-"));
    const path = join(folder, "picture.jpg");
    writeFileSync(path, jpeg(500, 250));
    for (const type of ["MMS", "KAKAO", "DOCUMENT", "RCS", "FAX"] as const)
      expect(await client.uploadFile(path, type)).toMatchObject({ type });
    rmSync(folder, { recursive: true });
  });

  test("balance", async () => {
    const asked = client.getBalance();
    // The current one wants a text where the specification has a number or null.
    if (version === "6.0.1")
      await expect(asked).rejects.toMatchObject({
        validationErrors: [expect.stringContaining("currentBalance"), expect.any(String)],
      });
    else expect(await asked).toMatchObject({ balance: expect.any(Number) });
    expect(refused).toEqual([]);
  });
});
