import { describe, expect, test } from "vitest";
import { getBalance } from "../../src/contract/cash.ts";
import type { Endpoint } from "../../src/contract/endpoint.ts";
import { contract } from "../../src/contract/index.ts";
import { cashWrite, roleIncludes } from "../../src/contract/needs.ts";
import type { VerifiedCaller } from "../../src/sandbox/checks/authorize.ts";
import { secretOf } from "../support/signer.ts";
import { doors } from "./doors.ts";
import { errorCodeOf, jsonOf } from "./replies.ts";
import { verdict } from "./verdict.ts";

const strict: Endpoint = { ...getBalance, needs: cashWrite };
const free: Endpoint = { ...getBalance, needs: {} };

describe("authorize", () => {
  test.each<[Partial<VerifiedCaller>, string, string]>([
    [{}, "ok", "ok"],
    [{ accountStatus: "INACTIVE" }, "403 InactiveAccount", "ok"],
    [{ accountStatus: "DELETED" }, "403 DeletedAccount", "403 DeletedAccount"],
    [{ memberStatus: "UNVERIFIED" }, "403 UnverifiedMember", "ok"],
    [{ memberStatus: "INACTIVE" }, "403 InactiveMember", "ok"],
    [{ memberStatus: "DELETED" }, "403 DeletedMember", "403 DeletedMember"],
    [{ role: "DEVELOPER" }, "403 Forbidden", "ok"],
    [{ role: "MEMBER" }, "403 Forbidden", "ok"],
    [{ authenticated: 0 }, "403 AccountNotAuthenticated", "ok"],
    [{ scopes: ["cash:write"] }, "ok", "ok"],
    [{ scopes: ["cash:read"] }, "401 Unauthorized", "ok"],
  ])("%j: %s where every cell is filled, %s where all are blank", (caller, filled, blank) => {
    expect(verdict(strict, caller)).toBe(filled);
    expect(verdict(free, caller)).toBe(blank);
  });

  test("the columns are checked in their order: scope, account, member, role, authentication", () => {
    const wrong: Partial<VerifiedCaller>[] = [
      { scopes: [] },
      { accountStatus: "INACTIVE" },
      { memberStatus: "INACTIVE" },
      { role: "MEMBER" },
      { authenticated: 0 },
    ];
    const order = wrong.map((_, at) => verdict(strict, Object.assign({}, ...wrong.slice(at))));
    expect(order).toEqual([
      "401 Unauthorized",
      "403 InactiveAccount",
      "403 InactiveMember",
      "403 Forbidden",
      "403 AccountNotAuthenticated",
    ]);
  });

  test("a blank row of the specification is filled by what the sandbox also asks for", () => {
    expect(verdict(contract.sendMessage, { accountStatus: "INACTIVE" })).toBe(
      "403 InactiveAccount",
    );
  });

  test("an endpoint for tokens refuses keys", () => {
    const tokens: Endpoint = { ...getBalance, needs: { credentials: "token" } };
    expect(verdict(tokens, {})).toBe("401 Unauthorized");
    expect(verdict(tokens, { scopes: [] })).toBe("ok");
  });
});

describe("roles", () => {
  test.each([
    ["role-message:write", "DEVELOPER", true],
    ["role-message:write", "MEMBER", true],
    ["role-cash:read", "MEMBER", true],
    ["role-cash:write", "DEVELOPER", false],
    ["role-cash:write", "MEMBER", false],
    ["role-cash:write", "OWNER", true],
    ["role-pricing:read", "MEMBER", true],
    ["role-pricing:write", "DEVELOPER", false],
    ["role-appstore:write", "DEVELOPER", true],
    ["role-appstore:write", "MEMBER", false],
    ["role-oauth2:read", "MEMBER", false],
    ["role-kakao:write", "MEMBER", false],
    ["role-quota:read", "DEVELOPER", true],
    ["role-unheard-of:read", "DEVELOPER", false],
    ["role-unheard-of:read", "OWNER", true],
  ] as const)("%s of %s: %s", (permission, role, included) => {
    expect(roleIncludes(role, permission)).toBe(included);
  });
});

describe.each(doors)("callers of the fixtures, %s", (_name, open) => {
  test.each([
    [1, "200 ok", "200 ok"],
    [2, "200 ok", "200 ok"],
    [3, "200 ok", "200 ok"],
    [4, "200 ok", "200 ok"],
    [5, "200 ok", "403 InactiveAccount"],
    [6, "403 DeletedAccount", "403 DeletedAccount"],
    [7, "403 InvalidAPIKey", "403 InvalidAPIKey"],
    [8, "200 ok", "403 UnverifiedMember"],
    [9, "200 ok", "403 InactiveMember"],
  ])("key %i: balance %s, message list %s", async (n, balance, list) => {
    const door = await open();
    const outcome = async (target: string) => {
      const signing = { apiKey: `SANDBOXKEY00000${n}`, secret: secretOf(n) };
      const told = await door.call("GET", target, { signing });
      return `${told.status} ${errorCodeOf(jsonOf(told)) ?? "ok"}`;
    };
    // GET balance leaves status and authentication blank; the message list asks for ACTIVE.
    expect(await outcome("/cash/v1/balance")).toBe(balance);
    expect(await outcome("/messages/v4/list")).toBe(list);
    await door.close();
  });
});
