/** The daily quota: a guard before the first request, and a reason where another used it up. */
import { describe, expect, test } from "vitest";
import { meanwhile } from "../../support/money.ts";
import { type Shell, shell } from "../../support/msg.ts";

const rows = "to\n01000000001\n01000000002\n01000000003\n";
const line = "send-many - --sandbox --from 0200000000 --text x --json";
const setQuota = (at: Shell, quota: number) => at(`sandbox set --sandbox --quota ${quota}`);
const groups = async (at: Shell) => (await at("group list --sandbox --json")).json();

test("more rows than the quota: exit 7 with both numbers, nothing sent; with more quota --resume sends", async () => {
  const at = shell();
  await setQuota(at, 2);
  const stopped = await at(line, { stdin: rows });
  expect(stopped.code).toBe(7);
  const { error } = JSON.parse(stopped.err);
  expect(error).toMatchObject({ code: "QuotaTooSmall", outcome: "not_sent" });
  expect(error.message).toBe("3 needed, 2 of the daily quota left");
  const [, hinted = ""] = /: msg (--sandbox quota request .*?),/.exec(error.hint) ?? [];
  expect((await at(`${hinted.replace("<text>", "x")} -y`)).code, error.hint).toBe(0);
  expect(await groups(at)).toEqual([]);
  await setQuota(at, 3);
  expect((await at("send-many --resume last --sandbox --json")).json()).toMatchObject({
    accepted: 3,
  });
});

describe("what was sent today counts, that of the day before does not", () => {
  const ticks: readonly (readonly [string, string, string])[] = [
    ["delivered", "0ms", "0ms"],
    ["still held by the service", "1h", "0ms"],
    ["on its way", "1h", "1h"],
  ];
  test.each(ticks)("%s", async (_, tick, later) => {
    const at = shell();
    await at("sandbox reset --seed 1");
    await at(`sandbox set --sandbox --quota 5 --tick ${tick}`);
    expect((await at(line, { stdin: rows })).code).toBe(0);
    await at(`sandbox clock advance ${later}`);
    for (const when of ["", " --at 2026-01-05T13:00:00Z"]) {
      const second = await at(`${line} --again${when}`, { stdin: rows });
      expect([second.code, second.err]).toEqual([7, expect.stringContaining(" needed, 2 of the")]);
    }
    await setQuota(at, 1);
    const lowered = await at(`${line} --again`, { stdin: rows });
    expect(lowered.err).toContain("3 needed, 0 of the daily quota left");
    await setQuota(at, 5);
    // It is the next day in Korea, and the same one by UTC.
    await at("sandbox clock advance 10h");
    expect((await at(`${line} --again`, { stdin: rows })).code).toBe(0);
  });
});

test("rows that wait in a group are not sent: they do not count", async () => {
  const at = shell();
  await at("sandbox set --sandbox --quota 5");
  expect(
    (await at(`${line} --staged`, { stdin: rows, ...meanwhile(at, "--balance 50 --point 0") }))
      .code,
  ).toBe(10);
  await at("sandbox set --sandbox --balance 1000");
  expect((await at(`${line} --again --text y`, { stdin: rows })).code).toBe(0);
});

test("a caller that may not read the quota sends without the guard", async () => {
  const at = shell();
  await at("sandbox fault add --sandbox --on 'GET /quota/v1/me' --do status:403");
  const ran = await at(line, { stdin: rows });
  expect((await at("sandbox fault list --sandbox --json")).json()).toMatchObject([{ happened: 1 }]);
  expect(ran.code, ran.err).toBe(0);
  expect(ran.err).not.toContain("quota");
});

test("another client took the quota meanwhile: each row says so, and nothing tells to charge", async () => {
  const at = shell();
  const ran = await at(`${line.replace(" --json", "")} --direct`, {
    stdin: rows,
    ...meanwhile(at, "--quota 2"),
  });
  expect(ran.code).toBe(3);
  expect(ran.err).toContain("row 1, 01000000001: not sent: daily send quota exceeded (1030)");
  expect(ran.err).toContain("--retry-refused");
  expect(ran.err).not.toContain("charge");
  const one = await at("send --sandbox --to 01000000001 --from 0200000000 --text x");
  expect(one.code).toBe(0);
});

test("a group that the quota stops: exit 10, and the way on is a new run of the refused rows", async () => {
  const at = shell();
  const ran = await at(`${line} --staged`, { stdin: rows, ...meanwhile(at, "--quota 2") });
  expect(ran.code).toBe(10);
  expect(ran.err).toContain("daily send quota exceeded");
  expect(ran.err).toContain("--retry-refused");
  await setQuota(at, 100);
  expect((await at("send-many --retry-refused last --sandbox --json")).json()).toMatchObject({
    accepted: 3,
  });
});

test("a resumed run meets its ceilings again: --max-cost, --max-recipients, a protected profile", async () => {
  const at = shell();
  await at(`${line} --max-cost 10`, { stdin: rows });
  expect((await at("send-many --resume last --sandbox")).code).toBe(7);
  await at(`${line} --max-recipients 2`, { stdin: rows });
  expect((await at("send-many --resume last --sandbox")).code).toBe(7);
  await at("profile set protected true -p sandbox");
  expect((await at("send-many --resume last --sandbox --max-recipients 3")).code).toBe(7);
  expect(await groups(at)).toEqual([]);
  const all = await at("send-many --resume last --sandbox --max-recipients 3 --confirm 3 --json");
  expect(all.json()).toMatchObject({ accepted: 3 });
});
