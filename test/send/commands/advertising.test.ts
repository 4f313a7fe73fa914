/** `--ad`: what the law of Korea asks of advertising, for `send` and `send-many`. */
import { describe, expect, test } from "vitest";
import { type Shell, shell } from "../../support/msg.ts";

const good = "(광고) 세일 무료수신거부 080-123-4567";
const one = ["send", "--sandbox", "--to", "01000000001", "--from", "0200000000", "--json", "--ad"];
const many = ["send-many", "-", "--sandbox", "--from", "0200000000", "--json", "--ad"];
const rows = "to\n01000000001\n01000000002\n";

const commands: readonly (readonly [string, readonly string[]])[] = [
  ["send", one],
  ["send-many", many],
];

/** The sandbox on 2026-01-05 at this time in Seoul. */
const atHour = async (time: string): Promise<Shell> => {
  const at = shell();
  await at("sandbox reset --seed 1");
  await at(`sandbox clock set 2026-01-05T${time}+09:00`);
  return at;
};
const groups = async (at: Shell) => (await at("group list --sandbox --json")).json();

describe.each(commands)("%s --ad", (_, command) => {
  test("a text with mark and opt-out goes out by day; without one of them exit 2, nothing sent", async () => {
    const at = await atHour("12:00:00");
    for (const text of ["세일 080-123-4567", "(광고) 세일"]) {
      const ran = await at([...command, "--text", text], { stdin: rows });
      expect([ran.code, ran.err]).toEqual([2, expect.stringContaining("advertising text")]);
    }
    expect(await groups(at)).toEqual([]);
    expect((await at([...command, "--text", good], { stdin: rows })).code).toBe(0);
  });

  const hours: readonly (readonly [string, number])[] = [
    ["07:59:59", 7],
    ["08:00:00", 0],
    ["20:59:00", 0],
    ["21:00:00", 7],
  ];
  test.each(hours)("at %s in Korea it ends with %i", async (time, code) => {
    const at = await atHour(time);
    const ran = await at([...command, "--text", good], { stdin: rows });
    expect(ran.code, ran.err).toBe(code);
    if (code === 7) expect(JSON.parse(ran.err).error.code).toBe("AdQuietHours");
    expect(await groups(at)).toHaveLength(code === 0 ? 1 : 0);
  });

  test("with --at the hour that counts is the one at which it goes out", async () => {
    const at = await atHour("22:00:00");
    const night = await at([...command, "--text", good, "--at", "2026-01-06 07:00"], {
      stdin: rows,
    });
    expect(night.code).toBe(7);
    const day = await at([...command, "--text", good, "--at", "2026-01-06 09:00"], { stdin: rows });
    expect(day.code, day.err).toBe(0);
  });
});

test.each(["--estimate", "-n"])("%s at night ends as the run would", async (flag) => {
  const at = await atHour("22:00:00");
  const ran = await at([...many, "--text", good, flag], { stdin: rows });
  expect([ran.code, ran.err]).toEqual([
    7,
    expect.stringContaining("no advertising from 21:00 to 08:00"),
  ]);
  const day = await atHour("12:00:00");
  expect((await day([...many, "--text", good, flag], { stdin: rows })).err).toBe("");
});

test("a run that night stopped goes on by day, and not before", async () => {
  const at = await atHour("22:00:00");
  await at([...many, "--text", good], { stdin: rows });
  expect((await at("send-many --resume last --sandbox")).code).toBe(7);
  await at("sandbox clock advance 11h");
  expect((await at("send-many --resume last --sandbox --json")).json()).toMatchObject({
    state: "done",
    accepted: 2,
  });
});

test("night falls while a run goes on: what is left waits for the day, exit 7, and is sent then", async () => {
  const at = await atHour("20:59:00");
  const line = [...many, "--text", good, "--direct", "--chunk", "1", "--rate", "1"];
  const wait = async (): Promise<void> => {
    await at("sandbox clock set 2026-01-05T21:00:00+09:00");
  };
  const ran = await at(line, { stdin: rows, wait });
  const { error } = JSON.parse(ran.err.trim().split("\n").at(-1) ?? "");
  expect([ran.code, error.code, error.outcome]).toEqual([7, "AdQuietHours", "partial"]);
  expect(error.hint).toMatch(
    /^no more was sent; resume it between 08:00 and 21:00 Korean time: msg send-many --resume /,
  );
  expect(ran.json()).toMatchObject({ accepted: 1, notSent: 1, state: "open" });
  expect(await groups(at)).toHaveLength(1);
  await at("sandbox clock set 2026-01-06T08:00:00+09:00");
  const resumed = await at("send-many --resume last --sandbox --json");
  expect([resumed.code, await groups(at)]).toMatchObject([0, { length: 2 }]);
});
