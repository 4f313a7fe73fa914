import { describe, expect, test } from "vitest";
import { controls } from "../../../src/contract/sandbox.ts";
import { rejectForm } from "../../../src/sandbox/http/request-guard.ts";
import { createFormToken } from "../../../src/sandbox/pages/form-reader.ts";
import { exchange } from "../doors.ts";
import { jsonOf, replyOf } from "../replies.ts";
import { serveAll } from "../serve.ts";

const form = { "content-type": "application/x-www-form-urlencoded" };
const json = { "content-type": "application/json; charset=utf-8" };
const origin = "http://127.0.0.1:4610";

const write = (headers: Record<string, string>, text = "", method = "POST") =>
  rejectForm({
    ...{ method, target: "/_sandbox/reset", headers, address: "127.0.0.1" },
    body: Buffer.from(text),
  })?.status;

describe("what a browser sends to a control route", () => {
  test.each([
    ["JSON", json, "{}"],
    ["a form, even with a token of its page", form, "seed=1&token=right"],
    ["text", { "content-type": "text/plain" }, "{}"],
    ["nothing", {}, ""],
  ])("is 403 if it writes: %s", (_, type, text) => {
    expect(write({ ...type, origin }, text)).toBe(403);
    expect(write({ ...type, "sec-fetch-site": "same-origin" }, text)).toBe(403);
  });

  test("passes if it reads", () => {
    expect(write({ origin }, "", "GET")).toBeUndefined();
    expect(write({ origin }, "", "HEAD")).toBeUndefined();
  });
});

describe("a client that is no browser writes", () => {
  test("with JSON, or without a body", () => {
    expect(write(json, "{}")).toBeUndefined();
    expect(write({})).toBeUndefined();
  });

  test.each(["", "text/plain", "multipart/form-data; boundary=x", form["content-type"]])(
    "a body of type '%s', which a foreign form can have, is 403",
    (type) => {
      expect(write({ "content-type": type }, "{}")).toBe(403);
    },
  );
});

test("each start has a token of its own that cannot be guessed", () => {
  expect(createFormToken()).toMatch(/^[\w-]{32}$/);
  expect(createFormToken()).not.toBe(createFormToken());
});

describe("over a connection", () => {
  const served = serveAll();

  const offset = async () => {
    const told = await exchange(served.url, "GET", "/_sandbox/clock", {});
    return replyOf(controls.showClock, jsonOf(told)).clockOffsetMs;
  };
  const advance = (headers: Record<string, string>, text: string) =>
    exchange(served.url, "PUT", "/_sandbox/clock", headers, Buffer.from(text));

  test("B03: a rebound name without Origin, a foreign Origin, and a browser at the own one change nothing", async () => {
    const day = '{"advance":"1d"}';
    const { port } = new URL(served.url);
    const asked = [
      await advance({ ...json, host: `evil.example:${port}` }, day),
      await advance({ ...json, origin: "https://evil.example" }, day),
      await advance({ ...json, origin: "null" }, day),
      await advance({ ...json, origin: served.url }, day),
      await advance({ ...form, origin: served.url }, "advance=1d&token=guess"),
      await advance({ "content-type": "text/plain" }, day),
    ];
    expect(asked.map((it) => it.status)).toEqual([421, 403, 403, 403, 403, 403]);
    expect(JSON.parse(asked[3]?.text ?? "")).toMatchObject({
      errorCode: "Forbidden",
      errorMessage: expect.stringContaining("forms of the pages"),
    });
    expect(await offset()).toBe(0);
  });

  test("a client without Origin drives the sandbox with JSON", async () => {
    expect((await advance(json, '{"advance":"1d"}')).status).toBe(200);
    expect(await offset()).toBe(86_400_000);
  });
});
