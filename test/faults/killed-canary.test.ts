/** A run with a canary, killed around it and resumed: each row once. Every moment of it: `npm run test:soak`. */
import { beforeAll, expect, test } from "vitest";
import { behindRecord, killedRun } from "./killed.ts";
import { oneService } from "./one-service.ts";

const { opened, nextBatch } = oneService();
const rows = 6;
// A delivery takes two tenths of a second.
beforeAll(async () => {
  const body = JSON.stringify({ tick: "100ms" });
  const headers = { "content-type": "application/json" };
  await fetch(`${opened().baseUrl}/_sandbox/settings`, { method: "PUT", headers, body });
});
const flags = [
  ...["--canary", "3", "--canary-max-failed", "0", "--canary-within", "60s"],
  ...["--chunk", "2", "--group-size", "4"],
];

test.each([
  [1, "SEND_INTENT"],
  [1, "SENT"],
  [1, "CANARY"],
  [2, "SEND_INTENT"],
  [2, "SENT"],
] as const)("P03 killed behind record %i of %s", async (at, type) => {
  const killings = [behindRecord(at, type)];
  const run = await killedRun(opened(), { flags, rows, first: nextBatch(), killings });
  expect({ killed: run.killed, code: run.code, sent: run.sent }, run.err).toEqual({
    ...{ killed: 1, code: 0, sent: Array.from({ length: rows }, () => 1) },
  });
  expect(run.shown).toMatchObject({ state: "done", total: rows, accepted: rows, unknown: 0 });
});
