import { describe, expect, expectTypeOf, test } from "vitest";
import { command } from "../../src/cli/command.ts";
import {
  type Endpoint,
  type Input,
  pathParams,
  type Reply,
  type Row,
} from "../../src/contract/endpoint.ts";
import { contract } from "../../src/contract/index.ts";
import type { Needs } from "../../src/contract/needs.ts";
import type {
  download,
  listByKey,
  listByOffset,
  readFile,
  registerCard,
  removeCard,
  transfer,
} from "./samples.ts";
import * as samples from "./samples.ts";

describe("types that follow from a declaration", () => {
  test("path parameters, bodies and queries make the input", () => {
    expectTypeOf<Input<typeof readFile>["params"]>().toEqualTypeOf<
      Readonly<Record<"fileId" | "part", string>>
    >();
    expectTypeOf<Input<typeof removeCard>["body"]>().toEqualTypeOf<{ paymentId: string }>();
    type Created = NonNullable<Input<typeof listByKey>["query"]>["dateCreated"];
    expectTypeOf<"2026-01-01">().toExtend<Created>();
    expectTypeOf<{ gte: string; lt: string }>().toExtend<Created>();
    expectTypeOf<{ like: string }>().not.toExtend<Created>();
    expectTypeOf<Input<typeof download>["query"]["startDate"]>().toEqualTypeOf<string>();
  });

  test("rows are found in a member, in an object keyed by id, and in a bare array", () => {
    expectTypeOf<Row<typeof listByKey>>().toEqualTypeOf<{ withdrawId: string; amount: number }>();
    expectTypeOf<Row<typeof listByOffset>>().toEqualTypeOf<{ historyId: string }>();
    expectTypeOf<Row<typeof contract.listMessages>["statusCode"]>().toEqualTypeOf<string>();
    expectTypeOf<Row<typeof registerCard>>().toEqualTypeOf<{
      paymentId: string;
      expDate: string;
    }>();
  });

  test("bare strings and documents are answers", () => {
    expectTypeOf<Reply<typeof transfer>>().toEqualTypeOf<string>();
    expectTypeOf<Reply<typeof download>>().toExtend<Uint8Array>();
  });

  test("a column that the row does not have does not compile", () => {
    const wrong = () =>
      command({
        endpoint: samples.registerCard,
        // @ts-expect-error the answer has no such member
        columns: ["paymentID"],
        examples: [],
      });
    const right = command({ endpoint: samples.listByKey, columns: ["withdrawId"], examples: [] });
    expect(wrong().columns).toEqual(["paymentID"]);
    expect(right.fields).toEqual(["withdrawId", "amount"]);
  });

  test("secrets and paging are no flags of their own", () => {
    const card = command({ endpoint: samples.registerCard, columns: ["paymentId"], examples: [] });
    const list = command({ endpoint: samples.listByKey, columns: ["withdrawId"], examples: [] });
    expect(Object.keys(card.flags)).toContain("cardNumber");
    expect(Object.keys(list.flags)).toEqual(["status", "startDate", "dateCreated", "kind"]);
  });
});

test("path parameters are found in order", () => {
  expect(pathParams("/a/:one/b/:two")).toEqual(["one", "two"]);
});

const cashRead: Needs = { scope: "cash:read", role: "role-cash:read" };
const cashWrite: Needs = {
  scope: "cash:write",
  role: "role-cash:write",
  account: "ACTIVE",
  member: "ACTIVE",
  authentication: "required",
};
/** The cells of every write of Kakao. */
const kakaoWrites: Needs = {
  scope: "kakao:write",
  role: "role-kakao:write",
  account: "ACTIVE",
  member: "ACTIVE",
  authentication: "required",
};

/** The service's table of permissions. */
const specified: Readonly<Record<string, Needs>> = {
  "POST /messages/v4/send-many": {
    scope: "message:write",
    role: "role-message:write",
    account: "ACTIVE",
    member: "ACTIVE",
  },
  "POST /messages/v4/send": {},
  "GET /cash/v1/balance": cashRead,
  "GET /cash/v1/balance/alert": cashRead,
  "GET /cash/v1/balance/history": cashRead,
  "GET /cash/v1/payment": cashRead,
  "GET /cash/v1/withdraw": cashRead,
  "PUT /cash/v1/payment": cashWrite,
  "POST /cash/v1/payment": cashWrite,
  "DELETE /cash/v1/payment": cashWrite,
  "POST /cash/v1/bank/accounts": cashWrite,
  "DELETE /cash/v1/bank/accounts": cashWrite,
  "PUT /cash/v1/balance/alert/switch": cashWrite,
  "PUT /kakao/v1/templates/:templateId": kakaoWrites,
  "POST /kakao/v1/templates/:templateId/comment": kakaoWrites,
  "POST /kakao/v1/templates": kakaoWrites,
  "POST /kakao/v1/plus-friends": kakaoWrites,
};

test("the permission rows are those of the specification", () => {
  const rows = Object.fromEntries(
    Object.values(contract).map((it) => [`${it.method} ${it.path}`, it.needs]),
  );
  for (const [name, needs] of Object.entries(specified)) expect(rows[name], name).toEqual(needs);
});

test("no two endpoints share method and path", () => {
  const names = Object.values(contract).map((it) => `${it.method} ${it.path}`);
  expect(new Set(names).size).toBe(names.length);
});

test("every unsafe endpoint says where to look when its outcome is unknown", () => {
  const all: readonly Endpoint[] = Object.values(contract);
  const silent = all.filter((it) => it.effect === "unsafe" && it.checkWith === undefined);
  expect(silent.map((it) => it.path)).toEqual([]);
});

test("every unsafe endpoint names what proves its execution", () => {
  const all: readonly Endpoint[] = Object.values(contract);
  const unproved = all.filter((it) => it.effect === "unsafe" && it.proof === undefined);
  expect(unproved.map((it) => it.path)).toEqual([]);
});
