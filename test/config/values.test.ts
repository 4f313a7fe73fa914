import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  hostOf,
  readers,
  readHost,
  readSwitch,
  readTimeout,
  wasRehearsed,
} from "../../src/config/settings.ts";
import { MsgError } from "../../src/errors.ts";

const refusal = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return error;
  }
};

describe("addresses of hosts", () => {
  test.each([
    ["https://api.example.com", "https://api.example.com"],
    ["https://api.example.com/", "https://api.example.com"],
    ["https://API.example.com:8443/v1//", "https://api.example.com:8443/v1"],
    ["http://127.0.0.1:4610/", "http://127.0.0.1:4610"],
    ["http://localhost:4610", "http://localhost:4610"],
    ["http://[::1]:4610", "http://[::1]:4610"],
  ])("%s", (typed, read) => {
    expect(readHost(typed, "--base-url")).toBe(read);
  });

  test.each([
    ["http://api.example.com", "not encrypted"],
    ["http://127.0.0.1.example.com", "not encrypted"],
    ["http://localhost.example.com", "not encrypted"],
    ["ftp://api.example.com", "is not the address of a host"],
    ["api.example.com", "is not the address of a host"],
    ["https://", "is not the address of a host"],
    ["", "is not the address of a host"],
    ["https://api.example.com/?a=1", "query"],
    ["https://api.example.com/#a", "query"],
  ])("'%s' is refused", (typed, says) => {
    expect(() => readHost(typed, "--base-url")).toThrow(says);
    expect(() => readHost(typed, "--base-url")).toThrow("--base-url");
  });

  test("a user name or password is refused and not repeated", () => {
    const error = refusal(() => readHost("https://me:hunter22@api.example.com", "MSG_BASE_URL"));
    expect(error).toBeInstanceOf(MsgError);
    expect(JSON.stringify(error) + String(error)).not.toContain("hunter22");
  });

  test("no text is taken that leads elsewhere than it says", () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl(), fc.string()), (typed) => {
        const read = refusal(() => readHost(typed, "x"));
        if (read instanceof MsgError) return;
        expect(hostOf(String(read))).toBe(new URL(typed).host);
        expect(readHost(String(read), "x")).toBe(read);
      }),
    );
  });
});

describe("lengths of time", () => {
  test.each([
    ["500ms", 500],
    ["30s", 30_000],
    ["1.5s", 1_500],
    ["2m", 120_000],
    ["24h", 86_400_000],
    ["1d", 86_400_000],
  ])("%s", (typed, ms) => {
    expect(readTimeout(typed, "--timeout")).toBe(ms);
  });
  test.each(["", "30", "0s", "0.1ms", "-1s", "25h", "0", "2d", "30 s", "1e3s", "soon"])(
    "'%s' is refused",
    (typed) => {
      expect(() => readTimeout(typed, "--timeout")).toThrow(`--timeout: '${typed}'`);
    },
  );
});

describe("other values", () => {
  test("formats, with the word that was meant", () => {
    expect(readers.output("jsonl", "-o")).toBe("jsonl");
    expect(() => readers.output("jsom", "-o")).toThrow("did you mean 'json'?");
    expect(() => readers.output("constructor", "-o")).toThrow("not an output format");
  });
  test("zones", () => {
    expect(readers.tz("Asia/Seoul", "--tz")).toBe("Asia/Seoul");
    expect(() => readers.tz("Asia/Soul", "--tz")).toThrow("'Asia/Soul' is not a time zone");
  });
  test("switches", () => {
    expect(["yes", "TRUE", "on", "1"].map((it) => readSwitch(it, "x"))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(["no", "False", "off", "0"].map((it) => readSwitch(it, "x"))).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(() => readSwitch("maybe", "x")).toThrow("neither yes nor no");
  });
  test("counts", () => {
    expect(readers.maxCost("1,000,000", "x")).toBe(1_000_000);
    for (const typed of ["", "-1", "1.5", "1e3", "many", "9".repeat(16)])
      expect(() => readers.maxCost(typed, "x")).toThrow("not a whole number");
  });
  test("senders are kept as digits", () => {
    expect(readers.from("02-1234-5678", "from")).toBe("0212345678");
    expect(() => readers.from("order", "from")).toThrow("not a phone number");
  });
});

test.each([
  ["http://127.0.0.1:4610", "0001", "wxyz", true],
  // A tunnel leads to the service.
  ["http://127.0.0.1:4610", "abcd", "wxyz", false],
  ["http://127.0.0.1:4610", "0001", "0001", false],
  ["https://api.example.com", "0001", "wxyz", false],
])(
  "a run at %s with the key %s, then one with the key %s: a rehearsal is %s",
  (baseUrl, key, later, is) => {
    expect(wasRehearsed({ baseUrl, key }, { baseUrl: "https://api.example.com", key: later })).toBe(
      is,
    );
  },
);
