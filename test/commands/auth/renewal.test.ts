/** What becomes of a login when the answer to its renewal is not what was hoped for. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { service } from "../../client/service.ts";
import { rowsOf } from "../../faults/books.ts";
import { openLine, type Passing } from "../../faults/line.ts";
import { untilStopped, watchedWaits } from "../../sandbox/doors.ts";
import { serveAll } from "../../sandbox/serve.ts";
import { hurried } from "../../support/clock.ts";
import { type Shell, shell } from "../../support/msg.ts";
import { secretOf } from "../../support/signer.ts";
import { consent, go } from "./browser.ts";

/** The service's clock; that of `msg` stays right. */
const clock = { ms: 0 };
const now = (): Date => new Date(Date.now() + clock.ms);
const served = serveAll({ now });
const tokenPath = "/oauth2/v1/access_token";

/** Logged in by the browser. Waiting between two attempts takes no time. */
const loggedIn = async (url = served.url): Promise<Shell> => {
  const msg = shell({ ...hurried() });
  await logIn(msg, url);
  return msg;
};

const logIn = async (msg: Shell, url: string, memberId = "MEMSANDBOX0001", name = "default") => {
  const { code, err } = await msg(`auth login --web -p ${name} --base-url ${url}`, {
    wait: (_ms, signal) => untilStopped(0, signal ?? new AbortController().signal),
    open: async (address) => void (await go(await consent(address, { memberId }))),
  });
  expect(code, err).toBe(0);
};

const bytesOf = (msg: Shell): string =>
  readFileSync(join(msg.folder, "config", "credentials.json"), "utf8");
const kept = (msg: Shell, name = "default") => JSON.parse(bytesOf(msg)).profiles[name];

const limitBody = (status: number): string =>
  status === 429 ? '{"errorCode":"TooManyRequests","errorMessage":"slow down"}' : "";

describe("O07: the answer to a renewal", () => {
  test.each([
    ["is cut", "truncate", { retryable: true, api: null }],
    ["is lost", "drop-after", { retryable: true, api: null }],
    ["is a 500", "status:500", { retryable: true, api: null }],
    ["is no JSON", "garbage", { code: "UnreadableAnswer" }],
  ])(
    "%s: not a byte of the login changes, and the next attempt renews it",
    async (_what, fault, error) => {
      const msg = await loggedIn();
      const before = bytesOf(msg);
      const body = JSON.stringify({ on: `POST ${tokenPath}`, do: fault });
      await go(`${served.url}/_sandbox/faults`, { method: "POST", body });
      const failed = await msg("auth refresh --json");
      expect(failed.code).not.toBe(0);
      expect(failed.out).toBe("");
      expect(JSON.parse(failed.err).error).toMatchObject(error);
      expect(bytesOf(msg)).toBe(before);
      await go(`${served.url}/_sandbox/faults`, { method: "DELETE" });
      expect((await msg("auth refresh")).code).toBe(0);
      expect(kept(msg).accessToken).not.toBe(JSON.parse(before).profiles.default.accessToken);
    },
  );

  test.each([
    [429, "TooManyRequests", 10],
    // Anyone between here and the service may redirect once it has renewed the login.
    [302, "HTTP_302", 11],
  ])(
    "is a %i: the login is not called over, and the next attempt renews it",
    async (status, code, exit) => {
      const isLimited = { now: false };
      const line = await openLine({
        to: served.url,
        harm: ({ path }) =>
          path === tokenPath && isLimited.now
            ? { status, headers: { "content-type": "application/json" }, body: limitBody(status) }
            : undefined,
      });
      const msg = await loggedIn(line.baseUrl);
      isLimited.now = true;
      const failed = await msg("auth refresh --json");
      expect([failed.code, JSON.parse(failed.err).error.code]).toEqual([exit, code]);
      expect(failed.err).not.toContain("has expired");
      isLimited.now = false;
      expect((await msg("auth refresh")).code).toBe(0);
      await line.stop();
    },
  );

  test("is not waited for, for the operator stops: 130, and the login is not called over", async () => {
    const stop = new AbortController();
    const isStopping = { now: false };
    const line = await openLine({
      to: served.url,
      harm: ({ path }) => {
        if (path !== tokenPath || !isStopping.now) return undefined;
        stop.abort();
        return "dropAfter";
      },
    });
    const msg = await loggedIn(line.baseUrl);
    isStopping.now = true;
    const { code, err } = await msg("auth refresh --json", { signal: stop.signal });
    await line.stop();
    expect([code, err], err).toEqual([130, expect.not.stringContaining("has expired")]);
  });

  test("does not come, for no one listens there: the login is not called over", async () => {
    const msg = await loggedIn();
    const { code, err } = await msg(
      `auth refresh --base-url ${served.url} --auth-url http://127.0.0.1:9`,
    );
    expect([code, err], err).toEqual([9, expect.not.stringContaining("has expired")]);
  });

  const answers = (reply: unknown) => service({ body: JSON.stringify(reply) });
  const refresh = async (msg: Shell, reply: unknown) =>
    msg(`auth refresh --base-url ${served.url} --auth-url ${(await answers(reply)).url}`);

  test("has no expires_in: the token is kept with the end that it tells itself", async () => {
    const msg = await loggedIn();
    const before = kept(msg);
    const claims = Buffer.from('{"exp":4102444800,"scope":"message:read"}').toString("base64url");
    const access_token = `x.${claims}.y`;
    expect((await refresh(msg, { access_token })).code).toBe(0);
    expect(kept(msg)).toEqual({
      ...before,
      accessToken: access_token,
      scope: "message:read",
      dateExpires: "2100-01-01T00:00:00.000Z",
      dateRenewed: expect.any(String),
    });
  });

  test.each([undefined, null, 1e300, "soon"])(
    "says that it ends in %j seconds, and the token does not say when: no end is kept, nor that of the one before",
    async (expires_in) => {
      const msg = await loggedIn();
      const before = kept(msg);
      const ran = await refresh(msg, { access_token: "opaque-1", expires_in });
      expect([ran.code, ran.err], ran.err).toEqual([0, ""]);
      const { accessToken, dateExpires, scope } = kept(msg);
      expect({ accessToken, dateExpires, scope }).toEqual({
        accessToken: "opaque-1",
        scope: before.scope,
      });
    },
  );

  test("brings a token that ends at a time that no date shows: it is kept without an end", async () => {
    const msg = await loggedIn();
    const claims = Buffer.from('{"exp":1e20,"scope":"message:read"}').toString("base64url");
    expect((await refresh(msg, { access_token: `x.${claims}.y` })).code).toBe(0);
    const status = await msg("auth status --json");
    expect([status.code, status.json()], status.err).toEqual([
      0,
      expect.objectContaining({ dateExpires: null, scope: null }),
    ]);
  });

  test("brings a new refresh token: both are kept for this profile alone, and the new one is asked with", async () => {
    const msg = await loggedIn();
    await logIn(msg, served.url, "MEMSANDBOX0004", "other");
    const other = kept(msg, "other");
    const reply = { access_token: "opaque-1", refresh_token: "refresh-2", expires_in: 60 };
    expect((await refresh(msg, reply)).code).toBe(0);
    const { dateExpires, dateRenewed, ...renewed } = kept(msg);
    expect(renewed).toMatchObject({ accessToken: "opaque-1", refreshToken: "refresh-2" });
    expect(Date.parse(dateExpires)).toBe(Date.parse(dateRenewed) + 60_000);
    expect(kept(msg, "other")).toEqual(other);
    const next = await answers({ access_token: "opaque-2" });
    const later = () => new Date(Date.now() + 10_000);
    await msg(`auth refresh --base-url ${served.url} --auth-url ${next.url}`, { now: later });
    expect(next.seen[0]?.body).toContain("refresh-2");
    expect(kept(msg)).toMatchObject({ accessToken: "opaque-2", refreshToken: "refresh-2" });
  });

  test.each([
    ["without an access token", { refresh_token: "refresh-2", expires_in: 60 }],
    ["with an access token that is no text", { access_token: 1, refresh_token: "refresh-2" }],
  ])("brings a new refresh token %s: neither is kept", async (_what, reply) => {
    const msg = await loggedIn();
    const before = bytesOf(msg);
    expect((await refresh(msg, reply)).code).not.toBe(0);
    expect(bytesOf(msg)).toBe(before);
  });
});

describe("while it is on its way, an operator", () => {
  /** `act` happens when the service has answered the renewal, and msg does not know it yet. */
  const renewing = async (act: string) => {
    const line = await openLine({
      to: served.url,
      on: async ({ path }, moment) => {
        if (path !== tokenPath || moment !== "performed") return;
        const { code, err } = await msg(act, { stdin: secretOf(1) });
        expect(code, err).toBe(0);
      },
    });
    const msg = await loggedIn(served.url);
    const before = kept(msg);
    const refresh = await msg(`auth refresh --auth-url ${line.baseUrl}`);
    await line.stop();
    return { before, refresh, profiles: JSON.parse(bytesOf(msg)).profiles };
  };

  test("logs out: the profile stays logged out", async () => {
    expect((await renewing("auth logout")).profiles).toEqual({});
  });

  test("logs in to another account: its login stays", async () => {
    const words = `auth login --api-key SANDBOXKEY000001 --secret-stdin --base-url ${served.url}`;
    const { profiles } = await renewing(words);
    expect(profiles.default).toMatchObject({ kind: "key", apiKey: "SANDBOXKEY000001" });
  });

  test("renames the profile: the renewed login is under its new name", async () => {
    const { before, profiles } = await renewing("profile rename default work");
    expect(Object.keys(profiles)).toEqual(["work"]);
    expect(profiles.work.refreshToken).toBe(before.refreshToken);
    expect(profiles.work.accessToken).not.toBe(before.accessToken);
  });
});

test("O09: a token that ends in the middle of send-many is renewed once, the chunk goes on, and no row is sent twice", async () => {
  const isChunk = ({ path }: Passing) => path === "/messages/v4/send-many";
  const line = await openLine({
    to: served.url,
    on: (passing, moment) => {
      if (isChunk(passing) && moment === "answered" && clock.ms === 0) clock.ms = 86_500_000;
    },
  });
  const msg = await loggedIn(line.baseUrl);
  const asked = line.requests.length;
  const run = await msg(
    "send-many - --from 0200000000 --text x --direct --chunk 10 --concurrency 1 --json",
    { stdin: rowsOf(50) },
  );
  expect(run.code, run.err).toBe(0);
  const later = line.requests.slice(asked);
  expect(later.filter(({ path }) => path === tokenPath)).toHaveLength(1);
  // Five chunks, and the one that was refused once more.
  expect(later.filter(isChunk)).toHaveLength(6);
  const listed = await msg("message list --all -o tsv --no-header --fields to");
  const numbers = listed.out.trim().split("\n");
  expect([numbers.length, new Set(numbers).size]).toEqual([50, 50]);
  await line.stop();
});

test("a login without a refresh token ends with its token: no other is asked for", async () => {
  const line = await openLine({ to: served.url });
  const msg = await loggedIn(line.baseUrl);
  const { refreshToken: _, ...login } = kept(msg);
  const path = join(msg.folder, "config", "credentials.json");
  writeFileSync(path, JSON.stringify({ version: 1, profiles: { default: login } }));
  clock.ms += 86_500_000;
  const asked = line.requests.length;
  expect((await msg("message list")).code).toBe(4);
  expect(line.requests.slice(asked).map((it) => it.path)).toEqual(["/messages/v4/list"]);
  await line.stop();
});

test("requests at once that meet the end of a token ask for one other, and all of them go on", async () => {
  const isChunk = ({ path }: Passing) => path === "/messages/v4/send-many";
  const ended = { yet: false };
  const line = await openLine({
    to: served.url,
    on: (passing, moment) => {
      if (!isChunk(passing) || moment !== "arrived" || ended.yet) return;
      ended.yet = true;
      clock.ms += 86_500_000;
    },
  });
  const msg = await loggedIn(line.baseUrl);
  const asked = line.requests.length;
  const words = "send-many - --from 0200000000 --text v --direct --chunk 10 --concurrency 5 --json";
  const { code, err, json } = await msg(words, { stdin: rowsOf(50, 900) });
  expect([code, json()], err).toMatchObject([0, { accepted: 50, unknown: 0 }]);
  const later = line.requests.slice(asked);
  expect(later.filter(({ path }) => path === tokenPath)).toHaveLength(1);
  expect(later.filter(isChunk)).toHaveLength(10);
  await line.stop();
});

test("nothing keeps the process once an operator stopped a command whose token was renewed", async () => {
  const stop = new AbortController();
  const line = await openLine({
    to: served.url,
    on: ({ path }, moment) => {
      if (path === "/messages/v4/list" && moment === "arrived" && isRenewed()) stop.abort();
    },
  });
  const isRenewed = () => line.requests.filter(({ path }) => path === tokenPath).length > asked;
  const msg = await loggedIn(line.baseUrl);
  const asked = line.requests.filter(({ path }) => path === tokenPath).length;
  clock.ms += 86_500_000;
  const { waits, wait } = watchedWaits();
  const { code } = await msg("message list", { signal: stop.signal, wait });
  await line.stop();
  expect([code, isRenewed(), [...waits]]).toEqual([130, true, []]);
});

test("a run whose profile is logged in to another account meanwhile sends nothing more", async () => {
  const state = { isOther: false };
  const line = await openLine({
    to: served.url,
    on: async ({ path }, moment) => {
      if (path !== "/messages/v4/send-many" || moment !== "performed" || state.isOther) return;
      state.isOther = true;
      clock.ms += 86_500_000;
      await logIn(msg, line.baseUrl, "MEMSANDBOX0004");
    },
  });
  const msg = await loggedIn(line.baseUrl);
  const words = "send-many - --from 0200000000 --text z --direct --chunk 10 --concurrency 1 --json";
  const run = await msg(words, { stdin: rowsOf(50, 800) });
  expect([run.code, JSON.parse(run.err.trim().split("\n").at(-1) ?? "").error?.code]).toEqual([
    4,
    "OtherLogin",
  ]);
  const resumed = await msg("send-many --resume last --yes");
  expect([resumed.code, resumed.err]).toEqual([2, expect.stringContaining("26010500000002")]);
  expect((await msg("message list --all -o tsv --no-header")).out).toBe("");
  await line.stop();
});

test.each([
  ["send --once k1 --to 01050000901", "send --once k1 --to 01050000901"],
  ["send --to 01050000902 --to 01050000903", "send-many --resume last --yes"],
])("%s without an answer is not taken up by another account", async (first, then) => {
  const state: { service?: "silent" | "back" } = {};
  const line = await openLine({
    to: served.url,
    harm: ({ path }) => {
      if (state.service === undefined && !path.endsWith("/send")) return undefined;
      if (state.service !== undefined) return state.service === "silent" ? "dropBefore" : undefined;
      state.service = "silent";
      return "dropAfter";
    },
  });
  const msg = await loggedIn(line.baseUrl);
  const rest = "--from 0200000000 --text w --settle 0s --json";
  const lost = await msg(`${first} ${rest}`);
  expect(lost.code, lost.err).toBe(11);
  state.service = "back";
  await logIn(msg, line.baseUrl, "MEMSANDBOX0004");
  const other = await msg(then.startsWith("send ") ? `${then} ${rest}` : then);
  expect([other.code, other.err]).toEqual([2, expect.stringContaining("26010500000002")]);
  await line.stop();
});

test("a renewal that is lost in the middle of a run is asked for again: what is in doubt is settled", async () => {
  const isSend = ({ path }: Passing) => path.endsWith("/send");
  const lost = { sends: 0, renewals: 0 };
  const line = await openLine({
    to: served.url,
    harm: (passing) => {
      if (isSend(passing) && lost.sends++ === 0) return "dropAfter";
      if (lost.sends > 0 && passing.path === tokenPath && lost.renewals++ === 0)
        return "dropBefore";
      return undefined;
    },
    on: (passing, moment) => {
      // The token ends while the answer is on its way.
      if (isSend(passing) && moment === "performed" && lost.sends === 1) clock.ms += 86_500_000;
    },
  });
  const msg = await loggedIn(line.baseUrl);
  const words = "send-many - --from 0200000000 --text y --staged --settle 3s --json";
  const run = await msg(words, { stdin: rowsOf(3, 700) });
  expect(run.code, run.err).toBe(0);
  expect(lost.renewals).toBe(2);
  await line.stop();
});
