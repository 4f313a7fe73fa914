/** An error says what, where and what to do; a script reads the same as JSON. */
import { describe, expect, test } from "vitest";
import { MsgError, type Problem, toMsgError, usageError } from "../../src/errors.ts";
import { type ErrorView, renderError } from "../../src/output/error.ts";
import { outTo, sink, type Terminal } from "./sink.ts";

const shown = async (error: unknown, view: Partial<ErrorView> = {}, terminal?: Terminal) => {
  const into = sink();
  await renderError(outTo(into, terminal), error, { json: false, ...view });
  return into.text();
};
const asJson = async (error: unknown): Promise<unknown> =>
  JSON.parse(await shown(error, { json: true }));

const refused = new MsgError("refused", "the sender number is not registered", {
  code: "NotRegistered",
  where: "400 NotRegistered, POST /messages/v4/send",
  todo: "register it, then run the same command",
  outcome: "refused",
  http: { status: 400, method: "POST", path: "/messages/v4/send" },
  api: { errorCode: "NotRegistered", errorMessage: "no" },
});

describe("for a person", () => {
  test("three lines: what, where, what to do", async () => {
    expect(await shown(refused)).toBe(
      "error: the sender number is not registered\n" +
        "  400 NotRegistered, POST /messages/v4/send\n" +
        "  register it, then run the same command\n",
    );
    expect(await shown(usageError("bad flag"))).toBe("error: bad flag\n");
  });

  test("colour where the stream has it", async () => {
    expect(await shown(usageError("x"), {}, { colour: true })).toBe(
      "\u001b[31merror:\u001b[39m x\n",
    );
  });

  test("the first ten problems, each with its place", async () => {
    const details: Problem[] = Array.from({ length: 12 }, (_, at) => ({
      code: "1031",
      text: `bad number '${at}'`,
      row: at + 1,
      line: at + 2,
      column: 3,
      field: "to",
    }));
    const text = await shown(usageError("12 rows are wrong", { details, todo: "mend the file" }));
    const lines = text.split("\n");
    expect(lines[1]).toBe("  row 1, line 2, column 3, to: bad number '0' (1031)");
    expect(lines[10]).toContain("row 10");
    expect(lines.slice(11)).toEqual([
      "  … the first 10 are shown; --json lists 12",
      "  mend the file",
      "",
    ]);
  });

  test("a problem without a place has none", async () => {
    const details = [
      { code: "Missing", text: "is missing", field: "--to" },
      { code: "X", text: "y" },
    ];
    expect(await shown(usageError("w", { details }))).toBe(
      "error: w\n  --to: is missing (Missing)\n  y (X)\n",
    );
  });

  test("T04 text of the service cannot touch the terminal, in any part", async () => {
    const evil = "\u001b[2J\u202e\nfake line\u009b";
    const details = [{ code: evil, text: evil, field: evil }];
    const text = await shown(new MsgError("refused", evil, { where: evil, todo: evil, details }));
    expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
    expect(text.split("\n")).toHaveLength(5);
  });

  test("T06 of a megabyte from the service 200 characters are shown", async () => {
    const long = "x".repeat(1_000_000);
    const http = { status: 500, method: "POST", path: "/" };
    const details = [{ code: "1", text: long }];
    const text = await shown(new MsgError("refused", long, { where: long, http, details }));
    expect(text.match(/x+/g)?.map((run) => run.length)).toEqual([200, 200, 200]);
    const own = await shown(usageError(`no such file '${"d/".repeat(200)}'`));
    expect(own).toContain("d/".repeat(200));
  });
});

describe("as JSON", () => {
  test("one line with every member that scripts rely on", async () => {
    expect(await shown(refused, { json: true })).toMatch(/^[^\n]+\n$/);
    expect(await asJson(refused)).toEqual({
      error: {
        code: "NotRegistered",
        message: "the sender number is not registered",
        hint: "register it, then run the same command",
        exitCode: 10,
        outcome: "refused",
        retryable: false,
        http: { status: 400, method: "POST", path: "/messages/v4/send" },
        api: { errorCode: "NotRegistered", errorMessage: "no" },
        details: [],
      },
    });
  });

  test("members without a value are null, mfa appears with a second factor", async () => {
    const mfa = { transactionId: "T1", authType: "SMS", destination: "010****1234" };
    expect(await asJson(new MsgError("forbidden", "needs a code", { mfa }))).toMatchObject({
      error: { hint: null, http: null, api: null, details: [], exitCode: 5, mfa },
    });
    expect(await asJson(usageError("x"))).not.toHaveProperty("error.mfa");
  });

  test("every problem is listed", async () => {
    const details = Array.from({ length: 25 }, (_, row) => ({ code: "1", text: "t", row }));
    expect(await asJson(usageError("x", { details }))).toMatchObject({ error: { details } });
  });

  test("T01 controls are escaped; T06 a huge body is cut in its texts", async () => {
    const text = await shown(
      new MsgError("refused", "a\u001b\u009b", { api: { note: "y".repeat(1_000_000), code: "E" } }),
      { json: true },
    );
    expect(text).not.toMatch(/(?!\n)\p{Cc}/u);
    expect(JSON.parse(text)).toMatchObject({
      error: { api: { note: `${"y".repeat(200)}…`, code: "E" } },
    });
  });
});

describe("what is no MsgError", () => {
  test("is a fault with an open outcome, and no stack", async () => {
    const text = await shown(new TypeError("x is undefined"));
    expect(text).toContain("error: fault in msg itself: x is undefined");
    expect(text).not.toContain("error.test.ts");
    expect(toMsgError("a text")).toMatchObject({ kind: "fault", exitCode: 1, outcome: "unknown" });
    expect(toMsgError(refused)).toBe(refused);
  });

  test("shows its stack with --debug, which other errors never do", async () => {
    expect(await shown(new TypeError("x"), { debug: true })).toContain("error.test.ts");
    expect(await shown(refused, { debug: true })).not.toContain("error.test.ts");
  });
});
