import { expect, test } from "vitest";
import { bearer } from "../../../src/client/layers/authorization.ts";
import { createServiceClock } from "../../../src/client/service-clock.ts";
import { chargeBalance, getBalance } from "../../../src/contract/cash.ts";
import type { Send } from "../../../src/contract/wire.ts";

const now = () => new Date("2026-01-05T09:00:00.000Z");
const clocks = { now, clock: createServiceClock({ now, ticks: () => 0 }) };
const wire = { method: "GET", target: getBalance.path, headers: {} } as const;

test("each attempt is told of before it leaves, the one with another token too", async () => {
  const told: string[] = [];
  const left: (string | undefined)[] = [];
  const end: Send = async ({ headers }) => {
    told.push("left");
    left.push(headers.authorization);
    return { status: left.length === 1 ? 401 : 200, headers: {}, body: Buffer.from("{}") };
  };
  const send = bearer({
    endpoint: { ...getBalance, needs: {} },
    tokenHolder: { token: "old" },
    renew: async () => "new",
    ...clocks,
    onAttempt: () => told.push("told"),
  })(end);
  expect((await send(wire, new AbortController().signal)).status).toBe(200);
  expect(told).toEqual(["told", "left", "told", "left"]);
  expect(left).toEqual(["bearer old", "bearer new"]);
});

test("of two calls that are refused at once one renews the token, and the other takes what it got", async () => {
  const asked: string[] = [];
  const late: (() => void)[] = [];
  const end: Send = async ({ target, headers }) => {
    const isOld = headers.authorization === "bearer old";
    if (isOld && target === "/late") await new Promise<void>((done) => late.push(done));
    return { status: isOld ? 401 : 200, headers: {}, body: Buffer.from("{}") };
  };
  const send = bearer({
    endpoint: { ...getBalance, needs: {} },
    tokenHolder: { token: "old" },
    renew: async (stale) => {
      asked.push(stale);
      return `behind ${stale}`;
    },
    ...clocks,
  })(end);
  const { signal } = new AbortController();
  const second = send({ ...wire, target: "/late" }, signal);
  expect((await send(wire, signal)).status).toBe(200);
  for (const answer of late) answer();
  expect((await second).status).toBe(200);
  expect(asked).toEqual(["old"]);
});

test.each([
  ["a page", "<html>Sign in</html>", 1],
  ["the service's own error", '{"errorCode":"Unauthorized","errorMessage":"expired"}', 2],
])("a write that %s refuses with 401 leaves so often", async (_, body, times) => {
  const left: unknown[] = [];
  const end: Send = async ({ headers }) => {
    left.push(headers.authorization);
    return { status: 401, headers: {}, body: Buffer.from(body) };
  };
  const send = bearer({
    endpoint: { ...chargeBalance, needs: {} },
    tokenHolder: { token: "old" },
    renew: async () => "new",
    ...clocks,
  })(end);
  await send({ method: "POST", target: chargeBalance.path, headers: {} }, AbortSignal.any([]));
  expect(left).toHaveLength(times);
});
