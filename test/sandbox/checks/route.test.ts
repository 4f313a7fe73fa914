import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { endpoint } from "../../../src/contract/endpoint.ts";
import { anyone } from "../../../src/contract/needs.ts";
import type { Method } from "../../../src/contract/wire.ts";
import { matcher, type Route } from "../../../src/sandbox/checks/route.ts";

const declared = (method: Method, path: `/${string}`): Route => ({
  endpoint: endpoint({ does: path, method, path, effect: "safe", needs: anyone, reply: v.null() }),
  handle: () => null,
});

const match = matcher([
  declared("GET", "/v4/groups/:groupId"),
  declared("GET", "/v4/groups/:groupId/messages"),
  declared("GET", "/v4/:kind/excel"),
  declared("GET", "/v4/groups/excel"),
  declared("GET", "/v4/groups"),
  declared("POST", "/v4/groups"),
]);
const found = (method: string, target: string) => {
  const { endpoint: matched, params, query } = match(method, target);
  return { path: matched.path, params, query };
};

describe("matcher", () => {
  test.each([
    ["/v4/groups", "/v4/groups", {}],
    ["/v4/groups/", "/v4/groups", {}],
    ["/v4/groups/excel", "/v4/groups/excel", {}],
    ["/v4/groups/excel/", "/v4/groups/excel", {}],
    ["/v4/lists/excel", "/v4/:kind/excel", { kind: "lists" }],
    ["/v4/groups/G1", "/v4/groups/:groupId", { groupId: "G1" }],
    ["/v4/groups/a%2Fb", "/v4/groups/:groupId", { groupId: "a/b" }],
    ["/v4/groups/%EA%B0%80", "/v4/groups/:groupId", { groupId: "가" }],
    ["/v4/groups/G1/messages", "/v4/groups/:groupId/messages", { groupId: "G1" }],
  ])("%s means %s", (target, path, params) => {
    expect(found("GET", target)).toEqual({ path, params, query: "" });
  });

  test("the query is what stands after the first question mark", () => {
    expect(found("GET", "/v4/groups/?a=1?2")).toMatchObject({ path: "/v4/groups", query: "a=1?2" });
  });

  test.each([
    ["DELETE", "/v4/groups"],
    ["PATCH", "/v4/groups"],
    ["GET", "/"],
    ["GET", ""],
    ["GET", "/v4/groups//"],
    ["GET", "/v4//excel"],
    ["GET", "/v4/groups/%zz"],
    ["GET", "/V4/groups"],
    ["GET", "/v4/groups/G1/other"],
  ])("B05: %s '%s' is 404", (method, target) => {
    expect(() => match(method, target)).toThrow(
      expect.objectContaining({ status: 404, errorCode: "ResourceNotFound" }),
    );
  });
});
