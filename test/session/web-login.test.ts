import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import { sandboxApp } from "../../src/config/sandbox-profiles.ts";
import { consent, go } from "../commands/auth/browser.ts";
import { untilStopped } from "../sandbox/doors.ts";
import { serveAll } from "../sandbox/serve.ts";
import { type Options, type Shell, shell } from "../support/msg.ts";

const clock = { ms: 0 };
const now = (): Date => new Date(Date.now() + clock.ms);
const served = serveAll({ now });

const login = (more = "") => `auth login --web --base-url ${served.url} ${more}`;

/** Nobody comes back in time, or somebody does: the five minutes never pass by themselves. */
const patient = (_ms: number, signal?: AbortSignal) =>
  signal?.aborted === false ? untilStopped(0, signal) : Promise.resolve();

const browsing = (choice?: Parameters<typeof consent>[1]): Options => ({
  wait: patient,
  now,
  open: async (address) => void (await go(await consent(address, choice))),
});

const kept = (msg: Shell) =>
  JSON.parse(readFileSync(join(msg.folder, "config", "credentials.json"), "utf8")).profiles;

const tokenRequests = async (): Promise<number> => {
  const told = await go(`${served.url}/_sandbox/requests?limit=500`);
  const { requests } = JSON.parse(told.text);
  return requests.filter((it: { path: string }) => it.path === "/oauth2/v1/access_token").length;
};

const faults = (method: string, body?: unknown) =>
  fetch(`${served.url}/_sandbox/faults`, {
    method,
    headers: { "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

const secretNames = ["code", "code_verifier", "client_secret", "access_token", "refresh_token"];

const secretsIn = (body: string): readonly string[] =>
  secretNames.flatMap((name) => JSON.parse(body)[name] ?? []);

/** A service that issues tokens, and answers anything else with all secrets that it got and gave. */
const openEcho = async () => {
  const secrets: string[] = [];
  const server = createServer(async (incoming, answer) => {
    answer.setHeader("content-type", "application/json");
    if (incoming.method !== "POST") {
      answer.statusCode = 400;
      answer.end(JSON.stringify({ errorCode: "Odd", errorMessage: secrets.join(" ") }));
      return;
    }
    const asked = await text(incoming);
    const given = await (await fetch(served.url + incoming.url, sent(asked))).text();
    // The shorter first: of a long text only the beginning is shown.
    secrets.push(...secretsIn(asked), ...secretsIn(given).toReversed());
    answer.end(given);
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return { url: `http://127.0.0.1:${port}`, secrets };
};

const sent = (body: string) => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body,
});

describe("msg auth login --web", () => {
  test("C06 an answer that repeats what it got and gave shows no secret", async () => {
    const echo = await openEcho();
    const msg = shell({ now, env: { MSG_AUTH_URL: echo.url } });
    const open = async (address: string) =>
      void (await go(await consent(address.replace(echo.url, served.url))));
    const app = `--client-id ${sandboxApp.clientId} --client-secret-stdin`;
    const line = `auth login --web --base-url ${echo.url} ${app}`;
    const ran = await msg(line, { ...browsing(), open, stdin: sandboxApp.clientSecret });
    expect(ran.err).toContain("the user could not be read");
    const [code = "", verifier = "", clientSecret = "", refresh = ""] = echo.secrets;
    for (const secret of [code, verifier, clientSecret, refresh])
      expect(ran.err).not.toContain(secret);
    const later = { now: () => new Date(now().getTime() + 86_500_000) };
    // One of the two renews the token, and the other takes it.
    const lists = ["message list --json", "message list --json"];
    const both = await Promise.all(lists.map((it) => msg(it, later)));
    expect([...both.map((it) => it.code), echo.secrets.length]).toEqual([10, 10, 7]);
    expect(both.some(({ err }) => !err.includes(refresh))).toBe(true);
    for (const token of echo.secrets.filter((it) => it.startsWith("ey")))
      for (const { err } of both) expect(err).not.toContain(token);
  });

  test("is logged in by the browser, shows the user, and keeps tokens for this user alone", async () => {
    const msg = shell({ now });
    const { code, err, json, out } = await msg(login("--json"), browsing());
    expect(code, err).toBe(0);
    expect(json()).toMatchObject({
      profile: "default",
      kind: "token",
      host: new URL(served.url).host,
      user: { memberId: "MEMSANDBOX0001", accountId: "26010500000001" },
    });
    const { accessToken, refreshToken, clientId } = kept(msg).default;
    expect(clientId).toBe("CID0SANDBOX00001");
    for (const secret of [accessToken, refreshToken]) expect(out + err).not.toContain(secret);
    expect((await msg("message list --json")).code).toBe(0);
    expect((await msg("auth status --json")).json()).toMatchObject({ kind: "token" });
  });

  test("a token is kept although the user cannot be read: the code is used up", async () => {
    const msg = shell({ now });
    const fault = { on: "GET /oauth2/v1/userprofile", do: "status:400", times: 1 };
    expect((await faults("POST", fault)).status).toBe(200);
    const { code, err, json } = await msg(login("--json"), browsing());
    await faults("DELETE");
    expect(code, err).toBe(0);
    expect(json()).toMatchObject({ user: null });
    expect(err).toMatch(/the user could not be read: (?!\w*Error)/);
    expect((await msg("message list --json")).code).toBe(0);
  });

  test("O11: a scope that was left out ends the call that needs it with 5, naming it", async () => {
    const msg = shell({ now });
    const without = ["message:write", "users.profile:read"];
    const { err: note } = await msg(login(), browsing({ without }));
    expect(note).toMatch(/not granted: users.profile:read, message:write; /);
    // The user is not asked for where that would be refused.
    expect(note).not.toContain("could not be read");
    expect((await msg("message list")).code).toBe(0);
    const { code, err } = await msg(
      "send --to 01000000001 --from 0200000000 --text hello -y --json",
    );
    expect(code).toBe(5);
    expect(JSON.parse(err).error).toMatchObject({ exitCode: 5, outcome: "refused" });
    expect(err).toContain("message:write");
    const { err: told } = await msg("send --to 01000000001 --from 0200000000 --text hello -y");
    expect(told).toMatch(/^error: not allowed: .*message:write/);
  });

  test("O11: the way to log in again names the profile that was named", async () => {
    const msg = shell({ now });
    await msg(login("-p first"), browsing());
    await msg(login("-p second"), browsing({ without: ["message:write"] }));
    const { err } = await msg("send -p second --to 01000000001 --from 0200000000 --text hello -y");
    expect(err).toMatch(/log in with it: msg auth login -p second --web --scope ".*message:write"/);
    const { err: known } = await msg("group delete G1 -p second -y");
    expect(known).toContain("msg auth login -p second --web");
  });

  test("O06: denied: exit 7 in clear words, nothing is stored", async () => {
    const msg = shell({ now });
    const { code, err } = await msg(login(), browsing({ decision: "deny" }));
    expect(code).toBe(7);
    expect(err).toContain("denied in the browser");
    expect((await msg("profile list")).out).toBe("");
  });

  test("O06: nobody comes back: exit 4 after five minutes", async () => {
    const waited: number[] = [];
    const wait = async (ms: number) => void waited.push(ms);
    const { code, err } = await shell({ now })(login(), { wait, open: async () => undefined });
    expect([code, waited]).toEqual([4, [300_000]]);
    expect(err).toContain("within five minutes");
  });

  test("O06: Ctrl-C: 130, and the port is closed", async () => {
    const stop = new AbortController();
    const back = { address: "" };
    const open = async (address: string) => {
      back.address = new URL(address).searchParams.get("redirect_uri") ?? "";
      stop.abort();
    };
    const { code } = await shell({ now })(login(), { wait: patient, open, signal: stop.signal });
    expect(code).toBe(130);
    await expect(go(back.address)).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });

  test("O01, O05: other requests and wrong states are refused, and the login still completes", async () => {
    const statuses: number[] = [];
    const open = async (address: string) => {
      const query = new URL(address).searchParams;
      const redirect = query.get("redirect_uri") ?? "";
      const state = query.get("state") ?? "";
      const knock = async (...args: Parameters<typeof go>) =>
        void statuses.push((await go(...args)).status);
      await knock(new URL("/favicon.ico", redirect).href);
      await knock(redirect);
      for (const wrong of ["", "wrong", `${state}x`, state.slice(1)])
        await knock(`${redirect}?code=evil-code&state=${wrong}`);
      const long = JSON.stringify({ code: "evil-code", state, more: "x".repeat(100_000) });
      await knock(redirect, { method: "POST", body: long }).catch(() => undefined);
      await knock(redirect, { method: "PUT" });
      await knock(`${redirect}?code=evil-code&state=${state}`, {
        headers: { host: "evil.example" },
      });
      for (let probe = 0; probe < 100; probe += 1) await knock(`${redirect}?probe=${probe}`);
      const { searchParams } = new URL(await consent(address));
      const body = JSON.stringify(Object.fromEntries(searchParams));
      await knock(redirect, { method: "POST", body });
    };
    const { code, err } = await shell({ now })(login(), { wait: patient, open, now });
    expect(code, err).toBe(0);
    expect(statuses.slice(0, 2)).toEqual([404, 404]);
    expect(statuses.slice(2, 6)).toEqual([400, 400, 400, 400]);
    expect(statuses.at(-1)).toBe(200);
    expect(statuses.filter((it) => it === 200)).toHaveLength(1);
  });

  test.each([
    ["the whole address", (location: string) => location],
    [
      "JSON",
      (location: string) => JSON.stringify(Object.fromEntries(new URL(location).searchParams)),
    ],
    ["the code alone", (location: string) => new URL(location).searchParams.get("code") ?? ""],
  ])("--no-browser takes %s", async (_what, form) => {
    const msg = shell({ now });
    const paste = async (said: string) =>
      form(await consent(/http\S+authorize\?\S+/.exec(said)?.[0] ?? ""));
    const { code, err, hidden } = await msg(login("--no-browser"), { paste });
    expect([code, hidden], err).toEqual([0, ["Address, JSON or code that came back:"]]);
    expect(kept(msg).default.kind).toBe("token");
  });

  test("O01: --no-browser refuses an address with another state", async () => {
    const { code, err } = await shell({ now })(login("--no-browser"), {
      stdin: "http://127.0.0.1/callback?code=stolen-code&state=other\n",
    });
    expect(code).toBe(4);
    expect(err).toContain("another login");
  });

  test.each([
    ["", "needs --client-id"],
    ["--client-id CID0SANDBOX00001", "needs the secret"],
  ])(
    "elsewhere the sandbox's app is not used to log in (%s): exit 2, and no browser opens",
    async (flags, needs) => {
      const opened: string[] = [];
      const open = async (address: string) => void opened.push(address);
      const line = `auth login --web --base-url https://api.example.test ${flags}`;
      const { code, err } = await shell({ now })(line, { ...browsing(), open });
      expect([code, err, opened]).toEqual([2, expect.stringContaining(needs), []]);
    },
  );

  test("a wrong client secret is told, and nothing is stored", async () => {
    const msg = shell({ now });
    const line = login("--client-id CID0SANDBOX00002 --client-secret-stdin");
    const { code, err } = await msg(line, { ...browsing(), stdin: "wrong-secret\n" });
    expect(code).toBe(4);
    expect(err).toContain("InvalidClient");
    expect(err).not.toContain("wrong-secret");
    expect((await msg("profile list")).out).toBe("");
  });

  test.each(["status:503", "drop-after"])("%s says nothing of the client: exit 9", async (kind) => {
    const fault = { on: "POST /oauth2/v1/access_token", do: kind, times: 1 };
    expect((await faults("POST", fault)).status).toBe(200);
    const { code, err } = await shell({ now })(login(), browsing());
    await faults("DELETE");
    expect(code, err).toBe(9);
    expect(err).toContain("no access token came: nothing was stored");
    expect(err).not.toContain("client id and secret");
  });
});

describe("a token that ends", () => {
  const loggedIn = async (): Promise<Shell> => {
    const msg = shell({ now });
    expect((await msg(login(), browsing())).code).toBe(0);
    return msg;
  };

  test("is renewed a minute early, once, and the refresh token is kept", async () => {
    const msg = await loggedIn();
    const before = kept(msg).default;
    const requests = await tokenRequests();
    clock.ms += 86_400_000 - 30_000;
    expect((await msg("message list")).code).toBe(0);
    expect((await msg("message list")).code).toBe(0);
    const after = kept(msg).default;
    expect(await tokenRequests()).toBe(requests + 1);
    expect(after.accessToken).not.toBe(before.accessToken);
    expect(after.refreshToken).toBe(before.refreshToken);
    expect(Date.parse(after.dateExpires)).toBeGreaterThan(Date.parse(before.dateExpires));
  });

  test("is renewed when the service is the first to see its end", async () => {
    const msg = await loggedIn();
    const behind = now();
    clock.ms += 86_500_000;
    expect((await msg("message list", { now: () => behind })).code).toBe(0);
  });

  test("O08: of two that meet its end at once, one renews it and both go on", async () => {
    const msg = await loggedIn();
    clock.ms += 86_500_000;
    const requests = await tokenRequests();
    const both = await Promise.all([
      msg("message list"),
      msg("message list --json"),
      msg("auth token"),
    ]);
    expect(both.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(await tokenRequests()).toBe(requests + 1);
  });

  test("auth refresh gets another; auth token prints it into a pipe and not on a terminal", async () => {
    const msg = await loggedIn();
    const before = (await msg("auth token")).out.trim();
    expect(before).toBe(kept(msg).default.accessToken);
    const env = { MSG_ACCESS_TOKEN: "opaque-token", MSG_BASE_URL: served.url };
    expect((await msg("auth token", { env })).out).toBe("opaque-token\n");
    const { code, out } = await msg("auth refresh --json");
    expect(code).toBe(0);
    expect(out).not.toContain(kept(msg).default.accessToken);
    expect(kept(msg).default.accessToken).not.toBe(before);
    const shown = await msg("auth token", { tty: 80 });
    expect([shown.code, shown.out]).toEqual([2, ""]);
  });

  test("of two that renew together the later one takes what the first got", async () => {
    const msg = await loggedIn();
    const requests = await tokenRequests();
    const both = await Promise.all([msg("auth refresh --json"), msg("auth refresh --json")]);
    const late = await msg("auth refresh --json");
    expect([...both, late].map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(await tokenRequests()).toBe(requests + 1);
    expect(late.err).toContain("a moment ago");
    expect(late.json()).toEqual(both[0].json());
  });

  test("auth status tells since when, until when and for what; auth logout what stays valid", async () => {
    const msg = await loggedIn();
    const { dateExpires, dateStored, scope } = kept(msg).default;
    const { json } = await msg("auth status --json");
    expect(json()).toMatchObject({ dateExpires, dateStored, scope, apiKeyTail: null });
    expect((await msg("auth status", { tty: 80 })).out).toMatch(/scope .*users:read /);
    const { err } = await msg("auth logout");
    expect(err).toContain(`the access token is still valid at ${new URL(served.url).host} until`);
  });

  test("a login that was revoked is told with how to log in again: exit 4", async () => {
    const msg = await loggedIn();
    await go(`${served.url}/_sandbox/reset`, { method: "POST", body: "{}" });
    const { code, err } = await msg("message list");
    expect(code).toBe(4);
    expect(err).toContain("msg auth login --web");
  });

  test("a profile with a key has no token to print or renew: exit 2", async () => {
    for (const line of ["auth token --sandbox", "auth refresh --sandbox"])
      expect((await shell()(line)).code).toBe(2);
  });
});
