import { describe, expect, test } from "vitest";
import { contract } from "../../../src/contract/index.ts";
import type { Template } from "../../../src/contract/kakao-templates.ts";
import { controls } from "../../../src/contract/sandbox.ts";
import { doors } from "../doors.ts";
import { errorCodeOf, errorOf, replyOf } from "../told.ts";
import { type Environment, openEnvironment } from "../world.ts";

const pfId = "KA01PF260101000000000SANDBOX0001";
const [approved, pending, rejected] = [1, 2, 3].map(
  (number) => `KA01TP260101000000000SANDBOX000${number}`,
);
const path = "/kakao/v1/templates";

const create = (world: Environment, members: Readonly<Record<string, unknown>> = {}) =>
  world.call("POST", path, { pfId, name: "order", content: "#{name}님", ...members });
const ask = (world: Environment, templateId: string) =>
  world.call("PUT", `${path}/${templateId}/inspection`, {});
const review = (world: Environment, templateId: string, decision: string, comment?: string) =>
  world.call("POST", "/_sandbox/review/template", { templateId, decision, comment });
const states = ({ codes }: Template) =>
  Object.fromEntries(codes.map(({ service, status }) => [service, status]));

describe("the life of a template", () => {
  test("created: one entry of biz, PENDING, without a code", async () => {
    const world = await openEnvironment();
    const buttons = [{ buttonType: "BK", buttonName: "Help" }];
    expect((await create(world, { buttons })).body).toEqual({
      isHidden: false,
      accountId: "26010500000001",
      templateId: expect.stringMatching(/^KA01TP\d{15}[0-9A-Z]{11}$/),
      name: "order",
      pfId,
      content: "#{name}님",
      dateCreated: "2026-01-05T09:00:00.000Z",
      dateUpdated: "2026-01-05T09:00:00.000Z",
      buttons,
      codes: [{ status: "PENDING", service: "biz", comments: [] }],
    });
  });

  test("updated: both providers answer, both PENDING, comments kept, dateUpdated moved", async () => {
    const world = await openEnvironment();
    world.pass(60_000);
    const told = await world.call("PUT", `${path}/${rejected}`, { content: "hello" });
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

  test("an empty update moves the date and nothing else", async () => {
    const world = await openEnvironment();
    const told = await world.call("PUT", `${path}/${rejected}`, {});
    expect(states(replyOf(contract.updateTemplate, told).biz)).toEqual({ biz: "REJECTED" });
  });

  test("reviewed: PENDING, INSPECTING, and what the staff say", async () => {
    const world = await openEnvironment();
    const { templateId } = replyOf(contract.createTemplate, await create(world));
    expect((await review(world, templateId, "approve")).status).toBe(409);
    const asked = replyOf(contract.requestReview, await ask(world, templateId));
    expect(states(asked)).toEqual({ biz: "INSPECTING" });
    expect(asked.codes[0]?.code).toMatch(/^bizp_20260105090000\d{12}$/);
    expect(errorCodeOf(await ask(world, templateId))).toBe("FailedToUpdate");
    const said = await review(world, templateId, "reject", "too loud");
    const no = replyOf(controls.reviewTemplate, said);
    expect(states(no)).toEqual({ biz: "REJECTED" });
    expect(no.codes[0]?.comments).toMatchObject([{ isAdmin: true, content: "too loud" }]);
    await world.call("PUT", `${path}/${templateId}`, { content: "quiet" });
    await ask(world, templateId);
    const yes = await review(world, templateId, "approve");
    expect(states(replyOf(controls.reviewTemplate, yes))).toEqual({
      providerA: "APPROVED",
      biz: "APPROVED",
    });
  });

  test.each([
    ["APPROVED", approved],
    ["INSPECTING", pending],
  ])("%s: update and delete are 409, hide and comment are not", async (_state, id) => {
    const world = await openEnvironment();
    if (id === pending) await ask(world, pending ?? "");
    for (const method of ["PUT", "DELETE"] as const) {
      const told = await world.call(method, `${path}/${id}`, { name: "x" });
      expect([told.status, errorCodeOf(told)]).toEqual([409, "FailedToUpdate"]);
    }
    const hidden = await world.call("PUT", `${path}/${id}/hide`, { isHidden: true });
    expect(replyOf(contract.hideTemplate, hidden).isHidden).toBe(true);
    expect((await world.call("POST", `${path}/${id}/comment`, { comment: "?" })).status).toBe(200);
  });

  test("deleted: answered with DELETED, gone from reads and lists", async () => {
    const world = await openEnvironment();
    const { body } = await world.call("DELETE", `${path}/${rejected}`);
    expect(body).toMatchObject({ templateId: rejected, status: "DELETED" });
    const after = await world.call("GET", `${path}/${rejected}`);
    expect([after.status, errorCodeOf(after)]).toEqual([404, "TemplateNotFound"]);
    const { templateList } = replyOf(contract.listTemplates, await world.call("GET", path));
    expect(templateList).toHaveLength(2);
  });

  test("a comment stands in the entry of biz, under the member who wrote it", async () => {
    const world = await openEnvironment();
    await world.call("PUT", `${path}/${rejected}`, { content: "hello" });
    const told = await world.call("POST", `${path}/${rejected}/comment`, { comment: "why" }, 2);
    const { codes } = replyOf(contract.commentTemplate, told);
    expect(codes.map((it) => it.comments.length)).toEqual([0, 2]);
    expect(codes[1]?.comments[1]).toMatchObject({
      isAdmin: false,
      memberId: "MEMSANDBOX0002",
      content: "why",
    });
  });

  test("what breaks a rule is 400 with all of it; unknown channels are 404, foreign records 403", async () => {
    const world = await openEnvironment();
    const told = await create(world, {
      name: "",
      buttons: [{ buttonType: "WL", buttonName: "a name too long for a button" }],
    });
    const wrong = errorOf(told);
    expect(wrong.errorCode).toBe("ValidationError");
    expect(wrong.errorMessage).toContain("'name' has 0 characters");
    expect(wrong.errorMessage).toContain("14 characters");
    expect(errorCodeOf(await create(world, { pfId: "KA01PF" }))).toBe("ResourceNotFound");
    await world.call("PUT", "/_sandbox/clock", { advance: "1s" });
    const foreign = await world.call("GET", `${path}/${approved}`, undefined, 4);
    expect([foreign.status, errorCodeOf(foreign)]).toEqual([403, "Forbidden"]);
  });
});

/** Ids found by a query, as the last digits of the names. */
const found = async (world: Environment, query: string): Promise<string[]> => {
  const told = await world.call("GET", `${path}?${query}`);
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
    const world = await openEnvironment();
    await create(world, { name: "order 50%" });
    await world.call("PUT", `${path}/${approved}/hide`, { isHidden: true });
    const all = ["order 50%", "summer sale", "welcome", "order shipped"];
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
      ["isHidden[eq]=false", all.slice(0, 3)],
      ["isHidden=maybe", ["ValidationError"]],
      ["status=APPROVED", ["order shipped"]],
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
      [`dateUpdated=${first}`, ["summer sale", "welcome"]],
      [`dateUpdated[eq]=${first}`, ["summer sale", "welcome"]],
      [`dateUpdated[gt]=${first}`, ["order 50%", "order shipped"]],
      [`dateUpdated[gte]=${first}`, all],
      [`dateUpdated[lt]=2026-01-02`, ["summer sale", "welcome"]],
      [`dateUpdated[lte]=${first}`, ["summer sale", "welcome"]],
      ["limit=501", ["ValidationError"]],
      ["startKey=KA01TPnone", ["ValidationError"]],
      ["somethingElse=1", all],
    ];
    for (const [query, expected] of cases)
      for (const spelled of bothSpellings(query))
        expect([spelled, await found(world, spelled)]).toEqual([spelled, expected]);
  });

  test("pages beyond 20 hold every row once, newest first, and a filter holds on every page", async () => {
    const world = await openEnvironment();
    for (let number = 0; number < 45; number += 1) {
      world.pass(number % 3 === 0 ? 1000 : 0);
      await create(world, { name: `order ${number}` });
    }
    const names: string[] = [];
    const sizes: number[] = [];
    let startKey: string | null = null;
    do {
      const from: string = startKey === null ? "" : `&startKey=${startKey}`;
      const told = await world.call("GET", `${path}?name[like]=order${from}`);
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
    const world = await openEnvironment();
    const { body } = await world.call("GET", `${path}?name=none`);
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
