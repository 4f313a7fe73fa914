import { createHash, createHmac, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Client } from "../../../src/client/client.ts";
import { newSalt, signature, signedHeader } from "../../../src/client/layers/authorization.ts";
import { toSeconds } from "../../../src/client/service-clock.ts";
import { getBalance, transferBalance } from "../../../src/contract/cash.ts";
import { endpoint } from "../../../src/contract/endpoint.ts";
import { anyone } from "../../../src/contract/needs.ts";
import { clientOf, failure, key, type Seen, service } from "../service.ts";

const secret = "SANDBOXSECRET0000000000000000000";
const salt = "abcdef0123456789abcdef0123456789";

/** Worked signatures of the service; vector 8 is HMAC-MD5, which clients never send. */
const vectors = [
  [
    1,
    secret,
    "2026-01-05T09:00:00Z",
    salt,
    "61e454d3ff800ba149c6355bed66dfbf1d96e6bf282ca9124a62430c11028968",
  ],
  [
    2,
    secret,
    "2026-01-05T09:00:00.123Z",
    salt,
    "70ec9ce301f1e38bf9479a683dbba1e0ce68423b6c590468c4e221eaca82ea04",
  ],
  [
    3,
    secret,
    "2026-01-05T18:00:00+09:00",
    salt,
    "4d818427aff671b3fbf83766f232bdcde3a9c1eafe21e80dedae7fdf1877b1b0",
  ],
  [
    4,
    "testSecret",
    "2025-09-14T12:34:56Z",
    "Abc123XYZ789abcdEFGHijklMNOPqr",
    "69607016f2059c0bcb97954551ec3a03323ada290e6c98ed1d15b0f34d51b1a1",
  ],
  [
    5,
    "TESTSECRETTESTSECRETTESTSECRET00",
    "2019-07-01T00:41:48Z",
    "jqsba2jxjnrjor",
    "778d831487b0cc1a7c2d831e8b8fb7d5ba92f4a88e17d6545bac3fab4f0872a4",
  ],
  [
    6,
    secret,
    "2026-01-05T09:00:00Z",
    "abcdefghijkl",
    "b75ff84819db09d3961e0ed6806592eabafc7fb6bdc49229307dcb0267f9b2b8",
  ],
  [
    7,
    secret,
    "2026-01-05T09:00:00Z",
    `${"0123456789".repeat(6)}0123`,
    "156f3b457dba54541fb9995f9821cc919fa14815413d244ddb5e9e52fee13cef",
  ],
  [
    9,
    "s",
    "2026-01-05T09:00:00Z",
    salt,
    "4463041087d867675fc05eda117ba1a455ae16dd71531d231f1b0270f48e8208",
  ],
] as const;

describe("signature", () => {
  test.each(vectors)(
    "vector %i of the service's documentation",
    (_, apiSecret, date, text, hex) => {
      expect(signature(apiSecret, date, text)).toBe(hex);
    },
  );

  test("the whole header of vector 1", () => {
    expect(signedHeader(key, "2026-01-05T09:00:00Z", salt)).toBe(
      `HMAC-SHA256 apiKey=SANDBOXKEY000001, date=2026-01-05T09:00:00Z, salt=${salt}, signature=${vectors[0][4]}`,
    );
  });

  test("the date is UTC to the second", () => {
    expect(toSeconds(new Date("2026-01-05T18:00:00.999+09:00"))).toBe("2026-01-05T09:00:00Z");
  });

  test("a salt is 32 characters that stand for every random bit", () => {
    expect(newSalt((size) => new Uint8Array(size).fill(255))).toBe("f".repeat(32));
    const salts = Array.from({ length: 1_000 }, () => newSalt(randomBytes));
    expect(new Set(salts).size).toBe(1_000);
    expect(salts.every((it) => /^[0-9a-f]{32}$/.test(it))).toBe(true);
  });
});

const parts = (header: string | undefined): Record<string, string> =>
  Object.fromEntries(
    [...(header ?? "").matchAll(/(\w+)=([^,]+)/g)].map(([, name = "", value = ""]) => [
      name,
      value,
    ]),
  );

describe("a date that is refused", () => {
  const minuteMs = 60_000;
  const skewed = {
    status: 403,
    body: JSON.stringify({ errorCode: "RequestTimeTooSkewed", errorMessage: "no" }),
  };
  const aheadBy = (minutes: number) => ({
    date: new Date(Date.now() + minutes * minuteMs).toUTCString(),
  });
  const transferred = (client: Client) =>
    client.call(transferBalance, { body: { targetAccountId: "A", amount: 1 } });
  const minutesOff = ({ headers }: Seen): number =>
    Math.round((Date.parse(parts(headers.authorization).date ?? "") - Date.now()) / minuteMs);

  test("a write is refused where reads are refused for this date and answered for another", async () => {
    const headers = aheadBy(20);
    const { url, seen } = await service(
      { ...skewed, headers },
      { ...skewed, headers },
      { headers, body: '{"balance":1}' },
    );
    const { client } = clientOf(url);
    expect(await failure(transferred(client))).toMatchObject({ exitCode: 4, outcome: "refused" });
    expect(seen.map(({ method }) => method)).toEqual(["POST", "GET", "GET", "GET"]);
    expect(seen.map(minutesOff)).toEqual([-5, -5, 15, 30]);
    await client.call(getBalance, {});
    expect(seen.map(minutesOff)[4]).toBe(15);
  });

  test.each([
    ["the service refuses the date that is outlying to it", skewed],
    ["a page stands in place of its word on that", { body: "<html>" }],
  ])("%s: the other date is not signed with from then on", async (_, word) => {
    const headers = aheadBy(20);
    const refused = { ...skewed, headers };
    const taken = { headers, body: '{"balance":1}' };
    const { url, seen } = await service(refused, refused, taken, { ...word, headers }, taken);
    const { client } = clientOf(url);
    await client.call(getBalance, {});
    await client.call(getBalance, {});
    expect(seen.map(minutesOff)).toEqual([-5, -5, 15, 30, -5]);
  });

  test.each([
    ["the read is answered", [{ body: '{"balance":1}' }]],
    ["the other date is refused too", [skewed, skewed]],
    ["something else answers the other date", [skewed, { status: 403, body: "<html>" }]],
    ["a page stands in place of the answer", [skewed, { body: "<html>" }]],
  ])("%s: what became of the write is unknown, and dates stay as they were", async (_, answers) => {
    const headers = aheadBy(20);
    const all = [skewed, ...answers, { body: '{"balance":1}' }].map((it) => ({ ...it, headers }));
    const { url, seen } = await service(...all);
    const { client } = clientOf(url);
    expect(await failure(transferred(client))).toMatchObject({ exitCode: 11, outcome: "unknown" });
    await client.call(getBalance, {});
    expect(seen.map(minutesOff).at(-1)).toBe(-5);
  });

  test.each([20, -120])(
    "a read is answered with the date of a clock %i minutes ahead",
    async (it) => {
      const headers = aheadBy(it);
      const refused = { ...skewed, headers };
      const { url, seen } = await service(refused, refused, { headers, body: '{"balance":1}' });
      await clientOf(url).client.call(getBalance, {});
      expect(seen.map(minutesOff)).toEqual([-5, -5, it - 5, it + 10]);
    },
  );

  test.each(["-271821-04-20T00:00:00Z", "+275760-09-13T00:00:00Z", "-000001-01-01T00:00:00Z"])(
    "a Date that no clock shows (%s) is none: a write is unknown, and dates stay as they were",
    async (date) => {
      const refused = { ...skewed, headers: { date } };
      const { url, seen } = await service(refused, { headers: { date }, body: '{"balance":1}' });
      const { client } = clientOf(url);
      expect(await failure(transferred(client))).toMatchObject({ exitCode: 11 });
      await client.call(getBalance, {});
      expect(seen.map(minutesOff)).toEqual([-5, -5]);
    },
  );
});

describe("what leaves", () => {
  test("each attempt carries a signature of its own that verifies", async () => {
    const { url, seen } = await service(
      { status: 503 },
      { status: 503 },
      { body: '{"balance":1}' },
    );
    await clientOf(url).client.call(getBalance, {});
    const signed = seen.map((it) => parts(it.headers.authorization));
    expect(new Set(signed.map((it) => it.signature)).size).toBe(3);
    for (const { date = "", salt: used = "", signature: given } of signed)
      expect(
        createHmac("sha256", key.apiSecret)
          .update(date + used)
          .digest("hex"),
      ).toBe(given);
  });

  test("a token travels as bearer", async () => {
    const { url, seen } = await service({ body: '{"balance":1}' });
    const credentials = { kind: "token", accessToken: createHash("sha1").digest("hex") } as const;
    await clientOf(url, { credentials }).client.call(getBalance, {});
    expect(seen[0]?.headers.authorization).toBe(`bearer ${credentials.accessToken}`);
  });

  test("an endpoint that is open to all gets no credentials", async () => {
    const { url, seen } = await service({ body: '{"balance":1}' });
    await clientOf(url).client.call(endpoint({ ...getBalance, needs: anyone }), {});
    expect(seen[0]?.headers.authorization).toBeUndefined();
  });

  test("without credentials nothing is sent: exit 4", async () => {
    const { url, seen } = await service({ body: '{"balance":1}' });
    const { client } = clientOf(url, { credentials: undefined });
    const error = await failure(client.call(getBalance, {}));
    expect(error).toMatchObject({ exitCode: 4, outcome: "not_sent" });
    expect(error.todo).toContain("msg auth login");
    expect(seen).toEqual([]);
  });
});
