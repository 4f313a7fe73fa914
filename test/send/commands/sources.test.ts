/** Files as spreadsheets and scripts leave them: what can be read is read, all else is named; nothing is sent. */
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import iconv from "iconv-lite";
import { describe, expect, test } from "vitest";
import { shell } from "../../support/msg.ts";

const run = (content: string | Uint8Array, ...flags: readonly string[]) => {
  const at = shell();
  const file = join(at.folder, "rows.csv");
  writeFileSync(file, content);
  return at(["send-many", file, "--sandbox", "--from", "0200000000", ...flags], {});
};

const korean = "휴대폰,이름\r\n010-0000-0001,똠방각하\r\n";
const map = ["--map", "to=휴대폰", "--map", "name=이름"];
const utf16 = (text: string) => iconv.encode(text, "utf-16le");
const mark = Buffer.from([0xff, 0xfe]);

describe("encodings of spreadsheets, with Korean column names", () => {
  const readable: readonly (readonly [string, Uint8Array | string, readonly string[]])[] = [
    ["UTF-8", korean, []],
    ["UTF-8 with a mark", `\ufeff${korean}`, []],
    ["CP949", iconv.encode(korean, "cp949"), []],
    ["UTF-16 with a mark", Buffer.concat([mark, utf16(korean)]), []],
    ["UTF-16 without a mark", utf16(korean), ["--encoding", "utf16le"]],
    ["tabs", korean.replaceAll(",", "\t"), []],
  ];
  test.each(readable)("%s", async (_, content, flags) => {
    const text = ["--text", "#{name}님 #{이름}", "-n", "--json"];
    const ran = await run(content, ...map, ...text, ...flags);
    expect(ran.code, ran.err).toBe(0);
    expect(ran.json()).toMatchObject({
      body: { messages: [{ to: "01000000001", text: "똠방각하님 똠방각하" }] },
    });
  });
});

test("--map takes several columns at once, and a column with a comma in its name", async () => {
  const content = '휴대폰,"이름, 직함"\n01000000001,"김, 과장"\n';
  for (const words of [["to=휴대폰,name=이름, 직함"], ["to=휴대폰", "--map", "name=이름, 직함"]]) {
    const ran = await run(content, "--map", ...words, "--text", "#{name}님", "-n", "--json");
    expect(ran.code, ran.err).toBe(0);
    expect(ran.json()).toMatchObject({
      body: { messages: [{ to: "01000000001", text: "김, 과장님" }] },
    });
  }
});

describe("what is wrong is named with its place and its fix: exit 2", () => {
  const long = "a".repeat(1_100_000);
  const wrong: readonly (readonly [string, Uint8Array | string, string])[] = [
    ["no column of recipients", "연락,고객\n01000000001,김\n", "the columns are 연락, 고객"],
    ["a longer name for it", "고객 휴대폰\n01000000001\n", "did you mean --map 'to=고객 휴대폰'?"],
    ["a lost zero", "to\n1000000001\n", 'row 1, line 2, to: "1000000001" lost its leading zero'],
    ["a shortened number", "to\n1.01E+10\n", "was shortened by a spreadsheet"],
    ["two numbers in a cell", 'to\n"01000000001, 01000000002"\n', "more than one number"],
    ["an .xlsx file", "PK\u0003\u0004rest", "cannot be read as a spreadsheet (.xlsx)"],
    ["UTF-16 without a mark", utf16("to,n\r\n01000000001,a\r\n"), "use --encoding utf16le"],
    [
      "a broken byte",
      Buffer.concat([Buffer.from("to,n\n1,"), Buffer.from([0xff, 0xff])]),
      "byte 7",
    ],
    ["an open quote", 'to,n\n01000000001,"a\n', "line 2, column 13, row 1"],
    ["a cell that does not end", `to,n\n01000000001,"${long}"\n`, "is a quote left open?"],
    ["a row of too many cells", "to\n01000000001,a\n", "has 2 cells, the first line has 1"],
    ["a list that is cut off", '[{"to":"01000000001"},', "the list is not closed"],
    ["a row that is cut off", '{"to":"01000000001"}\n{"to":"0100', "row 2, line 2"],
    ["no row", "to\n", "there are no rows"],
  ];
  test.each(wrong)("%s", async (_, content, words) => {
    const ran = await run(content, "--text", "x");
    expect([ran.code, ran.err]).toEqual([2, expect.stringContaining(words)]);
  });

  test("a variable without a column, and one that a row does not fill", async () => {
    const unknown = await run("to,name\n01000000001,a\n", "--text", "#{nme}");
    expect(unknown.err).toContain("#{nme} has no column and no --var");
    const unfilled = await run('[{"to":"01000000001"}]', "--text", "#{name}");
    expect([unfilled.code, unfilled.err]).toEqual([
      2,
      expect.stringContaining("#{name} has no value"),
    ]);
  });
});

test("an error that has one place says it once", async () => {
  const { err } = await run('to,n\n01000000001,"a\n', "--text", "x");
  expect(err.split("a quote is opened here")).toHaveLength(2);
});

test("a file that grows while it is read is refused, nothing is sent", async () => {
  const at = shell();
  const file = join(at.folder, "rows.csv");
  const rows = (first: number) =>
    Array.from({ length: 50_000 }, (_, it) => `010${first + it}`.padEnd(11, "0")).join("\n");
  writeFileSync(file, `to\n${rows(10_000_000)}\n`);
  const ran = at(["send-many", file, "--sandbox", "--from", "0200000000", "--text", "x"]);
  const grow = setInterval(() => appendFileSync(file, "01099999999\n"), 1);
  const { code, err } = await ran;
  clearInterval(grow);
  expect([code, err]).toEqual([2, expect.stringContaining("changed while it was read")]);
  expect((await at("group list --sandbox --json")).json()).toEqual([]);
});
