import { describe, expect, test } from "vitest";
import { getQuota, listQuotaRequests, requestQuota } from "../../src/contract/account.ts";
import { listProfits, setAppLive } from "../../src/contract/apps.ts";
import type { Endpoint } from "../../src/contract/endpoint.ts";
import { deleteFile, getFile, listFiles, uploadFile } from "../../src/contract/storage.ts";
import { pdf } from "../support/pictures.ts";
import { openEnv } from "./environment.ts";
import { errorCodeOf } from "./replies.ts";
import { tokenVerdict } from "./verdict.ts";

const span = "startDate=2025-01-01%2000:00:00&endDate=2026-12-31%2000:00:00";
const upload = { file: Buffer.from(pdf).toString("base64") };

/** Endpoint, a request of it that names nothing of account A, and the row of the specification (5.4). */
const rows: readonly (readonly [string, Endpoint, string, unknown, readonly string[]])[] = [
  ["list files", listFiles, "/storage/v1/files", undefined, []],
  ["get file", getFile, "/storage/v1/files/x", undefined, []],
  ["upload file", uploadFile, "/storage/v1/files", upload, ["account", "member"]],
  ["delete file", deleteFile, "/storage/v1/files/x", undefined, ["account", "member"]],
  ["quota", getQuota, "/quota/v1/me", undefined, ["role", "account", "authentication"]],
  ["quota requests", listQuotaRequests, "/quota/v1/me/system", undefined, ["role"]],
  [
    "quota request",
    requestQuota,
    "/quota/v1/me/system",
    { quota: 100 },
    ["role", "account", "authentication"],
  ],
  ["app profits", listProfits, `/appstore/v2/profits?${span}`, undefined, ["role"]],
  ["app stage", setAppLive, "/appstore/v2/me/apps/x/stage", {}, ["authentication"]],
];

/** What is wrong with the callers of the fixtures: the code, and the column that it belongs to. */
const callers: Readonly<Record<number, readonly [column: string, errorCode: string]>> = {
  4: ["authentication", "AccountNotAuthenticated"],
  5: ["account", "InactiveAccount"],
  6: ["always", "DeletedAccount"],
  7: ["always", "InvalidAPIKey"],
  8: ["member", "UnverifiedMember"],
  9: ["member", "InactiveMember"],
};

/** Roles that include the permission, as the assumption unlisted-roles says. */
const roles: Readonly<Record<string, readonly number[]>> = {
  "role-quota:read": [2, 3],
  "role-quota:write": [],
  "role-appstore:read": [2, 3],
};

const expected = (endpoint: Endpoint, columns: readonly string[], key: number): string => {
  const wrong = callers[key];
  if (wrong && (wrong[0] === "always" || columns.includes(wrong[0]))) return wrong[1];
  const { role } = endpoint.needs;
  const isMember = key === 2 || key === 3;
  return role !== undefined && isMember && !roles[role]?.includes(key) ? "Forbidden" : "let in";
};

describe.each(rows)("%s", (_name, endpoint, target, body, columns) => {
  test("asks for the columns of its row and no others", () => {
    expect(
      Object.keys(endpoint.needs)
        .filter((it) => it !== "scope")
        .sort(),
    ).toEqual([...columns].sort());
  });

  test("lets in and keeps out the callers of the fixtures as its row says", async () => {
    const env = await openEnv();
    for (const key of [1, 2, 3, 4, 5, 6, 7, 8, 9]) {
      const told = await env.call(endpoint.method, target, body, key);
      const code = told.status === 403 ? errorCodeOf(told) : "let in";
      expect([key, code]).toEqual([key, expected(endpoint, columns, key)]);
    }
  });

  test("a token needs its scope, and no other helps", () => {
    const scope = endpoint.needs.scope ?? endpoint.alsoNeeds?.scope ?? "";
    expect(scope).toMatch(/^(storage|quota|appstore):(read|write)$/);
    expect(scope.endsWith(endpoint.effect === "safe" ? ":read" : ":write")).toBe(true);
    expect(tokenVerdict(endpoint, [scope])).toBe("ok");
    expect(tokenVerdict(endpoint, ["message:write", "cash:write"])).toBe("401 Unauthorized");
  });
});
