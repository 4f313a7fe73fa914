/** What failed, added up: the same figures over both doors, in every format. */
import { expect, onTestFinished, test } from "vitest";
import { testClock } from "../../support/clock.ts";
import { shell } from "../../support/msg.ts";
import { type OpenDoor, twoDoors } from "../../support/two-doors.ts";

const hours = 3_600_000;

/** Four messages on one day, of which three fail, and one that fails the day after. */
const send = async (msg: OpenDoor["msg"], pass: (ms: number) => void): Promise<void> => {
  const line = "send -y --from 0200000000 --text hello";
  const first = "--to 01000000001 --to 01000003104 --to 01000003040 --to 01000001060";
  expect((await msg(`${line} ${first}`)).code).toBe(3);
  pass(24 * hours);
  expect((await msg(`${line} --to 01000003104`)).code).toBe(0);
  pass(5000);
};

test.each(twoDoors)("by code, with what to do and what came back, %s", async (_door, open) => {
  const { pass, ...clock } = testClock();
  const { msg, close } = await open(clock);
  onTestFinished(close);
  await send(msg, pass);
  const { code, out, err } = await msg("stats failures");
  expect(code, err).toBe(0);
  expect(out.split("\n")).toEqual([
    "3104\trecipient does not use Kakao Talk\t2\t50\t40\tsend it as SMS or LMS",
    "1060\trecipient number blocked\t1\t25\t0\tremove this recipient",
    "3040\ttimed out\t1\t25\t20\ttry this message again later",
    "",
  ]);
  expect(err).toContain("4 of 5 messages failed (80 %), 60 won refunded");
  expect((await msg("stats failures --by day")).out).toBe(
    "2026/01/15\t3\t75\t40\n2026/01/16\t1\t25\t20\n",
  );
  // Carriers are read off the messages: the same sums by another way.
  expect((await msg("stats failures --by day,carrier,code --fields day,code,count")).out).toBe(
    "2026/01/15\t1060\t1\n2026/01/15\t3040\t1\n2026/01/15\t3104\t1\n2026/01/16\t3104\t1\n",
  );
  expect((await msg("stats failures --by carrier -o csv")).out).toBe(
    "carrier,count,share,refunded\nETC,4,100,60\n",
  );
});

test("every format, and the period of stats", async () => {
  const { pass, ...clock } = testClock();
  const msg = shell({ ...clock, env: { MSG_PROFILE: "sandbox", NO_COLOR: "1" } });
  await send(msg, pass);
  const since = await msg("stats failures --since 2026-01-16 --json");
  expect(since.json()).toEqual([
    {
      code: "3104",
      meaning: "recipient does not use Kakao Talk",
      count: 1,
      share: 100,
      refunded: 20,
      todo: "send it as SMS or LMS",
    },
  ]);
  expect((await msg("stats failures --until 2026-01-15 --by day -o jsonl")).out).toBe(
    '{"day":"2026/01/15","count":3,"share":100,"refunded":40}\n',
  );
  const { out } = await msg("stats failures", { tty: 120 });
  expect(out).toMatch(/^CODE +MEANING +COUNT +SHARE +REFUNDED .*\n3104 .* 50 % +40 +send it as/);
  const wrong = await msg("stats failures --by code,phone");
  expect(wrong.code).toBe(2);
  expect(wrong.err).toContain("--by takes code, carrier, day, separated by commas, got 'phone'");
});

test("no failures are no rows", async () => {
  const { out, err, code } = await shell()("stats failures --sandbox");
  expect({ code, out, err }).toEqual({ code: 0, out: "", err: "no results\n" });
});
