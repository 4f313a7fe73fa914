/** What `TZ` says, in each form that systems take it in: Intl names no zone for some of them. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freshFolder, program } from "./program.ts";

const msg = program();

const zoneFor = async (TZ: string) => {
  const shown = await msg(["profile", "show", "-o", "tsv", "--sandbox"], { env: { TZ } });
  expect([shown.code, shown.err]).toEqual([0, ""]);
  return /^tz\t(\S*)\tdefault$/m.exec(shown.out)?.[1];
};

test.each([
  ["Asia/Seoul", "Asia/Seoul"],
  ["", "UTC"],
  ["KST-9", "Etc/GMT-9"],
  ["GMT+5", "Etc/GMT+5"],
  ["no such zone", "UTC"],
  [":/no/such/zone", "UTC"],
])("TZ='%s' is the zone %s", async (TZ, zone) => {
  expect(await zoneFor(TZ)).toBe(zone);
});

test("the path of a zone names it, as /etc/localtime does", async () => {
  const folder = join(freshFolder(), "zoneinfo/Europe");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "Berlin"), "");
  expect(await zoneFor(`:${join(folder, "Berlin")}`)).toBe("Europe/Berlin");
});

test("times are shown by it, and say by which", async () => {
  const env = { TZ: "KST-9" };
  await msg(["sandbox", "reset", "--seed", "1"], { env });
  const line = ["balance", "history", "--sandbox", "--limit", "1", "-o", "table"];
  const [titles, row] = (await msg(line, { env })).out.split("\n");
  expect(titles).toMatch(/^DATE CREATED UTC\+9 /);
  expect(row).toMatch(/^2026-01-0\d \d\d:\d\d:\d\d/);
});
