import { createHash } from "node:crypto";
import { jwtVerify, SignJWT } from "jose";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { contract } from "../../src/contract/index.ts";
import {
  appOf,
  authorizeTarget,
  callAs,
  codeBody,
  codeFor,
  decide,
  exchangeFor,
  openPage,
  redirectUri,
  tokensFor,
  verdict,
} from "./apps.ts";
import { doors, openForEach } from "./doors.ts";
import { errorOf, jsonOf, replyOf } from "./replies.ts";

const secret = new TextEncoder().encode("sandbox-jwt-secret");

describe.each(doors)("OAuth2, %s", (_name, open) => {
  const door = openForEach(open);

  const pass = (ms: number): void => {
    door.clock.now = new Date(door.clock.now.getTime() + ms);
  };
  const asked = async (change: Readonly<Record<string, string | undefined>>) =>
    verdict(await door.call("GET", authorizeTarget(change), { signing: null }));

  describe("the request for consent", () => {
    test.each([
      ["no client id", { client_id: undefined }, "400 ValidationError"],
      ["no state", { state: undefined }, "400 ValidationError"],
      ["no scope", { scope: undefined }, "400 ValidationError"],
      ["response_type=token", { response_type: "token" }, "400 ValidationError"],
      ["an unknown client", { client_id: "CID0UNKNOWN00001" }, "400 InvalidClientId"],
      ["an inactive client", { client_id: appOf(3).id }, "400 InactiveClient"],
      ["an unknown scope", { scope: "message:read nothing:read" }, "400 InvalidScope"],
      ["O11: a scope that is not for apps", { scope: "cash:read" }, "400 InvalidScope"],
      ["two spaces between scopes", { scope: "message:read  message:write" }, "400 InvalidScope"],
      ["a challenge without its method", { code_challenge: "x" }, "400 ValidationError"],
      [
        "the first of several faults",
        { client_id: appOf(3).id, redirect_uri: "https://evil.example/", scope: "x" },
        "400 InactiveClient",
      ],
    ])("%s: refused, no redirect", async (_what, change, expected) => {
      expect(await asked(change)).toBe(expected);
    });

    test.each([
      "https://evil.example/callback",
      "http://127.0.0.1.evil/callback",
      "http://user@127.0.0.1/callback",
      "http://localhost./callback",
      "http://127.0.0.1/callback#fragment",
      "http://127.0.0.1@evil.example/",
      "javascript:alert(1)",
      "127.0.0.1/callback",
      "ftp://127.0.0.1/callback",
    ])("O04: redirect_uri %s: InvalidHostName", async (redirect_uri) => {
      expect(await asked({ redirect_uri })).toBe("400 InvalidHostName");
    });

    test("O04: the port may differ on loopback, and an empty redirect_uri is the registered one", async () => {
      for (const redirect_uri of ["http://127.0.0.1:65000/callback", ""])
        expect(await asked({ redirect_uri })).toBe("200");
      expect(await asked({ redirect_uri: undefined })).toBe("400 ValidationError");
    });

    test.each([
      ["http://127.0.0.1/콜백", "http://127.0.0.1/%EC%BD%9C%EB%B0%B1?code="],
      ["http://127.0.0.1/call\r\nback?a=1", "http://127.0.0.1/callback?a=1&code="],
    ])("the browser is led to %j as an address is written", async (redirect_uri, beginning) => {
      const told = await decide(door, await openPage(door, { redirect_uri }), {});
      expect(told.status, told.text).toBe(302);
      expect(told.headers.location?.slice(0, beginning.length)).toBe(beginning);
    });

    test("where redirect_uri was empty, the code goes to the registered address and names it", async () => {
      const told = await decide(door, await openPage(door, { redirect_uri: "" }), {});
      const [address, query] = told.headers.location?.split("?") ?? [];
      expect(address).toBe("http://127.0.0.1/callback");
      const body = codeBody(new URLSearchParams(query).get("code") ?? "");
      expect(verdict(await exchangeFor(door, body))).toBe("403 InvalidGrant");
      expect(verdict(await exchangeFor(door, { ...body, redirect_uri: address }))).toBe("200");
    });

    test("a redirect_uri with a query keeps it", async () => {
      const page = await openPage(door, { redirect_uri: `${redirectUri}?at=1` });
      const told = await decide(door, page, {});
      expect(told.headers.location).toMatch(/callback\?at=1&code=[\w-]+&state=nonce$/);
    });

    test("a client of the service itself may ask for every scope", async () => {
      expect(await asked({ client_id: appOf(2).id, scope: "cash:read cash:write" })).toBe("200");
    });

    test("a client that takes JSON and no page gets a code at once", async () => {
      const told = await door.call("GET", authorizeTarget(), {
        signing: null,
        headers: { accept: "application/json" },
      });
      const { code, state } = v.parse(
        v.object({ code: v.string(), state: v.string() }),
        replyOf(contract.authorize, jsonOf(told)),
      );
      expect(state).toBe("nonce");
      expect(verdict(await exchangeFor(door, codeBody(code)))).toBe("200");
    });
  });

  describe("the consent page", () => {
    test("lists each scope with a box, escapes what it is given, and loads nothing from elsewhere", async () => {
      const { told } = await openPage(door, { redirect_uri: "http://127.0.0.1:5000/<b>" });
      expect(told.text.match(/type="checkbox"/g)).toHaveLength(2);
      expect(told.text).not.toContain("<b>");
      expect(told.text).not.toContain("<script");
      const policy = told.headers["content-security-policy"];
      for (const part of [
        "default-src 'none'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'self' http://127.0.0.1:5000",
      ])
        expect(policy).toContain(part);
      expect(told.headers["set-cookie"]).toMatch(/HttpOnly; SameSite=Strict/);
    });

    test("Allow goes back with code and state, Deny with access_denied", async () => {
      const allowed = await decide(door, await openPage(door), { scopes: ["message:read"] });
      expect(allowed.status).toBe(302);
      expect(allowed.headers.location).toMatch(
        /^http:\/\/127\.0\.0\.1:5000\/callback\?code=[\w-]+&state=nonce$/,
      );
      const denied = await decide(door, await openPage(door), { decision: "deny" });
      expect(denied.headers.location).toBe(`${redirectUri}?error=access_denied&state=nonce`);
    });

    test("O11: a scope that is left out is not in the token; one that was not asked for neither", async () => {
      const page = await openPage(door);
      const told = await decide(door, page, { scopes: ["message:read", "pricing:read"] });
      const code = new URL(told.headers.location ?? "").searchParams.get("code") ?? "";
      const exchanged = await exchangeFor(door, codeBody(code));
      const { access_token } = replyOf(contract.getAccessToken, jsonOf(exchanged));
      const { payload } = await jwtVerify(access_token, secret, { currentDate: door.clock.now });
      expect(payload.scope).toBe("message:read");
    });

    test("O10: without its token, with a used one, or from another browser it is 403", async () => {
      const page = await openPage(door);
      const foreign = await openPage(door);
      expect(verdict(await decide(door, { ...page, token: "guess" }))).toBe("403 Forbidden");
      expect(verdict(await decide(door, { ...page, cookie: foreign.cookie }))).toBe(
        "403 Forbidden",
      );
      expect(verdict(await decide(door, page))).toBe("403 Forbidden");
      expect((await decide(door, foreign)).status).toBe(302);
      expect(verdict(await decide(door, foreign))).toBe("403 Forbidden");
    });

    test("O10: half an hour later it is 403", async () => {
      const page = await openPage(door);
      pass(1_800_000);
      expect(verdict(await decide(door, page))).toBe("403 Forbidden");
    });
  });

  describe("a code", () => {
    test("gives a token that lasts a day, for the member and the scopes", async () => {
      const code = await codeFor(door, "message:read users.profile:read");
      const exchanged = await exchangeFor(door, codeBody(code));
      const told = replyOf(contract.getAccessToken, jsonOf(exchanged));
      expect(told).toMatchObject({ token_type: "Bearer", expires_in: 86_400 });
      expect(told.refresh_token).toMatch(/^[\w-]{40}$/);
      const { payload, protectedHeader } = await jwtVerify(told.access_token, secret, {
        currentDate: door.clock.now,
      });
      expect(protectedHeader).toEqual({ alg: "HS256", typ: "JWT" });
      expect(payload).toMatchObject({
        memberId: "MEMSANDBOX0001",
        accountId: "26010500000001",
        clientId: appOf(1).id,
        scope: "message:read users.profile:read",
      });
      expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(86_400);
    });

    test.each([
      ["at 300 s", 300_000, "200"],
      ["O03: after 301 s", 301_000, "403 InvalidGrant"],
    ])("%s: %s", async (_what, ms, expected) => {
      const code = await codeFor(door, "message:read");
      pass(ms);
      expect(verdict(await exchangeFor(door, codeBody(code)))).toBe(expected);
    });

    test.each([
      [
        "O03: of another client",
        { client_id: appOf(2).id, client_secret: appOf(2).secret },
        "403 InvalidGrant",
      ],
      [
        "O03: another redirect_uri",
        { redirect_uri: "http://127.0.0.1:5001/callback" },
        "403 InvalidGrant",
      ],
      ["unknown", { code: "unknown" }, "403 InvalidGrant"],
      ["a wrong secret", { client_secret: "wrong" }, "400 InvalidClient"],
      ["an unknown client", { client_id: "CID0UNKNOWN00001" }, "400 InvalidClient"],
      ["no redirect_uri", { redirect_uri: undefined }, "400 ValidationError"],
      ["no secret", { client_secret: undefined }, "400 ValidationError"],
      ["no code", { code: undefined }, "400 ValidationError"],
      ["no grant", { grant_type: undefined }, "400 ValidationError"],
      ["another grant", { grant_type: "password" }, "400 ValidationError"],
      ["the client's own grant", { grant_type: "client_credentials" }, "400 ValidationError"],
    ])("%s: refused, and the code is still good", async (_what, change, expected) => {
      const code = await codeFor(door, "message:read");
      expect(verdict(await exchangeFor(door, { ...codeBody(code), ...change }))).toBe(expected);
      expect(verdict(await exchangeFor(door, codeBody(code)))).toBe("200");
    });

    test("O02: used twice, it is InvalidGrant, and the tokens of its first use are revoked", async () => {
      const code = await codeFor(door, "message:read");
      const exchanged = await exchangeFor(door, codeBody(code));
      const { access_token, refresh_token } = replyOf(contract.getAccessToken, jsonOf(exchanged));
      expect(verdict(await callAs(door, access_token, "GET", "/messages/v4/list"))).toBe("200");
      expect(verdict(await exchangeFor(door, codeBody(code)))).toBe("403 InvalidGrant");
      expect(verdict(await callAs(door, access_token, "GET", "/messages/v4/list"))).toBe(
        "401 Unauthorized",
      );
      const body = { grant_type: "refresh_token", refresh_token };
      expect(verdict(await exchangeFor(door, body))).toBe("400 InvalidRefreshToken");
    });

    test("a form and a Basic header are taken too", async () => {
      const { client_id, client_secret, ...rest } = codeBody(await codeFor(door, "message:read"));
      const basic = Buffer.from(`${client_id}:${client_secret}`).toString("base64");
      const told = await door.call("POST", "/oauth2/v1/access_token", {
        signing: null,
        bytes: Buffer.from(new URLSearchParams(rest).toString()),
        headers: {
          "content-type": "application/x-www-form-urlencoded",
          authorization: `Basic ${basic}`,
        },
      });
      expect(verdict(told)).toBe("200");
    });

    test("a Basic header with a wrong secret is InvalidClient, whatever the body says", async () => {
      const body = codeBody(await codeFor(door, "message:read"));
      const basic = Buffer.from(`${body.client_id}:wrong`).toString("base64");
      const told = await exchangeFor(door, body, { authorization: `Basic ${basic}` });
      expect(verdict(told)).toBe("400 InvalidClient");
    });

    test("asked for with a challenge, it needs the verifier", async () => {
      const verifier = "v".repeat(43);
      const code_challenge = createHash("sha256").update(verifier).digest("base64url");
      const page = await openPage(door, { code_challenge, code_challenge_method: "S256" });
      const told = await decide(door, page, { scopes: ["message:read"] });
      const body = codeBody(new URL(told.headers.location ?? "").searchParams.get("code") ?? "");
      expect(verdict(await exchangeFor(door, body))).toBe("403 InvalidGrant");
      const wrong = { ...body, code_verifier: "x".repeat(43) };
      expect(verdict(await exchangeFor(door, wrong))).toBe("403 InvalidGrant");
      expect(verdict(await exchangeFor(door, { ...body, code_verifier: verifier }))).toBe("200");
    });
  });

  describe("tokens", () => {
    test("a token ends after 24 hours; a refresh gives another and keeps the refresh token", async () => {
      const { access_token, refresh_token } = await tokensFor(door, "message:read");
      pass(86_399_000);
      expect(verdict(await callAs(door, access_token, "GET", "/messages/v4/list"))).toBe("200");
      pass(2_000);
      expect(verdict(await callAs(door, access_token, "GET", "/messages/v4/list"))).toBe(
        "401 Unauthorized",
      );
      const body = { grant_type: "refresh_token", refresh_token };
      for (let time = 0; time < 2; time += 1) {
        const exchanged = await exchangeFor(door, body);
        const renewed = replyOf(contract.getAccessToken, jsonOf(exchanged));
        expect(renewed).not.toHaveProperty("refresh_token");
        expect(verdict(await callAs(door, renewed.access_token, "GET", "/messages/v4/list"))).toBe(
          "200",
        );
      }
    });

    test("a refresh needs no client, keeps the scopes and brings a full day", async () => {
      const { refresh_token } = await tokensFor(door, "message:read");
      pass(1_000_000_000);
      const body = { grant_type: "refresh_token", refresh_token };
      const exchanged = await exchangeFor(door, body);
      const renewed = replyOf(contract.getAccessToken, jsonOf(exchanged));
      expect(renewed).toMatchObject({ token_type: "Bearer", expires_in: 86_400 });
      const { payload } = await jwtVerify(renewed.access_token, secret, {
        currentDate: door.clock.now,
      });
      expect(payload.scope).toBe("message:read");
    });

    test.each([
      ["unknown", { refresh_token: "unknown" }, "400 InvalidRefreshToken"],
      ["missing", {}, "400 ValidationError"],
    ])("a refresh token that is %s: %s", async (_what, given, expected) => {
      const body = { grant_type: "refresh_token", ...given };
      expect(verdict(await exchangeFor(door, body))).toBe(expected);
    });

    test.each(["bearer", "Bearer", "BEARER"])("the scheme '%s' is taken", async (scheme) => {
      const { access_token } = await tokensFor(door, "message:read");
      const headers = { authorization: `${scheme} ${access_token}` };
      const told = await door.call("GET", "/messages/v4/list", { signing: null, headers });
      expect(verdict(told)).toBe("200");
    });

    test("a missing scope is 401 and named", async () => {
      const { access_token } = await tokensFor(door, "message:read");
      const told = await callAs(door, access_token, "GET", "/pricing/v1/messaging");
      expect(verdict(told)).toBe("401 Unauthorized");
      expect(errorOf(jsonOf(told)).errorMessage).toContain("pricing:read");
    });

    test("a token that another secret signed, a changed one, none at all: 401", async () => {
      const { access_token } = await tokensFor(door, "message:read");
      const foreign = await new SignJWT({ exp: 9_999_999_999, jti: "x.y", scope: "message:read" })
        .setProtectedHeader({ alg: "HS256" })
        .sign(new TextEncoder().encode("another"));
      const [head, , seal] = access_token.split(".");
      const changed = `${head}.${Buffer.from('{"exp":9999999999,"jti":"x.y"}').toString("base64url")}.${seal}`;
      const none = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${access_token.split(".")[1]}.`;
      for (const token of [foreign, changed, none, "", "x"])
        expect(verdict(await callAs(door, token, "GET", "/messages/v4/list"))).toBe(
          "401 Unauthorized",
        );
    });

    test("a scheme without its token, and a choice of one, are refused in plain words", async () => {
      const bare = await callAs(door, "", "GET", "/messages/v4/list");
      expect(bare.text).toContain("needs an access token after 'bearer'");
      const query =
        "client_id=CID0SANDBOX00001&response_type=token&scope=message:read&redirect_uri=&state=s";
      const choice = await callAs(door, "", "GET", `/oauth2/v1/authorize?${query}`);
      expect(choice.text).toContain("'response_type' must be 'code'.");
    });

    test("the user profile takes a token with its scope, and no API key", async () => {
      const { access_token } = await tokensFor(door, "users.profile:read", {
        memberId: "MEMSANDBOX0002",
      });
      const told = await callAs(door, access_token, "GET", "/oauth2/v1/userprofile");
      expect(JSON.parse(told.text)).toMatchObject({
        memberId: "MEMSANDBOX0002",
        accountId: "26010500000001",
        status: "ACTIVE",
      });
      expect(verdict(await door.call("GET", "/oauth2/v1/userprofile"))).toBe("401 Unauthorized");
      const other = await tokensFor(door, "message:read");
      const refused = await callAs(door, other.access_token, "GET", "/oauth2/v1/userprofile");
      expect(verdict(refused)).toBe("401 Unauthorized");
      expect(refused.text).toContain("users.profile:read");
    });

    test("the sample token of the facts has a right signature, and no grant: 401", async () => {
      const sample =
        "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJtZW1iZXJJZCI6Ik1FTWExYjJjM2Q0ZTVmIiwiYWNjb3VudElkIjoiMjYwMTA1MDAwMDAwMDEiLCJjbGllbnRJZCI6IkNJRDBTQU5EQk9YMDAwMDEiLCJzY29wZSI6InVzZXJzLnByb2ZpbGU6cmVhZCBtZXNzYWdlOndyaXRlIiwiaWF0IjoxNzY3NjAzNjAwLCJleHAiOjE3Njc2OTAwMDB9.F2MTH-J6fvsnfb7xvWXcjh5OUTSzexmVe7RF2D8svHc";
      await jwtVerify(sample, secret, { currentDate: new Date("2026-01-05T09:00:00Z") });
      expect(verdict(await callAs(door, sample, "GET", "/messages/v4/list"))).toBe(
        "401 Unauthorized",
      );
    });
  });
});

describe("over HTTP alone", () => {
  test("O10: a consent form that another site posts is 403", async () => {
    const [, open] = doors[1];
    const door = await open();
    const page = await openPage(door);
    for (const headers of [
      { origin: "https://evil.example" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
    ])
      expect(verdict(await decide(door, page, { headers }))).toBe("403 Forbidden");
    expect(
      (await decide(door, page, { headers: { "sec-fetch-site": "same-origin" } })).status,
    ).toBe(302);
    await door.close();
  });
});
