import { describe, expect, test } from "vitest";
import { contract } from "../../../src/contract/index.ts";
import type { StoredMessage } from "../../../src/contract/message-records.ts";
import { checkBooks } from "../../support/books.ts";
import { type Env, openEnv, sms } from "../environment.ts";
import { groups, readGroup } from "../handlers/group-environment.ts";
import { replyOf } from "../replies.ts";

const sendAll = async (env: Env, messages: readonly unknown[]): Promise<string> =>
  replyOf(contract.sendMany, await env.call("POST", "/messages/v4/send-many", { messages }))
    .groupId;

/** In the order in which they came to be. */
const rowsOf = async (env: Env, groupId: string): Promise<StoredMessage[]> => {
  const told = await env.call("GET", `${groups}/${groupId}/messages`);
  return Object.values(replyOf(contract.listGroupMessages, told).messageList).reverse();
};

/** A group whose message has become a Kakao message: no channel is needed to see it fail. */
const kakao = async (env: Env, options: unknown, to = "01000003104"): Promise<string> => {
  const groupId = await sendAll(env, [sms(to)]);
  env.run(`UPDATE messages SET type = 'ATA', options = '${JSON.stringify(options)}'
    WHERE seq >= (SELECT max(firstSeq) FROM batches)`);
  env.run(
    `UPDATE groups SET charge = '{"ata":{"82":1}}', replaceable = 1 WHERE seq = (SELECT max(seq) FROM groups)`,
  );
  return groupId;
};

const lines = "x".repeat(91);

describe("what is sent in place of a message that failed", () => {
  test("its replacements, one after the other, each when the one before has failed", async () => {
    const env = await openEnv();
    const groupId = await sendAll(env, [
      sms("01000003104", {
        replacements: [
          { to: "01000003042", text: "second" },
          { to: "01000000001", text: lines },
        ],
      }),
      sms("01000000002"),
    ]);
    env.pass(2000);
    expect(await readGroup(env, groupId)).toMatchObject({
      status: "SENDING",
      count: { total: 2, sentTotal: 2, sentFailed: 1, sentReplacement: 1, refund: 1 },
      point: { requested: 40, replacement: 20, refund: 20 },
    });
    checkBooks(env);
    env.pass(4000);
    expect(await rowsOf(env, groupId)).toMatchObject([
      { to: "01000003104", statusCode: "3104", replacement: false },
      { to: "01000000002", statusCode: "4000", replacement: false },
      { to: "01000003042", statusCode: "3042", replacement: true, text: "second" },
      { to: "01000000001", statusCode: "4000", replacement: true, type: "LMS" },
    ]);
    const group = await readGroup(env, groupId);
    expect(group).toMatchObject({
      status: "COMPLETE",
      count: { total: 2, sentTotal: 4, sentSuccess: 2, sentFailed: 2, sentReplacement: 2 },
      countForCharge: { sms: { "82": 3 }, lms: { "82": 1 } },
      point: { requested: 40, replacement: 70, refund: 40, sum: 70 },
    });
    expect(group.log.at(-1)?.message).toBe("all results received");
    checkBooks(env);
  });

  test("a Kakao message goes out as SMS or LMS of replacementText, else of its text", async () => {
    for (const [options, expected] of [
      [{}, { type: "SMS", text: "hello" }],
      [{ replacementText: lines }, { type: "LMS", text: lines }],
      [{ replacements: [{ text: "mine" }] }, { type: "SMS", text: "mine" }],
    ] as const) {
      const env = await openEnv();
      const groupId = await kakao(env, options);
      env.pass(4000);
      expect(await rowsOf(env, groupId)).toMatchObject([
        { statusCode: "3104", replacement: false },
        // Whoever has no Kakao Talk reads an SMS all the same.
        { to: "01000003104", statusCode: "4000", replacement: true, ...expected },
      ]);
      checkBooks(env);
    }
  });

  test("other reasons than Kakao's hold for what is sent in its place as well", async () => {
    const env = await openEnv();
    const groupId = await kakao(env, {}, "01000003042");
    env.pass(4000);
    expect(await rowsOf(env, groupId)).toMatchObject([
      { statusCode: "3042", replacement: false },
      { statusCode: "3042", replacement: true },
    ]);
  });

  test("each takes its ticks, whatever else of the group is on its way", async () => {
    const env = await openEnv();
    const groupId = await sendAll(env, [
      sms("01000002062", { replacements: [{ to: "01000000001", text: "a" }] }),
      sms("01000003042", { replacements: [{ to: "01000000002", text: "b" }] }),
    ]);
    const codesAfterTick = async () => {
      env.pass(1000);
      return (await rowsOf(env, groupId)).map((row) => row.statusCode);
    };
    expect(await codesAfterTick()).toEqual(["2062", "3000", "2000"]);
    expect(await codesAfterTick()).toEqual(["2062", "3042", "3000", "2000"]);
    expect(await codesAfterTick()).toEqual(["2062", "3042", "4000", "3000"]);
    expect(await codesAfterTick()).toEqual(["2062", "3042", "4000", "4000"]);
    expect((await readGroup(env, groupId)).status).toBe("COMPLETE");
    checkBooks(env);
  });

  test("disableSms, success, and an SMS without replacements bring nothing", async () => {
    const env = await openEnv();
    const made = [
      await kakao(env, { kakaoOptions: { disableSms: true } }),
      await kakao(env, {}, "01000000001"),
      await sendAll(env, [sms("01000003104")]),
    ];
    env.pass(60_000);
    for (const groupId of made) {
      expect(await rowsOf(env, groupId)).toHaveLength(1);
      expect(await readGroup(env, groupId)).toMatchObject({
        status: "COMPLETE",
        count: { sentReplacement: 0 },
      });
    }
  });

  test("refused inside the platform (2xxx): replaced a tick earlier", async () => {
    const env = await openEnv();
    const groupId = await sendAll(env, [sms("01000002062", { replacements: [{ text: "b" }] })]);
    env.pass(1000);
    expect((await readGroup(env, groupId)).count).toMatchObject({
      sentTotal: 1,
      sentReplacement: 1,
    });
    checkBooks(env);
  });

  test("the money that comes back pays for it; where that is too little it ends with 1030", async () => {
    const env = await openEnv();
    await env.call("PUT", "/_sandbox/settings", { balance: 0, point: 40 });
    const groupId = await sendAll(env, [
      sms("01000003104", { replacements: [{ to: "01000000001", text: "b" }] }),
      sms("01000003042", { replacements: [{ to: "01000000002", text: lines }] }),
    ]);
    env.pass(60_000);
    expect(await rowsOf(env, groupId)).toMatchObject([
      { statusCode: "3104" },
      { statusCode: "3042" },
      { to: "01000000001", statusCode: "4000" },
      { to: "01000000002", statusCode: "1030", replacement: true },
    ]);
    expect(await readGroup(env, groupId)).toMatchObject({
      status: "COMPLETE",
      count: { sentReplacement: 1 },
      point: { requested: 40, replacement: 20, refund: 40, sum: 20 },
    });
    checkBooks(env);
  });

  test("a replacement that registration refuses is kept with its code, and costs nothing", async () => {
    const env = await openEnv();
    const groupId = await sendAll(env, [
      sms("01000003104", { replacements: [{ from: "0299999999", text: "b" }] }),
    ]);
    env.pass(60_000);
    expect((await rowsOf(env, groupId))[1]).toMatchObject({ statusCode: "1062" });
    expect((await readGroup(env, groupId)).status).toBe("COMPLETE");
    checkBooks(env);
  });

  test("after one that registration refuses the next is tried", async () => {
    const env = await openEnv();
    const groupId = await sendAll(env, [
      sms("01000003104", {
        replacements: [
          { from: "0299999999", text: "b" },
          { to: "0100000", text: "c" },
          { text: "d", to: "01000003042" },
          { text: "e", to: "01000000001" },
        ],
      }),
    ]);
    env.pass(60_000);
    expect((await rowsOf(env, groupId)).slice(1)).toMatchObject([
      { text: "b", statusCode: "1062" },
      { text: "c", statusCode: "1011" },
      { text: "d", statusCode: "3042" },
      { text: "e", statusCode: "4000" },
    ]);
    expect(await readGroup(env, groupId)).toMatchObject({
      status: "COMPLETE",
      count: { total: 1, sentTotal: 3, sentReplacement: 2 },
    });
    checkBooks(env);
  });

  test("what is no message is passed over, and does not undo disableSms", async () => {
    const env = await openEnv();
    const pfId = "KA01PF260101000000000SANDBOX0001";
    const cta = (to: string, disableSms: boolean, replacements: unknown[]) =>
      sms(to, { kakaoOptions: { pfId, disableSms }, replacements });
    const groupId = await sendAll(env, [
      cta("01000003104", true, [{ text: 5 }]),
      cta("01000003102", true, [{ text: 5 }, { text: "mine", to: "01000000001" }]),
      cta("01000003106", false, [{ text: 5 }]),
    ]);
    env.pass(60_000);
    expect((await rowsOf(env, groupId)).slice(3)).toMatchObject([
      { text: "mine", type: "SMS", statusCode: "4000" },
      { text: "hello", type: "SMS", to: "01000003106" },
    ]);
    checkBooks(env);
  });

  test("with a tick of nothing all of it happens at once, in order", async () => {
    const env = await openEnv();
    await env.call("PUT", "/_sandbox/settings", { tick: "0ms" });
    const groupId = await sendAll(env, [
      sms("01000003104", {
        replacements: [
          { to: "01000002062", text: "b" },
          { to: "01000000001", text: "c" },
        ],
      }),
    ]);
    const group = await readGroup(env, groupId);
    expect(group).toMatchObject({ status: "COMPLETE", count: { sentTotal: 3, sentSuccess: 1 } });
    checkBooks(env);
  });
});
