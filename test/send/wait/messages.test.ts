import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readSheet } from "read-excel-file/node";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { hurriedWorld, testClock } from "../../support/clock.ts";
import { type Shell, shell } from "../../support/msg.ts";

const send = async (msg: Shell, to: string): Promise<string> => {
  const { json } = await msg(`send --sandbox --from 0200000000 --text 안녕 --to ${to} --json`);
  return v.parse(v.object({ messageId: v.string() }), json()).messageId;
};

test("how many rows a list shows is checked here, before anything is asked", async () => {
  const msg = shell();
  for (const flags of ["--limit 0", "--limit 1.5", "--limit -5"]) {
    const { code, err } = await msg(`message list --sandbox ${flags}`);
    expect([flags, code]).toEqual([flags, 2]);
    expect(err).toContain("--limit: must be");
  }
  expect((await msg("balance history --sandbox --offset -1")).code).toBe(2);
});

test("a filter that takes one value is given once; the same value, and --limit, may come again", async () => {
  const msg = shell();
  const two = await msg("message list --sandbox --to 01000000001 --to 01000000002");
  expect([two.code, two.err]).toEqual([2, expect.stringContaining("--to: is given several times")]);
  const list = "message list --sandbox --to 01000000001 --to 01000000001 --limit 1 --limit 2";
  expect((await msg(list)).code).toBe(0);
});

test("a period that ends before it begins is refused; a day or an instant is a period", async () => {
  const msg = shell();
  const since = "--sandbox --since 2026-01-15";
  for (const list of ["message list", "stats daily", "app profits"]) {
    const { code, err } = await msg(`${list} ${since} --until 2026-01-14`);
    expect([code, err]).toEqual([2, expect.stringContaining("--until: is before --since")]);
    expect((await msg(`${list} ${since} --until 2026-01-15`)).code).toBe(0);
  }
  expect((await msg("message list --sandbox --since now --until now")).code).toBe(0);
});

test("an empty filter, as of an unset variable of a script, is refused: it would list everything", async () => {
  const msg = shell();
  for (const [list, flag] of [
    ["message list", "--to"],
    ["balance history", "--group-id"],
    ["template list", "--name"],
    ["files list", "--ref-id"],
  ] as const)
    for (const value of ["", "eq:"]) {
      const { code, err } = await msg([...list.split(" "), "--sandbox", flag, value]);
      expect([flag, code]).toEqual([flag, 2]);
      expect(err).toContain(`${flag}: is empty`);
    }
});

test("what shows one message takes no flags of a list", async () => {
  const msg = shell();
  for (const verb of ["get", "wait"]) {
    const { code, err } = await msg(`message ${verb} M4V2026 --sandbox --limit 5`);
    expect([code, err]).toEqual([2, expect.stringContaining("has no flag --limit")]);
    expect((await msg(`message ${verb} --help`)).out).not.toContain("--all");
  }
});

describe("msg message wait", () => {
  test("waits until the message was delivered, asking every second", async () => {
    const clock = testClock();
    const msg = shell(clock);
    const id = await send(msg, "01000000001");
    const { code, json } = await msg(`message wait ${id} --sandbox --json`);
    expect({ code, row: json() }).toMatchObject({ code: 0, row: { statusCode: "4000" } });
    expect(clock.now().toISOString()).toBe("2026-01-15T03:00:02.000Z");
  });

  test("a failure is an end too, exit 10 as of send --wait, and the money is back", async () => {
    const clock = testClock();
    const msg = shell(clock);
    const id = await send(msg, "01000003104");
    clock.pass(60_000);
    const { code, out } = await msg(`message wait ${id} --sandbox --fields statusCode,meaning`);
    expect(code).toBe(10);
    expect(out).toBe("3104\trecipient does not use Kakao Talk\n");
    expect((await msg("balance --sandbox --fields point")).out).toBe("5000\n");
  });

  test("exit 8 with what is known when the time is over", async () => {
    const msg = shell(testClock());
    const id = await send(msg, "01000003000");
    const { code, out, err } = await msg(
      `message wait ${id} --sandbox --within 3s --fields status`,
    );
    expect({ code, out }).toEqual({ code: 8, out: "SENDING\n" });
    expect(err).toContain("after 3s");
  });

  test("exit 6 for a message that does not exist, exit 2 for a time that is none", async () => {
    const msg = shell(testClock());
    expect((await msg("message wait NIX --sandbox")).code).toBe(6);
    expect((await msg("message wait NIX --sandbox --within soon")).code).toBe(2);
  });
});

test("send --wait, rehearsed, sends nothing and waits for nothing: exit 0", async () => {
  const msg = shell(testClock());
  for (const more of ["", "--to 01000000002", "--once key"]) {
    const ran = await msg(
      `send --sandbox --from 0200000000 --to 01000000001 ${more} --text hi --wait -n`,
    );
    expect([more, ran.code, ran.err]).toEqual([more, 0, expect.not.stringContaining("error")]);
  }
});

describe("msg message list", () => {
  test("an instant that is compared exactly cannot be a day", async () => {
    const msg = shell();
    const day = await msg("message list --sandbox --date-created today");
    expect([day.code, day.err]).toEqual([2, expect.stringContaining("--since and --until")]);
    const instant = await msg("message list --sandbox --date-created 2026-01-05T00:00 --json");
    expect([instant.code, instant.json()]).toEqual([0, []]);
  });

  test("--status filters by the service's words, with other criteria", async () => {
    const clock = testClock();
    const msg = shell(clock);
    for (const to of ["01000000001", "01000003104", "01000002000", "01000003000"]) {
      await send(msg, to);
    }
    clock.pass(5000);
    const list = async (flags: string) =>
      (await msg(`message list --sandbox --fields to ${flags}`)).out;
    expect(await list("--status COMPLETE")).toBe("01000000001\n");
    expect(await list("--status FAILED")).toBe("01000003104\n");
    expect(await list("--status PENDING")).toBe("01000002000\n");
    expect(await list("--status SENDING")).toBe("01000003000\n");
    expect(await list("--status FAILED --criteria to --cond eq --value 01000000001")).toBe("");
    expect((await msg("message list --sandbox --status GONE")).code).toBe(2);
  });

  test.each([
    ["--since 2026-01-15", 1],
    ["--since 2026-01-16", 0],
    ["--until 2026-01-14", 0],
    ["--until 2026-01-15", 1],
    ["--since 2026-01-15T12:00:00", 1],
    ["--since 2026-01-15T12:00:01", 0],
    ["--since 2026-01-15T12:00:00+09:00", 1],
    ["--since 2026-01-15T03:00:01Z", 0],
    ["--since 7d", 1],
    ["--until 1h", 0],
    ["--since today", 1],
  ])("%s finds %i messages: a time without a zone is read in --tz", async (flags, rows) => {
    const clock = testClock();
    const msg = shell(clock);
    await send(msg, "01000000001");
    const { code, out } = await msg(`message list --sandbox --fields to ${flags}`);
    expect({ code, rows: out.split("\n").length - 1 }).toEqual({ code: 0, rows });
  });

  test.each(["2026-02-30", "yesterweek", "2026-13-01T00:00:00Z", "15.01.2026", ""])(
    "the date '%s' is exit 2 before any request",
    async (date) => {
      const msg = shell(testClock());
      const { code, err } = await msg(["message", "list", "--sandbox", "--since", date]);
      expect(code).toBe(2);
      expect(err).toContain("--since");
      expect((await msg("sandbox requests --json")).json()).toEqual([]);
    },
  );
});

describe("msg message export", () => {
  test("writes a spreadsheet that a spreadsheet program reads, numbers as texts", async () => {
    const clock = testClock();
    const msg = shell(clock);
    await send(msg, "01000000001");
    await msg("send --sandbox --from 0200000000 --text =1+1 --to 01000003104");
    clock.pass(5000);
    const file = join(msg.folder, "messages.xlsx");
    const { code, out } = await msg(["message", "export", file, "--sandbox"]);
    const bytes = readFileSync(file);
    expect({ code, out }).toEqual({ code: 0, out: `${file}\t${bytes.length}\n` });
    expect(bytes.subarray(0, 2).toString()).toBe("PK");
    const [header, ...rows] = await readSheet(file);
    expect(header?.slice(2, 7)).toEqual(["type", "from", "to", "country", "statusCode"]);
    expect(rows.map((row) => row.slice(2, 7))).toEqual([
      ["SMS", "0200000000", "01000003104", "82", "3104"],
      ["SMS", "0200000000", "01000000001", "82", "4000"],
    ]);
    expect(rows.map((row) => row[10])).toEqual(["=1+1", "안녕"]);
  });

  test("never over another file, unless forced; nothing is asked for without a place", async () => {
    const msg = shell(testClock());
    const file = join(msg.folder, "a.xlsx");
    expect((await msg(["message", "export", file, "--sandbox"])).code).toBe(0);
    const { code, err } = await msg(["message", "export", file, "--sandbox"]);
    expect(code).toBe(2);
    expect(err).toContain("--force");
    expect((await msg("sandbox requests --json")).json()).toHaveLength(1);
    expect((await msg(["message", "export", file, "--sandbox", "--force"])).code).toBe(0);
    expect((await msg(["message", "export", "-", "--sandbox"])).code).toBe(2);
  });

  test("a limit that the service does not allow is exit 10", async () => {
    const msg = shell(testClock());
    const file = join(msg.folder, "a.xlsx");
    expect((await msg(["message", "export", file, "--sandbox", "--limit", "50001"])).code).toBe(10);
  });
});

test("a filter by phone number takes it as people write it: what was sent to it is found", async () => {
  const msg = shell(hurriedWorld());
  await send(msg, "01000000001");
  for (const typed of ["010-0000-0001", "+82 10 0000 0001", "01000000001"]) {
    const { json } = await msg(["message", "list", "--sandbox", "--to", typed, "--json"]);
    expect(json()).toMatchObject([{ to: "01000000001" }]);
  }
  expect((await msg("message list --sandbox --from 02-0000-0000 --json")).json()).toHaveLength(1);
  const waited = await msg("sandbox inbox wait --to 010-0000-0001");
  expect(waited.code, waited.err).toBe(0);
});

test("--within is over when its time is, although the clock of the machine is set back meanwhile", async () => {
  const time = testClock();
  const start = time.now().getTime();
  const clock = { ...time, now: () => new Date(start - time.ticks() / 1000) };
  const ran = await shell(clock)(
    "send --to 01000000001 --from 0200000000 --text x --sandbox --wait --within 5s --json",
  );
  expect(ran.code, ran.err).toBe(8);
});
