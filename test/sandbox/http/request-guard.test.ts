import { describe, expect, test } from "vitest";
import { rejectHead } from "../../../src/sandbox/http/request-guard.ts";

const knock = (target: string, ...rawHeaders: string[]) =>
  rejectHead({ target, rawHeaders }, 4610)?.status;

describe("B02: Host is checked first, on every path", () => {
  test.each(["127.0.0.1:4610", "localhost:4610", "LOCALHOST:4610", "[::1]:4610"])(
    "'%s' is this sandbox",
    (host) => {
      expect(knock("/cash/v1/balance", "Host", host)).toBeUndefined();
    },
  );

  test.each([
    "evil.example",
    "evil.example:4610",
    "127.0.0.1",
    "127.0.0.1:4611",
    "127.0.0.1.evil:4610",
    "localhost.evil:4610",
    "::1:4610",
    "user@127.0.0.1:4610",
  ])("'%s' is 421", (host) => {
    expect(knock("/cash/v1/balance", "Host", host)).toBe(421);
    expect(knock("/_sandbox/status", "host", host)).toBe(421);
  });

  test("no Host, an empty one, two of them, or an absolute target is 400", () => {
    expect(knock("/")).toBe(400);
    expect(knock("/", "Host", "")).toBe(400);
    expect(knock("/", "Host", "127.0.0.1:4610", "HOST", "127.0.0.1:4610")).toBe(400);
    expect(knock("http://127.0.0.1:4610/", "Host", "127.0.0.1:4610")).toBe(400);
    expect(knock("*", "Host", "127.0.0.1:4610")).toBe(400);
  });
});

describe("B03: control routes answer their own origin only", () => {
  const own = ["Host", "127.0.0.1:4610"];

  test("without Origin, or with their own, they answer", () => {
    expect(knock("/_sandbox/reset", ...own)).toBeUndefined();
    expect(knock("/_sandbox/reset", ...own, "Origin", "http://127.0.0.1:4610")).toBeUndefined();
    expect(knock("/_sandbox/reset", ...own, "Sec-Fetch-Site", "same-origin")).toBeUndefined();
  });

  test.each([
    ["Origin", "null"],
    ["Origin", "https://evil.example"],
    ["Origin", "http://127.0.0.1:4611"],
    ["Origin", "http://localhost:4610"],
    ["Sec-Fetch-Site", "cross-site"],
    ["Sec-Fetch-Site", "same-site"],
  ])("%s: %s is 403", (name, value) => {
    expect(knock("/_sandbox/reset", ...own, name, value)).toBe(403);
    expect(knock("/_sandbox/", ...own, name, value)).toBe(403);
  });

  test("routes of the service ask for a signature instead", () => {
    expect(knock("/messages/v4/send", ...own, "Origin", "https://evil.example")).toBeUndefined();
  });
});
