/** Kakao, storage, quota and apps over tokens that the sandbox's OAuth2 gave: the scope decides. */

import { beforeAll, describe, expect, test } from "vitest";
import type { Endpoint } from "../../src/contract/endpoint.ts";
import { contract } from "../../src/contract/index.ts";
import { scopes } from "../../src/contract/needs.ts";
import { appOf, callAs, tokensFor } from "./apps.ts";
import { type Door, doors } from "./doors.ts";
import { errorCodeOf, jsonOf } from "./replies.ts";

const areas = /^(kakao|storage|quota|appstore):/;
const endpoints: readonly (readonly [string, Endpoint])[] = Object.entries(contract);
const rows = endpoints.flatMap(([name, endpoint]) => {
  const scope = endpoint.needs.scope ?? endpoint.alsoNeeds?.scope ?? "";
  return areas.test(scope) ? [{ name, endpoint, scope }] : [];
});

const target = (path: string): string => path.replaceAll(/:\w+/g, "none");

describe.each(doors)("tokens, %s", (_name, open) => {
  const env: { door?: Door } = {};
  beforeAll(async () => {
    env.door = await open();
    return () => env.door?.close();
  });
  const ask = async (row: (typeof rows)[number], scope: string) => {
    const door = env.door ?? (await open());
    const { access_token } = await tokensFor(door, scope, { app: appOf(2) });
    const { method, path, body } = row.endpoint;
    return callAs(door, access_token, method, target(path), body && {});
  };

  test.each(rows)("$name: lets a token with $scope in", async (row) => {
    const told = await ask(row, row.scope);
    expect([401, 403], told.text).not.toContain(told.status);
  });

  test.each(rows)("$name: keeps out a token with every scope but $scope", async (row) => {
    const others = scopes.map(({ name }) => name).filter((it) => it !== row.scope);
    const told = await ask(row, others.join(" "));
    expect([told.status, errorCodeOf(jsonOf(told))]).toEqual([401, "Unauthorized"]);
    expect(told.text).toContain(row.scope);
  });
});

test("the endpoints of all four areas are among them", () => {
  const found = rows.map(({ scope }) => scope);
  expect([...new Set(found)].sort()).toEqual([
    "appstore:read",
    "appstore:write",
    "kakao:read",
    "kakao:write",
    "quota:read",
    "quota:write",
    "storage:read",
    "storage:write",
  ]);
});
