import { describe, expect, test } from "vitest";
import { controls } from "../../src/contract/sandbox.ts";
import { type Asked, doors, openForEach, start } from "./doors.ts";
import { errorCodeOf, jsonOf, replyOf } from "./replies.ts";

describe.each(doors)("control routes, %s", (_name, open) => {
  const door = openForEach(open);

  const ask = async (method: string, target: string, asked?: Asked) => {
    const { status, text } = await door.call(method, target, { signing: null, ...asked });
    return { status, ...JSON.parse(text) };
  };
  const send = (to: string, text = "hello") =>
    door.call("POST", "/messages/v4/send", {
      body: { message: { to, from: "0200000000", text } },
    });

  /** What its server had to do is another matter: asking changes it. */
  const settings = async () => {
    const { load: _, ...set } = await ask("GET", "/_sandbox/status");
    return set;
  };

  test("a new sandbox is set as the documents say", async () => {
    expect(await settings()).toEqual({
      status: 200,
      business: start,
      signing: start,
      clockOffsetMs: 0,
      signingSkewMs: 0,
      tickMs: 1000,
      rateLimit: null,
      secondFactor: "required",
      lenientDates: false,
      groupFields: "returned",
      seed: null,
      store: expect.stringMatching(/sandbox\.db$/),
    });
  });

  test("business time is set, advanced and moved back; signing time only skewed", async () => {
    const set = await ask("PUT", "/_sandbox/clock", { body: { set: "2026-02-01T00:00:00+09:00" } });
    expect(set).toMatchObject({ business: "2026-01-31T15:00:00.000Z", signing: start });
    door.clock.now = new Date("2026-01-05T09:00:10Z");
    expect(await ask("GET", "/_sandbox/clock")).toMatchObject({
      business: "2026-01-31T15:00:10.000Z",
      signing: "2026-01-05T09:00:10.000Z",
    });
    expect(await ask("PUT", "/_sandbox/clock", { body: { advance: "1d" } })).toMatchObject({
      business: "2026-02-01T15:00:10.000Z",
    });
    expect(await ask("PUT", "/_sandbox/clock", { body: { advance: "-2d" } })).toMatchObject({
      business: "2026-01-30T15:00:10.000Z",
    });
    expect(await ask("PUT", "/_sandbox/clock", { body: { skew: "10m" } })).toMatchObject({
      business: "2026-01-30T15:00:10.000Z",
      signing: "2026-01-05T09:10:10.000Z",
      signingSkewMs: 600_000,
    });
  });

  test.each([
    ["clock", { advance: "soon" }],
    ["clock", { set: "tomorrow" }],
    ["clock", { skew: 5 }],
    ["clock", { advance: "99999999d" }],
    ["clock", { advance: "27400d" }],
    ["settings", { balance: "much" }],
    ["settings", { balance: -1 }],
    ["settings", { quota: 1.5 }],
    ["settings", { tick: "-1s" }],
    ["settings", { rateLimit: -1 }],
    ["settings", { secondFactor: "maybe" }],
    ["settings", { accountId: "nobody", balance: 1 }],
    ["settings", { sender: "12" }],
  ])("PUT %s refuses %j and changes nothing", async (route, body) => {
    const before = await settings();
    const refused = await ask("PUT", `/_sandbox/${route}`, { body });
    expect(refused).toMatchObject({ status: 400, errorCode: "ValidationError" });
    expect(await settings()).toEqual(before);
  });

  test("a balance that is set to what it is already is no movement", async () => {
    const newest = () => ask("GET", "/cash/v1/balance/history?limit=1", { signing: {} });
    const before = await newest();
    await ask("PUT", "/_sandbox/settings", { body: { balance: 1_000_000, point: 5000 } });
    expect(await newest()).toEqual(before);
  });

  test("balance, points, quota, senders and behaviour can be set", async () => {
    const body = {
      balance: 500,
      point: 20,
      quota: 3,
      sender: "0212345678",
      tick: "0",
      rateLimit: 7,
      secondFactor: "off",
    };
    expect(await ask("PUT", "/_sandbox/settings", { body })).toMatchObject({
      status: 200,
      tickMs: 0,
      rateLimit: 7,
      secondFactor: "off",
    });
    const balance = await ask("GET", "/cash/v1/balance", { signing: {} });
    expect(balance).toMatchObject({ balance: 500, point: 20 });
    const { senders } = await ask("GET", "/_sandbox/accounts");
    expect(senders).toContainEqual({ accountId: "26010500000001", phoneNumber: "0212345678" });
  });

  test("a rate limit answers 429 with Retry-After, per key and second", async () => {
    await ask("PUT", "/_sandbox/settings", { body: { rateLimit: 2 } });
    const balance = () => door.call("GET", "/cash/v1/balance");
    expect([(await balance()).status, (await balance()).status]).toEqual([200, 200]);
    const refused = await balance();
    expect(refused.status).toBe(429);
    expect(errorCodeOf(jsonOf(refused))).toBe("TooManyRequests");
    expect(refused.headers["retry-after"]).toBe("1");
    door.clock.now = new Date("2026-01-05T09:00:01Z");
    expect((await balance()).status).toBe(200);
    await ask("PUT", "/_sandbox/settings", { body: { rateLimit: 0 } });
    expect(await ask("GET", "/_sandbox/status")).toMatchObject({ rateLimit: null });
  });

  test("a phone receives a message two ticks after it was sent, newest first", async () => {
    await send("01000000001", "first");
    await send("01000000002", "second");
    expect((await ask("GET", "/_sandbox/inbox")).messages).toEqual([]);
    await ask("PUT", "/_sandbox/clock", { body: { advance: "2s" } });
    const { messages, nextKey } = await ask("GET", "/_sandbox/inbox?limit=1");
    expect(messages).toMatchObject([{ to: "01000000002", text: "second", from: "0200000000" }]);
    const rest = await ask("GET", `/_sandbox/inbox?limit=1&startKey=${nextKey}`);
    expect(rest.messages).toMatchObject([{ text: "first" }]);
    for (const to of ["01000000001", "010-0000-0001"]) {
      const own = await ask("GET", `/_sandbox/inbox?to=${to}`);
      expect(own.messages).toMatchObject([{ text: "first" }]);
    }
  });

  test("a message that failed reached no phone", async () => {
    await send("01000003104");
    await ask("PUT", "/_sandbox/clock", { body: { advance: "1m" } });
    expect((await ask("GET", "/_sandbox/inbox?to=01000003104")).messages).toEqual([]);
  });

  test("the log names who asked for what and why it was refused, newest first, by page", async () => {
    await door.call("GET", "/cash/v1/balance?x=1");
    await door.call("GET", "/cash/v1/balance", { signing: null });
    await door.call("DELETE", "/nowhere");
    const page = await ask("GET", "/_sandbox/requests?limit=2");
    expect(page.requests).toMatchObject([
      {
        method: "DELETE",
        path: "/nowhere",
        status: 404,
        verdict: "ResourceNotFound",
        apiKey: null,
      },
      { status: 401, verdict: "Unauthorized", why: expect.stringContaining("Authorization") },
    ]);
    const rest = await ask("GET", `/_sandbox/requests?limit=2&startKey=${page.nextKey}`);
    expect(rest).toMatchObject({
      requests: [
        {
          time: start,
          apiKey: "SANDBOXKEY000001",
          accountId: "26010500000001",
          path: "/cash/v1/balance?x=1",
          status: 200,
          verdict: "ok",
          why: null,
        },
      ],
      nextKey: null,
    });
  });

  test("accounts are shown with their keys and secrets", async () => {
    const { accounts, keys } = await ask("GET", "/_sandbox/accounts");
    expect(accounts).toHaveLength(4);
    expect(keys).toContainEqual({
      accountId: "26010500000001",
      key: "SANDBOXKEY000001",
      secret: `SANDBOXSECRET${"0".repeat(19)}`,
      role: "OWNER",
      status: "ACTIVE",
      memberStatus: "ACTIVE",
    });
  });

  test("every assumption has an id of its own", async () => {
    const told = await door.call("GET", "/_sandbox/assumptions?limit=500");
    const ids = replyOf(controls.listAssumptions, jsonOf(told)).map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(0);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("reset forgets everything and puts clock and settings back", async () => {
    await send("01000000001");
    await ask("PUT", "/_sandbox/clock", { body: { advance: "1d", skew: "1m" } });
    await ask("PUT", "/_sandbox/settings", { body: { rateLimit: 5, balance: 0 } });
    expect(await ask("POST", "/_sandbox/reset")).toMatchObject({
      business: start,
      signing: start,
      rateLimit: null,
    });
    expect((await ask("GET", "/_sandbox/requests")).requests).toEqual([]);
    const balance = await ask("GET", "/cash/v1/balance", { signing: {} });
    expect(balance.balance).toBe(1_000_000);
  });

  test("the same seed gives the same bytes", async () => {
    const run = async () => {
      await ask("POST", "/_sandbox/reset", { body: { seed: 7 } });
      const sent = await send("01000000001");
      await ask("PUT", "/_sandbox/clock", { body: { advance: "5s" } });
      const list = await door.call("GET", "/messages/v4/list");
      const balance = await door.call("GET", "/cash/v1/balance");
      return [sent.text, list.text, balance.text];
    };
    const first = await run();
    door.clock.now = new Date("2026-03-01T00:00:00Z");
    expect(await run()).toEqual(first);
    expect(first[0]).toContain("M4V20260105180000");
  });
});
