import { describe, expect, test } from "vitest";
import { accountA, firstAlert, openEnv } from "../environment.ts";
import { errorCodeOf } from "../replies.ts";

describe("prices", () => {
  test("Korea where no country is named, without the prices that are not published", async () => {
    const env = await openEnv();
    expect((await env.call("GET", "/pricing/v1/messaging")).body).toEqual({
      countryId: "82",
      countryName: "Korea, South",
      sms: 20,
      lms: 50,
      mms: 200,
      ata: 19,
      cta: 13,
      cti: 20,
      dateCreated: "2026-01-01T00:00:00.000Z",
      dateUpdated: "2026-01-01T00:00:00.000Z",
    });
    const other = await env.call("GET", "/pricing/v1/messaging?countryId=239");
    expect(other.body).toMatchObject({ countryName: "Sao Tome and Principe", sms: 271 });
  });

  test("an unknown country is 400 InvalidCountryId", async () => {
    const env = await openEnv();
    const told = await env.call("GET", "/pricing/v1/messaging?countryId=9999");
    expect([told.status, errorCodeOf(told)]).toEqual([400, "InvalidCountryId"]);
  });
});

describe("fixtures", () => {
  test("account A begins with its balance, which 25 records explain", async () => {
    const env = await openEnv();
    expect((await env.call("GET", "/cash/v1/balance")).body).toEqual({
      accountId: accountA,
      balance: 1_000_000,
      point: 5000,
      minimumCash: 3000,
      rechargeTo: 50_000,
      rechargeTryCount: 0,
      autoRecharge: 0,
      lowBalanceAlert: firstAlert,
    });
    const records = env.rows<{ newBalance: number; newPoint: number; created: number }>(
      "SELECT newBalance, newPoint, created FROM ledger ORDER BY created",
    );
    expect(records).toHaveLength(25);
    expect(records.at(-1)).toMatchObject({ newBalance: 1_000_000, newPoint: 5000 });
    for (const { newBalance, newPoint, created } of records) {
      expect(Math.min(newBalance, newPoint)).toBeGreaterThanOrEqual(0);
      expect(created).toBeLessThan(env.clock.now.getTime());
    }
  });

  test("each key is who the documents say", async () => {
    const env = await openEnv();
    const keys = env.rows(
      `SELECT substr(apiKey, -1) AS n, substr(accountId, -1) AS account, role, m.status, k.status AS "key"
       FROM api_keys k JOIN members m USING (memberId, accountId) ORDER BY apiKey`,
    );
    expect(keys.map((row) => Object.values(row).join(" "))).toEqual([
      "1 1 OWNER ACTIVE ACTIVE",
      "2 1 DEVELOPER ACTIVE ACTIVE",
      "3 1 MEMBER ACTIVE ACTIVE",
      "4 2 OWNER ACTIVE ACTIVE",
      "5 3 OWNER ACTIVE ACTIVE",
      "6 4 OWNER ACTIVE ACTIVE",
      "7 1 OWNER ACTIVE DISABLED",
      "8 1 OWNER UNVERIFIED ACTIVE",
      "9 1 OWNER INACTIVE ACTIVE",
    ]);
    const secrets = env.rows<{ secret: string }>("SELECT secret FROM api_keys ORDER BY apiKey");
    expect(secrets.map(({ secret }) => secret).slice(0, 2)).toEqual([
      `SANDBOXSECRET${"0".repeat(19)}`,
      `SANDBOXSECRET${"0".repeat(18)}2`,
    ]);
    expect(secrets.every(({ secret }) => secret.length === 32)).toBe(true);
  });

  test("a reset removes what was done and leaves nothing behind", async () => {
    const env = await openEnv();
    const tables = env.rows<{ name: string }>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('signatures', 'requests')",
    );
    const snapshot = () =>
      JSON.stringify(tables.map(({ name }) => [name, env.rows(`SELECT * FROM ${name}`)]));
    const before = snapshot();
    await env.call("POST", "/messages/v4/send", {
      message: { to: "01012345678", from: "0200000000", text: "hello" },
    });
    await env.call("PUT", "/_sandbox/settings", {
      balance: 1,
      quota: 5,
      sender: "0311112222",
    });
    expect(snapshot()).not.toBe(before);
    await env.call("POST", "/_sandbox/reset", { seed: 1 });
    expect(snapshot()).toBe(before);
  });
});
