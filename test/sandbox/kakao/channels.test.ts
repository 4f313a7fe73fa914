import { describe, expect, test } from "vitest";
import { contract } from "../../../src/contract/index.ts";
import { controls } from "../../../src/contract/sandbox.ts";
import { type Env, openEnv } from "../environment.ts";
import { errorCodeOf, errorOf, replyOf } from "../replies.ts";

const path = "/kakao/v1/plus-friends";
const wish = { searchId: "shop", phoneNumber: "010-1234-0000", categoryCode: "00200020001" };

const token = async (env: Env): Promise<string> => {
  expect((await env.call("POST", `${path}/token`, wish)).body).toEqual({ success: true });
  const [sent] = replyOf(controls.listCodes, await env.call("GET", "/_sandbox/codes"));
  if (sent === undefined) throw new Error("No token was sent.");
  return sent.code;
};
const link = (env: Env, members: Readonly<Record<string, unknown>>) =>
  env.call("POST", path, { ...wish, ...members });

describe("linking a channel", () => {
  test("the token of the phone links it, once; a leading @ does not count", async () => {
    const env = await openEnv();
    const code = await token(env);
    expect(code).toMatch(/^\d{6}$/);
    const told = await link(env, { searchId: "@shop", token: code });
    expect(told.status).toBe(200);
    const channel = replyOf(contract.linkChannel, told);
    expect(channel).toEqual({
      accountId: "26010500000001",
      phoneNumber: "010-1234-0000",
      searchId: "shop",
      dateCreated: "2026-01-05T09:00:00.000Z",
      dateUpdated: "2026-01-05T09:00:00.000Z",
      pfId: expect.stringMatching(/^KA01PF\d{15}[0-9A-Z]{11}$/),
      senderKeys: [
        { service: "biz", key: expect.stringMatching(/^\S+$/), categoryCode: "00200020001" },
      ],
    });
    const again = await link(env, { token: code });
    expect([again.status, errorCodeOf(again)]).toEqual([409, "AlreadyLinked"]);
    expect((await env.call("GET", `${path}/${channel.pfId}`)).body).toEqual(channel);
  });

  test("a wrong, a foreign, a superseded or an expired token is 400 InvalidToken", async () => {
    const env = await openEnv();
    const old = await token(env);
    const code = await token(env);
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, "0");
    const codeOf = async (members: Readonly<Record<string, unknown>>) =>
      errorCodeOf(await link(env, members));
    expect(await codeOf({ token: wrong })).toBe("InvalidToken");
    if (old !== code) expect(await codeOf({ token: old })).toBe("InvalidToken");
    expect(await codeOf({ token: code, phoneNumber: "01099999999" })).toBe("InvalidToken");
    env.pass(10 * 60_000 + 1);
    expect(await codeOf({ token: code })).toBe("InvalidToken");
  });

  test("hyphens make no other phone", async () => {
    const env = await openEnv();
    const code = await token(env);
    const told = await link(env, { phoneNumber: "01012340000", token: code });
    expect([told.status, replyOf(contract.linkChannel, told).phoneNumber]).toEqual([
      200,
      "01012340000",
    ]);
  });

  test("an unknown category and a broken phone are named together", async () => {
    const env = await openEnv();
    const broken = { ...wish, phoneNumber: "12", categoryCode: "9" };
    const told = await env.call("POST", `${path}/token`, broken);
    const { errorCode, errorMessage } = errorOf(told);
    expect([told.status, errorCode]).toEqual([400, "ValidationError"]);
    expect(errorMessage).toContain("'phoneNumber'");
    expect(errorMessage).toContain("'categoryCode'");
    expect(errorCodeOf(await link(env, { token: 123456 }))).toBe("ValidationError");
  });

  test("ten categories are offered, each with three levels", async () => {
    const env = await openEnv();
    const told = await env.call("GET", "/kakao/v1/categories");
    const categories = replyOf(contract.listCategories, told);
    expect(categories).toHaveLength(10);
    for (const { code, name } of categories)
      expect([code, name.split(",").length]).toEqual([expect.stringMatching(/^\d{11}$/), 3]);
  });
});

test("unlinking answers the channel as it was and deletes its templates", async () => {
  const env = await openEnv();
  const pfId = "KA01PF260101000000000SANDBOX0001";
  const told = await env.call("DELETE", `${path}/${pfId}`);
  const { searchId } = replyOf(contract.unlinkChannel, told);
  expect([told.status, searchId]).toEqual([200, "sandbox"]);
  const listed = await env.call("GET", "/kakao/v1/templates");
  expect(replyOf(contract.listTemplates, listed).templateList).toEqual([]);
  const gone = await env.call("DELETE", `${path}/${pfId}`);
  expect([gone.status, errorCodeOf(gone)]).toEqual([404, "ResourceNotFound"]);
});

test("every operator of every filter of channels, in both spellings of brackets", async () => {
  const env = await openEnv();
  await link(env, { token: await token(env) });
  const first = "2026-01-01T00:00:00.000Z";
  const cases: readonly [string, string[]][] = [
    ["pfId=KA01PF260101000000000SANDBOX0001", ["sandbox"]],
    ["pfId[ne]=x", ["ValidationError"]],
    ["categoryCode=00200020001", ["shop", "sandbox"]],
    ["categoryCode[eq]=1", []],
    ["searchId=shop", ["shop"]],
    ["searchId[eq]=shop", ["shop"]],
    ["searchId[ne]=shop", ["sandbox"]],
    ["searchId[like]=s", ["shop", "sandbox"]],
    ["searchId[like]=box", ["sandbox"]],
    ["phoneNumber=01012340000", ["sandbox"]],
    ["phoneNumber[eq]=01012340000", ["sandbox"]],
    ["phoneNumber[ne]=01012340000", ["shop"]],
    ["phoneNumber[like]=1234", ["shop", "sandbox"]],
    ["phoneNumber[gt]=1", ["ValidationError"]],
    ...(["dateCreated", "dateUpdated"] as const).flatMap((name): [string, string[]][] => [
      [`${name}=${first}`, ["sandbox"]],
      [`${name}[eq]=${first}`, ["sandbox"]],
      [`${name}[gt]=${first}`, ["shop"]],
      [`${name}[gte]=${first}`, ["shop", "sandbox"]],
      [`${name}[lt]=${first}`, []],
      [`${name}[lte]=${first}`, ["sandbox"]],
    ]),
    ["limit=1", ["shop"]],
  ];
  for (const [query, expected] of cases)
    for (const spelled of [query, query.replaceAll("[", "%5B").replaceAll("]", "%5D")]) {
      const told = await env.call("GET", `${path}?${spelled}`);
      const names = () => replyOf(contract.listChannels, told).friends.map((it) => it.searchId);
      const found = told.status === 200 ? names() : [errorCodeOf(told)];
      expect([spelled, found]).toEqual([spelled, expected]);
    }
});
