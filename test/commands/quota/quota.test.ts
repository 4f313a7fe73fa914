import { describe, expect, test } from "vitest";
import { shell } from "../../support/msg.ts";

describe("msg quota", () => {
  test("the figure, and the requests that made it", async () => {
    const msg = shell();
    expect((await msg("quota --sandbox --json")).json()).toMatchObject({ quota: 100_000 });
    const line =
      "quota requests --date-created gte:2026-01-01 --status APPROVED --sandbox --json --all";
    const now = () => new Date("2026-12-01T00:00:00Z");
    expect((await msg(line, { now })).json()).toHaveLength(20);
    const seen = decodeURIComponent((await msg("sandbox requests", { now })).out);
    expect(seen).toContain("status=APPROVED&dateCreated[gte]=2025-12-31T15:00:00.000Z");
  });

  test("what was sent today is counted, and unknown to those who may not read it", async () => {
    const msg = shell();
    const used = async (): Promise<string> => (await msg("quota --sandbox --fields usedToday")).out;
    expect(await used()).toBe("0\n");
    await msg("send --sandbox -y --to 01000000001 --from 0200000000 --text hi");
    expect(await used()).toBe("1\n");
    await msg("sandbox fault add --sandbox --on 'GET /messages/v4/statistics' --do status:500");
    expect(await used()).toBe("\n");
  });

  test("a request is asked back, sent once, and decided on by the sandbox's staff", async () => {
    const msg = shell();
    const line = "quota request --amount 200000 --reason 'monthly notices' --sandbox";
    expect((await msg(line)).code).toBe(2);
    const asked = await msg(line, { tty: 80, answers: ["n"] });
    expect([asked.code, asked.questions[0]]).toEqual([
      7,
      "Request 200,000 messages a day? This withdraws a pending request.",
    ]);
    expect((await msg(`${line} -n --json`)).json()).toEqual({
      method: "POST",
      path: "/quota/v1/me/system",
      body: { quota: 200_000, reasonRequested: "monthly notices" },
    });
    const key = (await msg(`${line} -y -q`)).out.trim();
    expect(key).toMatch(/^QT01IQ\S{26}$/);
    expect((await msg(`sandbox quota-review ${key} approve --json`)).json()).toMatchObject({
      status: "APPROVED",
    });
    expect((await msg("quota --sandbox --fields quota")).out).toBe("200000\n");
    expect((await msg(`sandbox quota-review ${key} reject`)).code).toBe(10);
  });

  test.each([
    ["quota request --amount 49 --reason x -y --sandbox", "--amount: must be at least 50"],
    ["quota request --amount 1.5 --reason x -y --sandbox", "--amount: must be a whole number"],
    ["quota request --amount 100 -y --sandbox", "needs --reason"],
    ["quota request --reason x -y --sandbox", "needs --amount"],
    ["quota requests --status DONE --sandbox", "--status: takes PENDING|APPROVED|REJECTED"],
    ["quota requests --date-created like:2026 --sandbox", "does not allow 'like:'"],
  ])("%s: exit 2", async (line, words) => {
    const ran = await shell()(line);
    expect(ran.code).toBe(2);
    expect(ran.err).toContain(words);
  });
});
