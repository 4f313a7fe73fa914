/** Who may do what: every endpoint, every caller of the sandbox, by key and by token of each scope. */
import { expect, test } from "vitest";
import type { Endpoint } from "../../src/contract/endpoint.ts";
import { contract } from "../../src/contract/index.ts";
import type { Needs } from "../../src/contract/needs.ts";
import { share } from "../support/share.ts";
import { authorization, secretOf } from "../support/signer.ts";
import { appOf, callAs, tokensFor, verdict } from "./apps.ts";
import { type Door, doors } from "./doors.ts";

/** The callers of the fixtures, once more and by hand. */
const callers = [
  { n: 1, role: "OWNER" },
  { n: 2, role: "DEVELOPER" },
  { n: 3, role: "MEMBER" },
  { n: 4, role: "OWNER", unverified: true },
  { n: 5, role: "OWNER", account: "Inactive" },
  { n: 6, role: "OWNER", account: "Deleted" },
  { n: 8, role: "OWNER", member: "Unverified" },
  { n: 9, role: "OWNER", member: "Inactive" },
] as const;

interface Caller {
  readonly n: number;
  readonly role: string;
  readonly unverified?: boolean;
  readonly account?: string;
  readonly member?: string;
}

/** What each role includes, once more and by hand: R read, W read and write, - neither. */
const roles: Readonly<Record<string, readonly [developer: string, member: string]>> = {
  message: ["W", "W"],
  senderid: ["R", "R"],
  cash: ["R", "R"],
  pricing: ["R", "R"],
  appstore: ["W", "R"],
  oauth2: ["W", "-"],
  notification: ["R", "R"],
  iam: ["R", "-"],
  kakao: ["W", "R"],
  quota: ["R", "R"],
};

const lacksRole = ({ role }: Caller, needed: string | undefined): boolean => {
  if (needed === undefined || role === "OWNER") return false;
  const [, area = "", access] = /^role-(\w+):(\w+)$/.exec(needed) ?? [];
  const granted = roles[area]?.[role === "DEVELOPER" ? 0 : 1];
  return !(granted === "W" || (granted === "R" && access === "read"));
};

/** The refusal that a caller meets: account, member, role, then authentication; undefined where it may. */
const refusalOf = (
  needs: Needs,
  caller: Caller,
  scopes?: readonly string[],
): string | undefined => {
  const { account, member, unverified } = caller;
  const isKey = scopes === undefined;
  if (isKey && needs.credentials === "token") return "401 Unauthorized";
  if (!isKey && needs.scope !== undefined && !scopes.includes(needs.scope))
    return "401 Unauthorized";
  if (account === "Deleted" || (account && needs.account)) return `403 ${account}Account`;
  if (member && needs.member) return `403 ${member}Member`;
  if (lacksRole(caller, needs.role)) return "403 Forbidden";
  return unverified && needs.authentication ? "403 AccountNotAuthenticated" : undefined;
};

const permissionErrors =
  /^40[13] (Unauthorized|Forbidden|\w+Account|\w+Member|AccountNotAuthenticated|InvalidAPIKey)$/;

/** Requests that reach the permission checks and nothing behind validation: bodies are nonsense. */
const knock = (endpoint: Endpoint) => ({
  method: endpoint.method,
  target: endpoint.path.replaceAll(/:\w+/g, "x"),
  body: endpoint.body && [],
});

const guarded = Object.entries<Endpoint>(contract).filter(
  ([, it]) => it.needs.credentials !== "none",
);

const compare = (name: string, found: string, expected: string | undefined): string[] => {
  if (expected !== undefined)
    return found === expected ? [] : [`${name}: ${found}, not ${expected}`];
  return permissionErrors.test(found) ? [`${name}: ${found}, but it is allowed`] : [];
};

const asKey = async (door: Door, endpoint: Endpoint, n: number): Promise<string> => {
  const { method, target, body } = knock(endpoint);
  const date = door.clock.now.toISOString();
  const signing = { apiKey: `SANDBOXKEY00000${n}`, secret: secretOf(n), date };
  const headers = { authorization: authorization(signing) };
  return verdict(await door.call(method, target, { signing: null, headers, body }));
};

test("every endpoint asks every API key for its row: statuses, role and authentication", async () => {
  const door = await doors[0][1]();
  const wrong: string[] = [];
  for (const [name, endpoint] of guarded)
    for (const caller of callers) {
      const needs = { ...endpoint.alsoNeeds, ...endpoint.needs };
      const found = await asKey(door, endpoint, caller.n);
      wrong.push(...compare(`${name} by key ${caller.n}`, found, refusalOf(needs, caller)));
    }
  for (const [name, endpoint] of guarded)
    wrong.push(...compare(`${name} by key 7`, await asKey(door, endpoint, 7), "403 InvalidAPIKey"));
  expect(wrong).toEqual([]);
  await door.close();
});

test("every endpoint asks every token for its row, and for the scope first", async () => {
  const door = await doors[0][1]();
  const wrong: string[] = [];
  const needed = guarded.flatMap(([, it]) => it.needs.scope ?? it.alsoNeeds?.scope ?? []);
  const scopes = [...new Set([...needed, "notification:read"])];
  for (const [turn, caller] of callers.entries())
    for (const scope of share(scopes, 6, turn)) {
      const memberId = `MEMSANDBOX000${caller.n}`;
      const { access_token } = await tokensFor(door, scope, { app: appOf(2), memberId });
      for (const [name, endpoint] of guarded) {
        const needs = { ...endpoint.alsoNeeds, ...endpoint.needs };
        const { method, target, body } = knock(endpoint);
        const found = verdict(await callAs(door, access_token, method, target, body));
        const expected = refusalOf(needs, caller, [scope]);
        wrong.push(...compare(`${name} by member ${caller.n} with ${scope}`, found, expected));
      }
    }
  expect(wrong).toEqual([]);
  await door.close();
});
