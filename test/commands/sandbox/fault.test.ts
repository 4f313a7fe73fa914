import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { testClock } from "../../support/clock.ts";
import { shell } from "../../support/msg.ts";

const send = "send --sandbox --to 01000000001 --from 0200000000 --text 'code 123456'";

describe("msg sandbox fault", () => {
  test.each([
    ["settled by its tag, exit 0", "", 0],
    ["unknown without a tag, exit 11", " --no-tag --settle 300ms", 11],
  ])("drop-after: the send is %s, and it was done once", async (_what, flags, code) => {
    const msg = shell(testClock());
    await msg('sandbox fault add --on "POST /messages/v4/*" --do drop-after --times 1');
    expect((await msg(`${send}${flags}`)).code).toBe(code);
    expect((await msg("message list --sandbox --fields to")).out).toBe("01000000001\n");
  });

  test("a read is tried again over passing faults, and gives up on lasting ones", async () => {
    const msg = shell(testClock());
    await msg('sandbox fault add --on "GET *" --do status:503 --times 2');
    expect((await msg("balance --sandbox --fields balance")).out).toBe("1000000\n");
    await msg('sandbox fault add --on "GET *" --do drop-before');
    expect((await msg("balance --sandbox")).code).toBe(9);
    expect((await msg("sandbox fault clear")).out).toBe("1\n");
    expect((await msg("balance --sandbox")).code).toBe(0);
  });

  test("of several faults one is switched off by its id", async () => {
    const msg = shell(testClock());
    await msg('sandbox fault add --on "GET *" --do status:503');
    await msg('sandbox fault add --on "PUT *" --do garbage');
    expect((await msg("sandbox fault clear --fault-id 1")).out).toBe("1\n");
    expect((await msg("sandbox fault clear --fault-id 1")).out).toBe("0\n");
    expect((await msg("sandbox fault list --fields do")).out).toBe("garbage\n");
  });

  test("a delay longer than --timeout ends without an answer", async () => {
    const msg = shell(testClock());
    await msg('sandbox fault add --on "POST *" --do delay:20s');
    expect((await msg(`${send} --timeout 5s --no-tag --settle 300ms`)).code).toBe(11);
    expect((await msg(`${send} --timeout 30s`)).code).toBe(0);
  });

  test.each([
    [
      "--on '*' --do explode",
      "--do: must be drop-before, drop-after, truncate, garbage",
      "'explode'",
    ],
    ["--on '*' --do status:200", "status:503 (400 to 599)", "'status:200'"],
    ["--on '*' --do delay:soon", "delay:2s", "'delay:soon'"],
    ["--on '*' --do delay:25d", "delay:2s (up to 1d)", "'delay:25d'"],
    ["--on messages --do garbage", "--on: must be a method and a path", "'messages'"],
    ["--on '*' --do garbage --times 0", "--times: must be a whole number from 1", "not 0"],
    ["--on '*' --do garbage --probability 2", "--probability: must be above 0 and at most 1", "2"],
    ["--do garbage", "needs --on", ""],
  ])("add %s is bad usage: nothing is sent", async (flags, possible, given) => {
    const msg = shell();
    const { code, err } = await msg(`sandbox fault add ${flags}`);
    expect(code).toBe(2);
    expect(err).toContain(possible);
    expect(err).toContain(given);
    expect((await msg("sandbox fault list --json")).json()).toEqual([]);
  });

  test("an id that cannot be one clears nothing", async () => {
    const { code, err } = await shell()("sandbox fault clear --fault-id all");
    expect(code).toBe(2);
    expect(err).toContain("--fault-id: must be the number that msg sandbox fault list shows");
  });
});

describe("msg sandbox inbox", () => {
  test("wait finds the message that arrives, show shows it by its id", async () => {
    const clock = testClock();
    const msg = shell(clock);
    await msg(send);
    const waited = await msg(
      'sandbox inbox wait --to 01000000001 --match "code [0-9]{6}" --within 5s --json',
    );
    expect(waited.json()).toMatchObject({ to: "01000000001", text: "code 123456" });
    expect(clock.now().toISOString()).toBe("2026-01-15T03:00:02.000Z");
    const { messageId } = v.parse(v.object({ messageId: v.string() }), waited.json());
    expect((await msg(`sandbox inbox show ${messageId} --json`)).json()).toEqual(waited.json());
  });

  test("nothing that fits in time is exit 8; an id that never arrived exit 6", async () => {
    const msg = shell(testClock());
    await msg(send);
    expect((await msg("sandbox inbox wait --to 01000000001 --match 999")).code).toBe(8);
    expect((await msg("sandbox inbox wait --to 01000000009 --within 0")).code).toBe(8);
    expect((await msg("sandbox inbox wait --to 01000000001 --match '('")).code).toBe(2);
    expect((await msg("sandbox inbox show NIX")).code).toBe(6);
  });
});
