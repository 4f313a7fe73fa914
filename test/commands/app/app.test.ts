import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { shell } from "../../support/msg.ts";

const Profits = v.object({ completed: v.array(v.unknown()) });

const now = () => new Date("2026-01-31T03:00:00.000Z");

describe("msg app profits", () => {
  test("JSON is the whole answer with its pages merged", async () => {
    const msg = shell({ now });
    const line = "app profits --since 2026-01-01 --until 2026-01-31 --sandbox --json";
    const some = await msg(line);
    expect(some.json()).toMatchObject({ expectedProfit: 270 });
    expect(some.err).toContain("--offset 20 or --all");
    const whole = v.parse(Profits, (await msg(`${line} --all`)).json());
    expect(whole.completed).toHaveLength(25);
    const page = v.parse(Profits, (await msg(`${line} --offset 20 --limit 3`)).json());
    expect(page.completed).toEqual(whole.completed.slice(20, 23));
    const fields = await msg(`${line} --fields appId --limit 1`);
    expect(fields.json()).toEqual([{ appId: "AppLive00002" }]);
  });

  test("rows on standard output, what is expected on standard error", async () => {
    const msg = shell({ now });
    const ran = await msg("app profits --since 2d --until now --app-id AppLive00002 --sandbox");
    expect(ran.out.split("\n")[0]).toMatch(/^AppLive00002\tlive app\t2026-01-30T03:00:00.000Z/);
    expect(ran.err).toContain("expected profit, not paid yet: 210 won");
  });

  test("dates go out as wall clock of Seoul, a day to its last second", async () => {
    const msg = shell({ now });
    await msg("app profits --since 2026-01-01 --until 2026-01-31 --sandbox --tz UTC");
    await msg("app profits --since 2026-01-01T00:00:00Z --until 2026-01-31 --sandbox");
    const seen = decodeURIComponent((await msg("sandbox requests")).out);
    expect(seen).toContain("startDate=2026-01-01 09:00:00&endDate=2026-02-01 08:59:59");
    expect(seen).toContain("startDate=2026-01-01 09:00:00&endDate=2026-01-31 23:59:59");
  });

  test.each([
    "app profits --sandbox",
    "app profits --since 7d --sandbox",
    "app profits --since x --until y",
  ])("%s: exit 2", async (line) => {
    expect((await shell({ now })(line)).code).toBe(2);
  });
});

describe("msg app go-live", () => {
  test("asks to type the app's id; then it may send", async () => {
    const msg = shell({ now });
    const line = "app go-live AppDevelop01 --sandbox";
    expect((await msg(line)).code).toBe(2);
    expect((await msg(`${line} --confirm other`)).code).toBe(7);
    const send =
      "send --sandbox --to 01000000001 --from 0200000000 --text hi --agent appId=AppDevelop01";
    expect((await msg(send)).err).toContain("msg --sandbox app go-live");
    const mistyped = await msg(send.replace("appId", "appID"));
    expect([mistyped.code, mistyped.err]).toEqual([
      2,
      expect.stringContaining("--agent: takes appId, osPlatform, sdkVersion, got 'appID'"),
    ]);
    const live = await msg(`${line} --confirm AppDevelop01 --json`);
    expect(live.json()).toMatchObject({ stage: "LIVE", status: "ACTIVE" });
    expect((await msg(send)).code).toBe(0);
    expect((await msg("app go-live none --confirm none --sandbox")).code).toBe(6);
  });

  test("the sandbox tells which apps there are", async () => {
    const told = (await shell()("sandbox accounts --json")).json();
    expect(told).toMatchObject({
      apps: [
        { appId: "AppBlocked04", appName: "blocked app", stage: "LIVE", status: "BLOCKED" },
        { appId: "AppDevelop01", stage: "DEVELOP", status: "ACTIVE" },
        { appId: "AppInactive3", stage: "LIVE", status: "INACTIVE" },
        { appId: "AppLive00002", stage: "LIVE", status: "ACTIVE" },
      ],
    });
  });
});
