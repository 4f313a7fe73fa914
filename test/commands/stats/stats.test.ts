import { join } from "node:path";
import { readSheet } from "read-excel-file/node";
import { expect, test } from "vitest";
import { testClock } from "../../support/clock.ts";
import { shell } from "../../support/msg.ts";

const sent = async () => {
  const clock = testClock();
  const msg = shell(clock);
  const line = "send --sandbox --from 0200000000 --text hello";
  await msg(`${line} --to 01000000001 --to 01000000002 --to 01000003104`);
  clock.pass(24 * 3_600_000);
  await msg(`${line} --to 01000000001`);
  clock.pass(5000);
  return msg;
};

test("days in a pipe, months on demand, the whole record in JSON", async () => {
  const msg = await sent();
  expect((await msg("stats --sandbox")).out).toBe(
    "2026/01/15\t3\t2\t1\t0\t60\n2026/01/16\t1\t1\t0\t0\t20\n",
  );
  expect((await msg("stats --sandbox --by month")).out).toBe("2026/01\t4\t3\t1\t0\t80\n");
  expect((await msg("stats --sandbox --json")).json()).toMatchObject({
    point: 80,
    dailyTotalCountAvg: 2,
    monthPeriod: [{ date: "2026/01" }],
  });
  const byMonth = await msg("stats --sandbox --by month --json");
  expect([byMonth.code, byMonth.err]).toEqual([0, expect.stringMatching(/^--by is for tables;/)]);
  expect((await msg("stats --sandbox --since 2026-01-16")).out).toBe(
    "2026/01/16\t1\t1\t0\t0\t20\n",
  );
  expect((await msg("stats --sandbox --since soon")).code).toBe(2);
});

test("a terminal sees bars, with the same rows", async () => {
  const msg = await sent();
  const { out } = await msg("stats --sandbox", { tty: 100, env: { NO_COLOR: "1" } });
  const lines = out.trimEnd().split("\n");
  expect(lines).toHaveLength(3);
  expect(lines[1]).toMatch(/^2026\/01\/15 .*█+▒+$/);
  const lengths = lines.slice(1).map((line) => (line.match(/[█▒]/g) ?? []).length);
  expect(lengths).toEqual([40, 13]);
});

test("daily rows have the day in Korea, as stats has, count what failed and name the codes", async () => {
  const msg = await sent();
  const { out } = await msg("stats daily --sandbox --fields date,total,failed,codes");
  expect(out).toBe("2026/01/16\t1\t0\t4000: 1 sms\n2026/01/15\t3\t1\t3104: 1 sms; 4000: 2 sms\n");
  expect((await msg("stats daily --sandbox --limit 1")).err).toContain("--offset 1");
});

test("the spreadsheet holds a row a day", async () => {
  const msg = await sent();
  const file = join(msg.folder, "statistics.xlsx");
  expect((await msg(["stats", "download", file, "--sandbox"])).code).toBe(0);
  const [header, ...rows] = await readSheet(file);
  expect(header?.slice(0, 7)).toEqual([
    "date",
    "balance",
    "point",
    "total",
    "successed",
    "failed",
    "sms",
  ]);
  expect(rows.map((row) => row.slice(0, 7))).toEqual([
    ["2026/01/15", 0, 60, 3, 2, 1, 3],
    ["2026/01/16", 0, 20, 1, 1, 0, 1],
  ]);
});
