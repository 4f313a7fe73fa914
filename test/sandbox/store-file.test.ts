import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Method } from "../../src/contract/wire.ts";
import { openSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { openDatabase } from "../../src/sandbox/store/driver.ts";
import { authorization } from "../support/signer.ts";
import { start, untilStopped } from "./doors.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "msg-sandbox-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = (checkAnswers = true): Sandbox =>
  openSandbox({
    file: join(folder, "sandbox.db"),
    now: () => new Date(start),
    wait: untilStopped,
    checkAnswers,
  });

const ask = async (sandbox: Sandbox, method: Method, target: string, body?: object) => {
  const headers = {
    "content-type": "application/json",
    authorization: authorization({ date: start }),
  };
  const bytes = body && Buffer.from(JSON.stringify(body));
  const answer = await sandbox.send(
    { method, target, headers, body: bytes },
    new AbortController().signal,
  );
  return { status: answer.status, ...JSON.parse(Buffer.from(answer.body).toString()) };
};

describe("a sandbox in a file", () => {
  test("B07: two of them on one file share clock, settings and signatures", async () => {
    const [one, other] = [open(), open()];
    await ask(one, "PUT", "/_sandbox/clock", { advance: "1d" });
    expect((await ask(other, "GET", "/_sandbox/clock")).business).toBe("2026-01-06T09:00:00.000Z");
    const used = authorization({ date: start });
    const balance = (sandbox: Sandbox) =>
      sandbox.send(
        { method: "GET", target: "/cash/v1/balance", headers: { authorization: used } },
        new AbortController().signal,
      );
    expect((await balance(one)).status).toBe(200);
    expect((await balance(other)).status).toBe(403);
    one.close();
    other.close();
  });

  test("what was sent is there when it is opened again", async () => {
    const first = open();
    const message = { to: "01000000001", from: "0200000000", text: "hello" };
    const { messageId } = await ask(first, "POST", "/messages/v4/send", { message });
    first.close();
    const second = open();
    const { messageList } = await ask(second, "GET", `/messages/v4/list?messageId=${messageId}`);
    expect(Object.keys(messageList)).toEqual([messageId]);
    second.close();
  });

  test("a fault of the sandbox is 500 InternalError, undoes the request, and its text is logged", async () => {
    const sandbox = open(false);
    const database = openDatabase(join(folder, "sandbox.db"));
    database.exec("DROP TABLE prices");
    database.close();
    expect(await ask(sandbox, "GET", "/pricing/v1/messaging")).toMatchObject({
      status: 500,
      errorCode: "InternalError",
    });
    const { requests } = await ask(sandbox, "GET", "/_sandbox/requests");
    expect(requests).toMatchObject([
      { status: 500, verdict: "InternalError", why: expect.stringContaining("prices") },
    ]);
    sandbox.close();
  });
});
