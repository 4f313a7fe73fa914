import { describe, expect, test } from "vitest";
import { authorization, type Signing, secretOf } from "../support/signer.ts";
import { type Asked, doors, openForEach, start } from "./doors.ts";
import { errorCodeOf, jsonOf } from "./replies.ts";

const balance = "/cash/v1/balance";
const salt = "abcdef0123456789abcdef0123456789";

describe.each(doors)("signature, %s", (_name, open) => {
  const door = openForEach(open);

  const outcome = async (asked: Asked = {}) => {
    const told = await door.call("GET", balance, asked);
    return `${told.status} ${errorCodeOf(jsonOf(told)) ?? "ok"}`;
  };
  const header = (value: string): Asked => ({ signing: null, headers: { authorization: value } });
  const signed = (signing: Signing): Asked => ({ signing });

  test("a request signed by the rules is answered", async () => {
    expect(await outcome()).toBe("200 ok");
  });

  test.each([
    ["no header", undefined],
    ["an unknown scheme", "HMAC-SHA1 apiKey=a, date=b, salt=c, signature=d"],
    ["an access token", "Bearer abc"],
    ["a partner sign-on", "sso abc"],
    ["a missing parameter", `HMAC-SHA256 apiKey=SANDBOXKEY000001, date=${start}, salt=${salt}`],
    ["an empty parameter", `HMAC-SHA256 apiKey=, date=${start}, salt=${salt}, signature=ab`],
    ["nothing but the scheme", "HMAC-SHA256"],
  ])("%s is 401 Unauthorized", async (_case, value) => {
    expect(await outcome(value === undefined ? { signing: null } : header(value))).toBe(
      "401 Unauthorized",
    );
  });

  test("an unknown key and a disabled one are 403 InvalidAPIKey", async () => {
    expect(await outcome(signed({ apiKey: "SANDBOXKEY000000" }))).toBe("403 InvalidAPIKey");
    expect(await outcome(signed({ apiKey: "SANDBOXKEY000007", secret: secretOf(7) }))).toBe(
      "403 InvalidAPIKey",
    );
  });

  test.each([
    [11, "400 ValidationError"],
    [12, "200 ok"],
    [64, "200 ok"],
    [65, "400 ValidationError"],
  ])("a salt of %i bytes: %s", async (size, expected) => {
    expect(await outcome(signed({ salt: "x".repeat(size) }))).toBe(expected);
  });

  test("a date that is none is 400 ValidationError", async () => {
    expect(await outcome(signed({ date: "yesterday" }))).toBe("400 ValidationError");
  });

  test.each([
    ["2026-01-05T08:45:01Z", "200 ok"],
    ["2026-01-05T08:45:00.001Z", "200 ok"],
    ["2026-01-05T08:45:00Z", "403 RequestTimeTooSkewed"],
    ["2026-01-05T09:14:59Z", "200 ok"],
    ["2026-01-05T09:15:00Z", "403 RequestTimeTooSkewed"],
    ["2026-01-05T18:00:00+09:00", "200 ok"],
    ["2026-01-05T09:00:00.123Z", "200 ok"],
    ["2026-01-05T18:00:00.123456+09:00", "200 ok"],
    ["2026-01-05 18:00:00", "200 ok"],
    ["2026-01-05T18:00:00.32400Z", "403 RequestTimeTooSkewed"],
  ])("S03: the date %s at 09:00:00Z: %s", async (date, expected) => {
    expect(await outcome(signed({ date }))).toBe(expected);
  });

  test("a wrong secret is 403 SignatureDoesNotMatch", async () => {
    expect(await outcome(signed({ secret: secretOf(2) }))).toBe("403 SignatureDoesNotMatch");
    const good = authorization({ date: start });
    expect(await outcome(header(`${good.slice(0, -1)}`))).toBe("403 SignatureDoesNotMatch");
  });

  test("HMAC-MD5 is taken as well", async () => {
    expect(await outcome(signed({ algorithm: "MD5" }))).toBe("200 ok");
  });

  test("the vectors computed with openssl verify", async () => {
    const vector = (date: string, signature: string, algorithm = "SHA256", salted = salt) =>
      header(
        `HMAC-${algorithm} apiKey=SANDBOXKEY000001, date=${date}, salt=${salted}, signature=${signature}`,
      );
    const vectors = [
      vector(
        "2026-01-05T09:00:00Z",
        "61e454d3ff800ba149c6355bed66dfbf1d96e6bf282ca9124a62430c11028968",
      ),
      vector(
        "2026-01-05T09:00:00.123Z",
        "70ec9ce301f1e38bf9479a683dbba1e0ce68423b6c590468c4e221eaca82ea04",
      ),
      vector(
        "2026-01-05T18:00:00+09:00",
        "4d818427aff671b3fbf83766f232bdcde3a9c1eafe21e80dedae7fdf1877b1b0",
      ),
      vector(
        "2026-01-05T09:00:00Z",
        "b75ff84819db09d3961e0ed6806592eabafc7fb6bdc49229307dcb0267f9b2b8",
        "SHA256",
        "abcdefghijkl",
      ),
      vector(
        "2026-01-05T09:00:00Z",
        "156f3b457dba54541fb9995f9821cc919fa14815413d244ddb5e9e52fee13cef",
        "SHA256",
        `${"0123456789".repeat(6)}0123`,
      ),
      vector("2026-01-05T09:00:00Z", "bc0e1a0024455d341c0fdfa255af42b7", "MD5"),
    ];
    for (const asked of vectors) expect(await outcome(asked)).toBe("200 ok");
  });

  test("names in any case and order, spaces or none, signature in capitals", async () => {
    const parts = (at: number) => {
      const text = authorization({ date: start, salt: `${"s".repeat(20)}${at}` });
      const [, key, date, salted, signature] =
        /apiKey=(\S+), date=(\S+), salt=(\S+), signature=(\S+)/.exec(text) ?? [];
      return { key, date, salted, signature: signature ?? "" };
    };
    const a = parts(1);
    const b = parts(2);
    const c = parts(3);
    for (const value of [
      `hmac-sha256 Apikey=${a.key},Date=${a.date},Salt=${a.salted},Signature=${a.signature}`,
      `HMAC-SHA256  signature=${b.signature} ,  salt=${b.salted}, date=${b.date}, ApiKey=${b.key}`,
      `HMAC-SHA256 apiKey=${c.key}, date=${c.date}, salt=${c.salted}, signature=${c.signature.toUpperCase()}`,
    ]) {
      expect(await outcome(header(value))).toBe("200 ok");
    }
  });

  test("a value may hold an equals sign", async () => {
    expect(await outcome(signed({ salt: "abc=def=ghi=jkl=" }))).toBe("200 ok");
  });

  test("S05: the same signature a second time is 403 DuplicatedSignature, in capitals too", async () => {
    const text = authorization({ date: start });
    expect(await outcome(header(text))).toBe("200 ok");
    expect(await outcome(header(text))).toBe("403 DuplicatedSignature");
    const [head, signature = ""] = text.split("signature=");
    expect(await outcome(header(`${head}signature=${signature.toUpperCase()}`))).toBe(
      "403 DuplicatedSignature",
    );
  });

  test("a signature is forgotten after 15 minutes", async () => {
    const text = authorization({ date: "2026-01-05T09:14:59Z" });
    expect(await outcome(header(text))).toBe("200 ok");
    door.clock.now = new Date("2026-01-05T09:14:59.999Z");
    expect(await outcome(header(text))).toBe("403 DuplicatedSignature");
    door.clock.now = new Date("2026-01-05T09:15:00Z");
    expect(await outcome(header(text))).toBe("200 ok");
  });

  test("a forged request does not use up a signature, and a refused one does not either", async () => {
    const text = authorization({ date: "2026-01-05T09:16:00Z" });
    expect(await outcome(header(text.replace("KEY000001", "KEY000002")))).not.toBe("200 ok");
    expect(await outcome(header(text))).toBe("403 RequestTimeTooSkewed");
    door.clock.now = new Date("2026-01-05T09:16:00Z");
    expect(await outcome(header(text))).toBe("200 ok");
  });

  test("the Date header is signing time, which a skew moves and an advance does not", async () => {
    const dateOf = async () => (await door.call("GET", "/_sandbox/clock")).headers.date;
    expect(await dateOf()).toBe("Mon, 05 Jan 2026 09:00:00 GMT");
    await door.call("PUT", "/_sandbox/clock", { body: { advance: "1h" } });
    expect(await dateOf()).toBe("Mon, 05 Jan 2026 09:00:00 GMT");
    expect(await outcome()).toBe("200 ok");
    await door.call("PUT", "/_sandbox/clock", { body: { skew: "-15m" } });
    expect(await dateOf()).toBe("Mon, 05 Jan 2026 08:45:00 GMT");
    expect(await outcome()).toBe("403 RequestTimeTooSkewed");
  });
});
