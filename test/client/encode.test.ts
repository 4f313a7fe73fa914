import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encode, queryText } from "../../src/client/codec.ts";
import { MsgError } from "../../src/errors.ts";
import { listByKey, readFile, registerCard, removeCard } from "../contract/samples.ts";

const text = (body: Uint8Array | undefined): string => Buffer.from(body ?? []).toString();

describe("path", () => {
  test("parameters are percent-encoded whole", () => {
    const wire = encode(readFile, { params: { fileId: "a/b?c#d", part: "한글" } });
    expect(wire.target).toBe("/storage/v1/files/a%2Fb%3Fc%23d/parts/%ED%95%9C%EA%B8%80");
  });

  test.each(["", ".", ".."])("'%s' is no id: it would change the path", (fileId) => {
    expect(() => encode(readFile, { params: { fileId, part: "1" } })).toThrow(MsgError);
  });

  test("every id comes back out of the path as it went in", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: "grapheme" }), (fileId) => {
        fc.pre(fileId !== "." && fileId !== "..");
        const { target } = encode(readFile, { params: { fileId, part: "1" } });
        expect(decodeURIComponent(target.split("/")[4] ?? "")).toBe(fileId);
        expect(target.split("/")).toHaveLength(7);
      }),
    );
  });
});

describe("query", () => {
  test("bare values, operators and lists", () => {
    const { target } = encode(listByKey, {
      query: {
        status: "DONE",
        dateCreated: { gte: "2026-01-01T00:00:00Z", lt: undefined },
        kind: { in: ["SMS", "LMS"] },
        limit: 20,
        startKey: undefined,
      },
    });
    expect(target).toBe(
      "/cash/v1/withdraw?status=DONE&dateCreated%5Bgte%5D=2026-01-01T00%3A00%3A00Z&kind%5Bin%5D=%5B%22SMS%22%2C%22LMS%22%5D&limit=20",
    );
  });

  test("nothing to ask leaves no question mark", () => {
    expect(queryText({ status: undefined, kind: {} })).toBe("");
  });

  test("every value is read back by any parser of addresses", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.string()), (query) => {
        expect(Object.fromEntries(new URLSearchParams(queryText(query)))).toEqual({ ...query });
      }),
    );
  });
});

describe("body", () => {
  test("JSON as bytes with their length, also for DELETE", () => {
    const wire = encode(removeCard, { body: { paymentId: "카드" } });
    expect(wire.method).toBe("DELETE");
    expect(text(wire.body)).toBe('{"paymentId":"카드"}');
    expect(wire.headers).toMatchObject({
      "content-type": "application/json",
      "content-length": String(wire.body?.length),
    });
    expect(wire.headers["user-agent"]).toMatch(/^msg\/\d+\.\d+\.\d+/);
  });

  test("no body, no content type", () => {
    const wire = encode(registerCard, {});
    expect(wire.body).toBeUndefined();
    expect(Object.keys(wire.headers)).toEqual(["user-agent"]);
  });

  test("a read asks caches to ask the service", () => {
    expect(encode(listByKey, {}).headers).toMatchObject({ "cache-control": "no-cache" });
  });
});
