import { describe, expect, test } from "vitest";
import { contract } from "../../../src/contract/index.ts";
import type { Template } from "../../../src/contract/kakao.ts";
import { controls } from "../../../src/contract/sandbox.ts";
import { doors } from "../doors.ts";
import { type Env, openEnv } from "../environment.ts";
import { errorCodeOf, errorOf, replyOf } from "../replies.ts";

const pfId = "KA01PF260101000000000SANDBOX0001";
const [approved, pending, rejected] = [1, 2, 3].map(
  (number) => `KA01TP260101000000000SANDBOX000${number}`,
);
const path = "/kakao/v1/templates";

const create = (env: Env, members: Readonly<Record<string, unknown>> = {}) =>
  env.call("POST", path, { pfId, name: "order", content: "#{name}님", ...members });
const ask = (env: Env, templateId: string) =>
  env.call("PUT", `${path}/${templateId}/inspection`, {});
const review = (env: Env, templateId: string, decision: string, comment?: string) =>
  env.call("POST", "/_sandbox/review/template", { templateId, decision, comment });
const states = ({ codes }: Template) =>
  Object.fromEntries(codes.map(({ service, status }) => [service, status]));

describe("the life of a template", () => {
  test("created: one entry of biz, PENDING, without a code", async () => {
    const env = await openEnv();
    const buttons = [{ buttonType: "BK", buttonName: "Help" }];
    expect((await create(env, { buttons })).body).toEqual({
      isHidden: false,
      accountId: "26010500000001",
      templateId: expect.stringMatching(/^KA01TP\d{15}[0-9A-Z]{11}$/),
      name: "order",
      pfId,
      content: "#{name}님",
      dateCreated: "2026-01-05T09:00:00.000Z",
      dateUpdated: "2026-01-05T09:00:00.000Z",
      buttons: [{ ...buttons[0], linkMo: null, linkPc: null, linkAnd: null, linkIos: null }],
      codes: [{ status: "PENDING", code: null, service: "biz", comments: [] }],
    });
  });

  test("updated: both providers answer, both PENDING, comments kept, dateUpdated moved", async () => {
    const env = await openEnv();
    env.pass(60_000);
    const told = await env.call("PUT", `${path}/${rejected}`, { content: "hello" });
    expect(told.status).toBe(200);
    const updated = replyOf(contract.updateTemplate, told);
    expect(Object.keys(updated)).toEqual(["providerA", "biz"]);
    const { biz } = updated;
    expect(states(biz)).toEqual({ providerA: "PENDING", biz: "PENDING" });
    expect(biz).toMatchObject({ content: "hello", name: "summer sale" });
    expect(biz.dateUpdated).toBe("2026-01-05T09:01:00.000Z");
    expect(biz.codes[1]?.comments).toHaveLength(1);
    expect(biz.codes[0]?.code).toMatch(/^bizp_\d{26}$/);
  });

  test("an empty update is refused", async () => {
    const env = await openEnv();
    const told = await env.call("PUT", `${path}/${rejected}`, {});
    expect([told.status, errorCodeOf(told)]).toEqual([400, "ValidationError"]);
  });

  test("reviewed: PENDING, INSPECTING, and what the staff say", async () => {
    const env = await openEnv();
    const { templateId } = replyOf(contract.createTemplate, await create(env));
    expect((await review(env, templateId, "approve")).status).toBe(409);
    const asked = replyOf(contract.requestReview, await ask(env, templateId));
    expect(states(asked)).toEqual({ biz: "INSPECTING" });
    expect(asked.codes[0]?.code).toMatch(/^bizp_20260105090000\d{12}$/);
    expect(errorCodeOf(await ask(env, templateId))).toBe("FailedToUpdate");
    const said = await review(env, templateId, "reject", "too loud");
    const no = replyOf(controls.reviewTemplate, said);
    expect(states(no)).toEqual({ biz: "REJECTED" });
    expect(no.codes[0]?.comments).toMatchObject([{ isAdmin: true, content: "too loud" }]);
    await env.call("PUT", `${path}/${templateId}`, { content: "quiet" });
    await ask(env, templateId);
    const yes = await review(env, templateId, "approve");
    expect(states(replyOf(controls.reviewTemplate, yes))).toEqual({
      providerA: "APPROVED",
      biz: "APPROVED",
    });
  });

  test.each([
    ["APPROVED", approved],
    ["INSPECTING", pending],
  ])("%s: update and delete are 409, hide and comment are not", async (_state, id) => {
    const env = await openEnv();
    if (id === pending) await ask(env, pending ?? "");
    for (const method of ["PUT", "DELETE"] as const) {
      const told = await env.call(method, `${path}/${id}`, { name: "x" });
      expect([told.status, errorCodeOf(told)]).toEqual([409, "FailedToUpdate"]);
    }
    const hidden = await env.call("PUT", `${path}/${id}/hide`, { isHidden: true });
    expect(replyOf(contract.hideTemplate, hidden).isHidden).toBe(true);
    expect((await env.call("POST", `${path}/${id}/comment`, { comment: "?" })).status).toBe(200);
  });

  test("deleted: answered with DELETED, gone from reads and lists", async () => {
    const env = await openEnv();
    const { body } = await env.call("DELETE", `${path}/${rejected}`);
    expect(body).toMatchObject({ templateId: rejected, status: "DELETED" });
    const after = await env.call("GET", `${path}/${rejected}`);
    expect([after.status, errorCodeOf(after)]).toEqual([404, "TemplateNotFound"]);
    const { templateList } = replyOf(contract.listTemplates, await env.call("GET", path));
    expect(templateList).toHaveLength(3);
  });

  test("a comment stands in the entry of biz, under the member who wrote it", async () => {
    const env = await openEnv();
    await env.call("PUT", `${path}/${rejected}`, { content: "hello" });
    const told = await env.call("POST", `${path}/${rejected}/comment`, { comment: "why" }, 2);
    expect(told.assumptions).toContain("comment-length");
    const { codes } = replyOf(contract.commentTemplate, told);
    expect(codes.map((it) => it.comments.length)).toEqual([0, 2]);
    expect(codes[1]?.comments[1]).toMatchObject({
      isAdmin: false,
      memberId: "MEMSANDBOX0002",
      content: "why",
    });
  });

  test("what breaks a rule is 400 with all of it; unknown channels are 404, foreign records 403", async () => {
    const env = await openEnv();
    const told = await create(env, {
      name: "",
      buttons: [{ buttonType: "WL", buttonName: "a name too long for a button" }],
    });
    const wrong = errorOf(told);
    expect(wrong.errorCode).toBe("ValidationError");
    expect(wrong.errorMessage).toContain("'name' has 0 characters");
    expect(wrong.errorMessage).toContain("14 characters");
    expect(errorCodeOf(await create(env, { pfId: "KA01PF" }))).toBe("ResourceNotFound");
    await env.call("PUT", "/_sandbox/clock", { advance: "1s" });
    const foreign = await env.call("GET", `${path}/${approved}`, undefined, 4);
    expect([foreign.status, errorCodeOf(foreign)]).toEqual([403, "Forbidden"]);
  });
});

/** Ids found by a query, as the last digits of the names. */
const found = async (env: Env, query: string): Promise<string[]> => {
  const told = await env.call("GET", `${path}?${query}`);
  return told.status === 200
    ? replyOf(contract.listTemplates, told).templateList.map((it) => it.name)
    : [errorOf(told).errorCode];
};

const bothSpellings = (query: string): string[] => [
  query,
  query.replaceAll("[", "%5B").replaceAll("]", "%5D"),
];

describe("the list", () => {
  test("every operator of every filter, in both spellings of brackets", async () => {
    const env = await openEnv();
    await create(env, { name: "order 50%" });
    await env.call("PUT", `${path}/${approved}/hide`, { isHidden: true });
    const all = ["order 50%", "closed today", "summer sale", "welcome", "order shipped"];
    const first = "2026-01-01T00:00:00.000Z";
    const cases: readonly [string, string[]][] = [
      ["name=welcome", ["welcome"]],
      ["name[eq]=welcome", ["welcome"]],
      ["name[ne]=welcome", all.filter((it) => it !== "welcome")],
      ["name[like]=order", ["order 50%", "order shipped"]],
      ["name[like]=50%25", ["order 50%"]],
      ["name[like]=order&name[ne]=order%2050%25", ["order shipped"]],
      ["name[gt]=a", ["ValidationError"]],
      [`pfId=${pfId}`, all],
      ["pfId=KA01PFother", []],
      ["pfId[ne]=x", ["ValidationError"]],
      [`templateId=${pending}`, ["welcome"]],
      ["templateId[like]=KA", ["ValidationError"]],
      ["isHidden=true", ["order shipped"]],
      ["isHidden[eq]=false", all.slice(0, 4)],
      ["isHidden=maybe", ["ValidationError"]],
      ["status=APPROVED", ["closed today", "order shipped"]],
      ["status[eq]=PENDING", ["order 50%", "welcome"]],
      ["status=DONE", ["ValidationError"]],
      [`dateCreated=${first}`, all.slice(1)],
      [`dateCreated[eq]=${first}`, all.slice(1)],
      [`dateCreated[gt]=${first}`, ["order 50%"]],
      [`dateCreated[gte]=${first}`, all],
      [`dateCreated[lt]=${first}`, []],
      [`dateCreated[lte]=${first}`, all.slice(1)],
      ["dateCreated[gte]=2026-01-05&dateCreated[lte]=2026-01-05", ["order 50%"]],
      ["dateCreated[like]=2026", ["ValidationError"]],
      [`dateUpdated=${first}`, ["closed today", "summer sale", "welcome"]],
      [`dateUpdated[eq]=${first}`, ["closed today", "summer sale", "welcome"]],
      [`dateUpdated[gt]=${first}`, ["order 50%", "order shipped"]],
      [`dateUpdated[gte]=${first}`, all],
      [`dateUpdated[lt]=2026-01-02`, ["closed today", "summer sale", "welcome"]],
      [`dateUpdated[lte]=${first}`, ["closed today", "summer sale", "welcome"]],
      ["limit=501", ["ValidationError"]],
      ["startKey=KA01TPnone", ["ValidationError"]],
      ["somethingElse=1", all],
    ];
    for (const [query, expected] of cases)
      for (const spelled of bothSpellings(query))
        expect([spelled, await found(env, spelled)]).toEqual([spelled, expected]);
    expect((await env.call("GET", path)).assumptions).toContain("status-filter");
  });

  test("pages beyond 20 hold every row once, newest first, and a filter holds on every page", async () => {
    const env = await openEnv();
    for (let number = 0; number < 45; number += 1) {
      env.pass(number % 3 === 0 ? 1000 : 0);
      await create(env, { name: `order ${number}` });
    }
    const names: string[] = [];
    const sizes: number[] = [];
    let startKey: string | null = null;
    do {
      const from: string = startKey === null ? "" : `&startKey=${startKey}`;
      const told = await env.call("GET", `${path}?name[like]=order${from}`);
      const page = replyOf(contract.listTemplates, told);
      expect(page.limit).toBe(20);
      expect(page.startKey).toBe(page.templateList[0]?.templateId);
      names.push(...page.templateList.map((it) => it.name));
      sizes.push(page.templateList.length);
      startKey = page.nextKey;
    } while (startKey !== null);
    expect(sizes).toEqual([20, 20, 6]);
    const order = Array.from({ length: 45 }, (_, at) => `order ${44 - at}`);
    expect(names).toEqual([...order, "order shipped"]);
  });

  test("an empty list has neither startKey nor nextKey", async () => {
    const env = await openEnv();
    const { body } = await env.call("GET", `${path}?name=none`);
    expect(body).toEqual({ limit: 20, templateList: [], startKey: null, nextKey: null });
  });
});

test.each(doors)("brackets arrive in both spellings, %s", async (_name, open) => {
  const door = await open();
  for (const query of ["name[like]=order", "name%5Blike%5D=order"]) {
    const { status, text } = await door.call("GET", `${path}?${query}`);
    const { templateList } = replyOf(contract.listTemplates, { status, body: JSON.parse(text) });
    const names = templateList.map((it) => it.name);
    expect([query, status, names]).toEqual([query, 200, ["order shipped"]]);
  }
  await door.close();
});
