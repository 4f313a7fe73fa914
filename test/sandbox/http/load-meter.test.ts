import { expect, test } from "vitest";
import { controls } from "../../../src/contract/sandbox.ts";
import { createLoadMeter } from "../../../src/sandbox/http/load-meter.ts";
import { exchange } from "../doors.ts";
import { jsonOf, replyOf } from "../replies.ts";
import { serve } from "../serve.ts";

const counting = () => {
  const time = { ms: 100_000 };
  const load = createLoadMeter(() => time.ms);
  const take = (ms: number, status = 200): void => {
    const begun = time.ms;
    time.ms += ms;
    load.record(status, begun);
  };
  return { load, time, take };
};

test("a server that had nothing to do has zeros", () => {
  const { load } = counting();
  expect(load.figures()).toMatchObject({ requests: 0, perSecond: 0, p50Ms: 0, slowestMs: 0 });
});

test("requests are counted by how they ended", () => {
  const { load, take } = counting();
  for (const status of [200, 302, 400, 404, 500]) take(1, status);
  expect(load.figures()).toMatchObject({ requests: 5, refused: 2, failed: 1 });
});

test("half and 99 of 100 were answered within these times, to a tenth; none later than the slowest", () => {
  const { load, take } = counting();
  for (let ms = 1; ms <= 1_000; ms += 1) take(ms);
  const { p50Ms, p99Ms, slowestMs } = load.figures();
  expect(p50Ms).toBeGreaterThanOrEqual(500);
  expect(p50Ms).toBeLessThan(550);
  expect(p99Ms).toBeGreaterThanOrEqual(990);
  expect(p99Ms).toBeLessThanOrEqual(1_000);
  expect(slowestMs).toBe(1_000);
});

test("the rate is the mean of the last ten seconds; the busiest second stays known", () => {
  const { load, time, take } = counting();
  for (let n = 0; n < 50; n += 1) take(0);
  time.ms += 1_000;
  for (let n = 0; n < 20; n += 1) take(0);
  expect(load.figures()).toMatchObject({ perSecond: 7, busiestSecond: 50 });
  time.ms += 9_000;
  expect(load.figures()).toMatchObject({ perSecond: 2, busiestSecond: 50 });
  time.ms += 60_000;
  expect(load.figures()).toMatchObject({ requests: 70, perSecond: 0, busiestSecond: 50 });
});

test("the status of a server names its load, refusals of the gate among it; in process it is null", async () => {
  const { sandbox, server, url } = await serve();
  const wire = { method: "GET", target: "/_sandbox/status", headers: {}, body: undefined } as const;
  const inProcess = await sandbox.send(wire, new AbortController().signal);
  const text = Buffer.from(inProcess.body).toString();
  expect(replyOf(controls.showStatus, jsonOf({ ...inProcess, text })).load).toBeNull();
  const ask = (target: string, headers = {}) => exchange(url, "GET", target, headers);
  await ask("/cash/v1/balance");
  await ask("/cash/v1/balance", { host: "evil.example" });
  await ask("/_sandbox/status");
  const told = await ask("/_sandbox/status");
  expect(replyOf(controls.showStatus, jsonOf(told)).load).toMatchObject({
    requests: 3,
    refused: 2,
    failed: 0,
    busiestSecond: 3,
  });
  expect(server.load()).toMatchObject({ requests: 4 });
});
