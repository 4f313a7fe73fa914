import { once } from "node:events";
import { createServer } from "node:http";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { retryAfterMs } from "../../../src/client/codec.ts";
import { type Failure, retryDelay } from "../../../src/client/layers/retry.ts";
import { getBalance } from "../../../src/contract/cash.ts";
import { createGroup, deleteGroup } from "../../../src/contract/groups.ts";
import { sendMessage } from "../../../src/contract/messages.ts";
import { registerCard } from "../../contract/samples.ts";
import { clientOf, closedPort, failure, type Reply, type Service, service } from "../service.ts";

const delays = (given: Omit<Failure, "effect"> & Partial<Failure>, random = 1) =>
  [1, 2, 3, 4, 5].map((attempt) => retryDelay(attempt, { effect: "safe", ...given }, random));

describe("which failure is tried again, and when", () => {
  const none = [undefined, undefined, undefined, undefined, undefined];
  const thrice = [500, 1_000, undefined, undefined, undefined];

  test.each([
    ["a read, its answer cut off", { fault: "lost" }, [500, 1_000, 2_000, 4_000, undefined]],
    ["a read without an answer in time", { fault: "late" }, thrice],
    ["a read, 5xx", { fault: "failed" }, thrice],
    ["a read never connected", { fault: "unreached" }, thrice],
    ["a write never connected", { effect: "unsafe", fault: "unreached" }, thrice],
    ["a write without an answer", { effect: "unsafe", fault: "lost" }, none],
    ["a settling write without an answer", { effect: "settling", fault: "lost" }, none],
    ["a write, 5xx", { effect: "unsafe", fault: "failed" }, none],
    ["a read with too large an answer", { fault: "oversized" }, none],
    ["a read, 429", { fault: "limited" }, [1_250, 2_500, 5_000, 10_000, undefined]],
    [
      "a write that settles, 429",
      { effect: "settling", fault: "limited" },
      [1_250, 2_500, 5_000, 10_000, undefined],
    ],
    [
      "a write, 429: a gateway may have said so behind it",
      { effect: "unsafe", fault: "limited" },
      none,
    ],
  ] as const)("%s", (_, given, expected) => {
    expect(delays(given)).toEqual(expected);
  });

  test("S03 Retry-After is waited for as long as it says, up to a minute", () => {
    expect(delays({ fault: "limited", retryAfterMs: 2_000 })[0]).toBe(2_000);
    expect(delays({ fault: "limited", retryAfterMs: 60_000 })[0]).toBe(60_000);
    expect(delays({ fault: "limited", retryAfterMs: 60_001 })[0]).toBeUndefined();
  });

  test("jitter spreads over the whole delay", () => {
    expect(delays({ fault: "failed" }, 0).slice(0, 2)).toEqual([0, 0]);
    expect(delays({ fault: "failed" }, 0.5).slice(0, 2)).toEqual([250, 500]);
  });

  test("no write that reached the service is ever repeated", () => {
    const reached = fc.record({
      effect: fc.constantFrom("unsafe", "settling"),
      fault: fc.constantFrom("lost", "late", "oversized", "failed"),
    } as const);
    fc.assert(
      fc.property(
        reached,
        fc.integer({ min: 1, max: 9 }),
        fc.double(),
        (given, attempt, random) => {
          expect(retryDelay(attempt, given, random)).toBeUndefined();
        },
      ),
    );
  });
});

describe("S03 Retry-After", () => {
  const now = new Date("2026-01-05T09:00:00Z");

  test.each([
    ["2", 2_000],
    [" 120 ", 120_000],
    ["Mon, 05 Jan 2026 09:00:05 GMT", 5_000],
    ["Mon, 05 Jan 2026 08:00:00 GMT", 0],
    ["soon", undefined],
    [undefined, undefined],
  ])("%s", (header, ms) => {
    expect(retryAfterMs(header, now)).toBe(ms);
  });
});

const limited = (headers: Reply["headers"] = {}): Reply => ({
  status: 429,
  headers,
  body: '{"errorCode":"TooManyRequests","errorMessage":"slow down"}',
});
const balance: Reply = { body: '{"balance":1}' };
const created: Reply = { body: '{"groupId":"G1"}' };
const sent: Reply = { body: '{"groupId":"G1","messageId":"M1"}' };
const message = { body: { message: { to: "01000000001", from: "0200000000", text: "a" } } };

describe("attempts on the line", () => {
  test("S03 a group that was told to wait is created again and is answered", async () => {
    const { url, seen } = await service(limited({ "retry-after": "2" }), created);
    const { client, waits } = clientOf(url);
    expect(await client.call(createGroup, { body: {} })).toMatchObject({ groupId: "G1" });
    expect(waits).toEqual([2_000]);
    expect(seen).toHaveLength(2);
  });

  test("S03 a date is measured by the service's clock, not by this machine's", async () => {
    const date = "Mon, 05 Jan 2026 09:00:00 GMT";
    const { url } = await service(
      limited({ date, "retry-after": "Mon, 05 Jan 2026 09:00:07 GMT" }),
      balance,
    );
    const { client, waits } = clientOf(url);
    await client.call(getBalance, {});
    expect(waits).toEqual([7_000]);
  });

  test("S03 an absurd time is not waited for, but told: exit 10", async () => {
    const { url, seen } = await service(limited({ "retry-after": "86400" }));
    const { client, waits } = clientOf(url);
    const error = await failure(client.call(sendMessage, message));
    expect(error).toMatchObject({ exitCode: 10, outcome: "refused", retryable: true });
    expect(error.todo).toContain("1 d");
    expect([waits, seen.length]).toEqual([[], 1]);
  });

  test("S04 429 for ever ends after five tries: exit 10, nothing done", async () => {
    const { url, seen } = await service(limited());
    const { client, waits } = clientOf(url);
    const error = await failure(client.call(createGroup, { body: {} }));
    expect(error).toMatchObject({ exitCode: 10, outcome: "refused", code: "TooManyRequests" });
    expect(seen).toHaveLength(5);
    expect(waits.map((ms) => Math.floor(Math.log2(ms / 1_000)))).toEqual([0, 1, 2, 3]);
  });

  test("429 without a body counts as a limit of rate", async () => {
    const { url, seen } = await service({ status: 429 }, balance);
    await clientOf(url).client.call(getBalance, {});
    expect(seen).toHaveLength(2);
  });

  test("429 with a code of its own goes out once", async () => {
    const { url, seen } = await service({
      status: 429,
      body: '{"errorCode":"TooManyMFAAttempts"}',
    });
    await failure(clientOf(url).client.call(getBalance, {}));
    expect(seen).toHaveLength(1);
  });

  test("a write that was told to wait may have been done, though the next attempt never left", async () => {
    const server = createServer((_, response) => response.writeHead(429).end());
    await once(server.listen(0, "127.0.0.1"), "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const wait = async (): Promise<void> => {
      server.close();
      server.closeAllConnections();
    };
    const { client } = clientOf(`http://127.0.0.1:${port}`, { wait });
    const error = await failure(client.call(createGroup, { body: {} }));
    expect(error).toMatchObject({ exitCode: 11, outcome: "unknown" });
    expect(error.where).toContain("ECONNREFUSED");
  });

  test("a refusal behind a 429 that anything may have written proves nothing: exit 11", async () => {
    const deleted: Reply = {
      status: 400,
      body: '{"errorCode":"DeletedGroup","errorMessage":"The group is DELETED."}',
    };
    const outcomeBehind = async (...first: readonly Reply[]): Promise<unknown> => {
      const { url, seen } = await service(...first, deleted);
      const call = clientOf(url).client.call(deleteGroup, { params: { groupId: "G1" } });
      const { exitCode, outcome, http } = await failure(call);
      return [exitCode, outcome, http?.status, seen.length];
    };
    const gateway: Reply = { status: 429, body: "<html>slow down</html>" };
    expect(await outcomeBehind(gateway)).toEqual([11, "unknown", 429, 2]);
    expect(await outcomeBehind(limited(), gateway)).toEqual([11, "unknown", 429, 3]);
    expect(await outcomeBehind(limited())).toEqual([10, "refused", 400, 2]);
  });

  test("429 of a second factor is never repeated", async () => {
    const { url, seen } = await service(limited({ "retry-after": "1" }));
    const body = { cardNumber: "4", cvc: "1", expYear: 30 };
    await failure(clientOf(url).client.call(registerCard, { body }));
    expect(seen).toHaveLength(1);
  });

  test("a read that fails twice with 5xx succeeds", async () => {
    const { url, seen } = await service({ status: 500 }, { status: 502, body: "<html>" }, balance);
    expect(await clientOf(url).client.call(getBalance, {})).toEqual({ balance: 1 });
    expect(seen).toHaveLength(3);
  });

  describe("a line that doubles a request and gives the answer of the copy", () => {
    const seenBefore: Reply = { status: 401, body: '{"errorCode":"DuplicatedSignature"}' };
    const salts = (seen: Service["seen"]): unknown[] =>
      seen.map((it) => /salt=\w+/.exec(it.headers.authorization ?? "")?.[0]);

    test("a read goes out again, each time under a new signature", async () => {
      const { url, seen } = await service(seenBefore, seenBefore, balance);
      expect(await clientOf(url).client.call(getBalance, {})).toEqual({ balance: 1 });
      expect(new Set(salts(seen)).size).toBe(3);
    });

    test("a read ends after five tries: exit 4", async () => {
      const { url, seen } = await service(seenBefore);
      const error = await failure(clientOf(url).client.call(getBalance, {}));
      expect(error).toMatchObject({ exitCode: 4, code: "DuplicatedSignature" });
      expect(seen).toHaveLength(5);
    });

    test("a read under a signature of the caller goes out once", async () => {
      const { url, seen } = await service(seenBefore, balance);
      const signature = { date: "2026-01-05T09:00:00Z", salt: "a".repeat(32) };
      await failure(clientOf(url).client.call(getBalance, {}, { signature }));
      expect(seen).toHaveLength(1);
    });

    test("a write goes out once: unknown, exit 11", async () => {
      const { url, seen } = await service(seenBefore, sent);
      const error = await failure(clientOf(url).client.call(sendMessage, message));
      expect(error).toMatchObject({ exitCode: 11, outcome: "unknown" });
      expect(seen).toHaveLength(1);
    });
  });

  test("a write that fails with 5xx goes out once", async () => {
    const { url, seen } = await service({ status: 503 }, sent);
    const error = await failure(clientOf(url).client.call(sendMessage, message));
    expect(error).toMatchObject({ exitCode: 11, outcome: "unknown", retryable: false });
    expect(seen).toHaveLength(1);
  });

  test("N01 a port that refuses is tried three times: exit 9, nothing sent", async () => {
    const { client, waits } = clientOf(`http://127.0.0.1:${await closedPort()}`);
    const error = await failure(client.call(sendMessage, message));
    expect(error).toMatchObject({
      exitCode: 9,
      outcome: "not_sent",
      retryable: true,
      code: "ECONNREFUSED",
    });
    expect(error.message).toContain("nothing was sent");
    expect(waits).toHaveLength(2);
  });

  test.each(["Ctrl-C", "the signal of the call"])(
    "%s between two attempts ends the waiting: exit 130",
    async (stopped) => {
      const stop = new AbortController();
      const { signal } = stop;
      const { url, seen } = await service({ status: 503 });
      const wait = async (_: number, waiting?: AbortSignal): Promise<void> => {
        stop.abort();
        waiting?.throwIfAborted();
      };
      const isCtrlC = stopped === "Ctrl-C";
      const { client } = clientOf(url, isCtrlC ? { signal, wait } : { wait });
      const error = await failure(client.call(getBalance, {}, isCtrlC ? {} : { signal }));
      expect(error).toMatchObject({ exitCode: 130, outcome: "not_sent" });
      expect(seen).toHaveLength(1);
    },
  );

  test("Ctrl-C behind a write that was told to wait: exit 130, and its outcome is unknown", async () => {
    const stop = new AbortController();
    const { url, seen } = await service(limited());
    const wait = async (ms: number, signal?: AbortSignal): Promise<void> => {
      // So long a request under way may still take; this one waits for its next attempt.
      if (ms === 10_000) return new Promise(() => undefined);
      stop.abort();
      signal?.throwIfAborted();
    };
    const { client } = clientOf(url, { signal: stop.signal, wait });
    const error = await failure(client.call(createGroup, { body: {} }));
    expect(error).toMatchObject({ exitCode: 130, outcome: "unknown" });
    expect(seen).toHaveLength(1);
  });
});
