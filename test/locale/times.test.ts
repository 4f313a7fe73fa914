/** Times inside sentences: in the zone of the operator, and as the service says them in JSON. */
import { expect, test } from "vitest";
import { shell } from "../support/msg.ts";

const rows = { stdin: "to\n01000000001\n", now: () => new Date("2026-01-05T09:00:00Z") };
const line = "send-many - --from 0200000000 --text x --format csv --sandbox";

test("a sentence shows a time in the zone of --tz and names it; JSON keeps the service's", async () => {
  const at = shell();
  expect((await at(line, rows)).code).toBe(0);
  const again = async (flags: string) => (await at(`${line} ${flags}`, rows)).err;
  expect(await again("")).toMatch(/in run \S+, started 2026-01-05 18:00:00 KST$/m);
  expect(await again("--tz UTC")).toMatch(/, started 2026-01-05 09:00:00 UTC$/m);
  expect(await again("--lang ko")).toContain("2026-01-05 18:00:00 KST");
  expect(await again("--json")).toContain("started 2026-01-05T09:00:00.000Z");
});

test("an hour that has passed is shown as it was meant", async () => {
  const ran = await shell()(`${line} --at 2025-12-31T10:00`, rows);
  expect(ran.code).toBe(2);
  expect(ran.err).toContain("2025-12-31 10:00:00 KST is in the past");
});

test("a time of today is its hour, with the name of the zone", async () => {
  const at = shell();
  const keyed = "send --to 01000000001 --from 0200000000 --text x --once k1 --sandbox";
  await at(keyed, rows);
  expect((await at(keyed, rows)).err).toContain("already sent at 18:00 KST; not sent again");
});
