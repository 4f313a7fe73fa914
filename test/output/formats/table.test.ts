/** Tables line up, fit the screen and say everything that is in a row. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { displayWidth } from "../../../src/output/text/width.ts";
import { list, record } from "../sink.ts";

const columns = ["messageId", "text", "price"];
const row = { messageId: "M1", text: "안녕하세요", price: 1_000_000 };
const lines = (text: string): string[] => text.split("\n").slice(0, -1);
/** Where a part of a line begins, in columns of the screen. */
const columnOf = (line: string, part: string): number =>
  displayWidth(line.slice(0, line.indexOf(part)));

describe("a table", () => {
  test("has a header, two spaces between columns, and numbers to the right", async () => {
    const text = await list({}, columns, [row, { messageId: "M23", text: "hi", price: 20 }]);
    expect(lines(text)).toEqual([
      "MESSAGE ID  TEXT            PRICE",
      "M1          안녕하세요  1,000,000",
      "M23         hi                 20",
    ]);
  });

  test("has no header with --no-header, and is nothing without rows", async () => {
    expect(await list({ header: false }, columns, [row])).toBe("M1  안녕하세요  1,000,000\n");
    expect(await list({}, columns, [])).toBe("");
  });

  test("cuts prose before it cuts an id", async () => {
    const long = {
      messageId: "M4V20260115101500AB12CD34EF56GH7",
      text: "a word ".repeat(20),
      price: 1,
    };
    const [, line = ""] = lines(await list({}, columns, [long], { tty: 70 }));
    expect(line).toContain(long.messageId);
    expect(line).toContain("…");
    expect(displayWidth(line)).toBeLessThanOrEqual(70);
  });

  const group = {
    groupId: "G4V20260115101500AB12CD34EF56GH7",
    name: "배송 안내 문자를 모두에게 보냅니다",
    total: 1,
    scheduledCount: 12,
    dateCreated: "2026-01-15T10:15:00.000Z",
  };
  const named = (tty: number) =>
    list({}, ["groupId", "name", "total", "scheduledCount", "dateCreated"], [group], { tty });

  test("where no prose is left to cut, titles and seconds give way before an id", async () => {
    const [header = "", line = ""] = lines(await named(80));
    expect(header).toMatch(/^GROUP ID {26}NAME +TOTAL {2}SCHE… {2}DATE CREATED$/);
    expect(line).toMatch(/^G4V20260115101500AB12CD34EF56GH7 {2}배송 .*… +1 +12 {2}2026.*:15:00$/);
    for (const tty of [76, 80, 90, 120]) {
      const drawn = lines(await named(tty));
      expect(Math.max(...drawn.map(displayWidth))).toBeLessThanOrEqual(tty);
      expect(drawn[1]).toMatch(tty < 80 ? /2026-01-15 19:15$/ : /2026-01-15 19:15:00$/);
    }
    expect(lines(await named(90))[0]).toContain("SCHEDULED COUNT");
  });

  test("where an id would have to be cut, rows become cards", async () => {
    expect(lines(await named(72))[0]).toBe(`groupId         ${group.groupId}`);
  });

  test("later pages are cut into what the first left", async () => {
    const rows = Array.from({ length: 150 }, (_, at) => ({ a: at < 120 ? "M1" : "M".repeat(90) }));
    const drawn = lines(await list({}, ["a"], rows, { tty: 70 }));
    expect(drawn[150]).toBe(`${"M".repeat(69)}…`);
  });

  test("keeps Hangul, emoji and marks in line", async () => {
    const texts = [
      "안녕",
      "😀👍🏽",
      "❤️",
      "🇰🇷 x",
      "e\u0301",
      "\u1112\u1161\u11ab",
      "日本",
      "🫠",
      "ก็",
      "\ue000",
    ];
    const rows = texts.map((text) => ({ a: text, b: "|" }));
    const drawn = lines(await list({ header: false }, ["a", "b"], rows));
    expect(new Set(drawn.map((line) => columnOf(line, "|")))).toEqual(new Set([6]));
  });

  test("T03 a line end within a cell adds no row", async () => {
    const text = await list({ header: false }, ["a", "b"], [{ a: "x\ny", b: "z" }]);
    expect(text).toBe("x\\ny  z\n");
  });

  test("rows of nothing are still rows", async () => {
    expect(await list({}, ["a"], [{ a: "" }, { a: null }])).toBe("A\n\n\n");
  });

  test("T01 T02 any text makes one line per row, without a control", async () => {
    const cell = fc.string({ unit: "binary" });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ a: cell, b: cell }), { minLength: 1 }),
        async (rows) => {
          const text = await list({}, ["a", "b"], rows, { tty: 70 });
          expect(lines(text)).toHaveLength(rows.length + 1);
          expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
          for (const line of lines(text)) expect(displayWidth(line)).toBeLessThanOrEqual(70);
        },
      ),
    );
  });
});

describe("the screen", () => {
  const wide = { ...row, text: "긴 글 ".repeat(40) };

  test("the widest cells are cut to fit, the others stay whole", async () => {
    const [header = "", line = ""] = lines(await list({}, columns, [wide], { tty: 80 }));
    expect(displayWidth(line)).toBe(80);
    expect(line).toMatch(/^M1 .*… {2}1,000,000$/);
    expect(displayWidth(header)).toBe(80);
  });

  test("T05 width 0 counts as 80 columns", async () => {
    const text = await list({}, columns, [wide], { tty: 0 });
    expect(Math.max(...lines(text).map(displayWidth))).toBe(80);
  });

  test("outside a terminal nothing is cut", async () => {
    expect(await list({}, columns, [wide])).toContain(wide.text.trimEnd());
  });

  test("T05 under 60 columns rows become cards, and nothing is cut", async () => {
    const rows = [wide, { messageId: "M2", text: null, price: 5 }];
    for (const tty of [20, 59]) {
      const text = await list({}, columns, rows, { tty });
      expect(lines(text)).toEqual([
        "messageId  M1",
        `text       ${wide.text.trimEnd()}`,
        "price      1,000,000",
        "",
        "messageId  M2",
        "text",
        "price      5",
      ]);
    }
    expect(await list({}, columns, rows, { tty: 60 })).toContain("MESSAGE ID");
  });

  test("columns that would be cut to nothing become cards", async () => {
    const many = Array.from({ length: 30 }, (_, at) => `member${at}`);
    const of = Object.fromEntries(many.map((name) => [name, "some longer value"]));
    expect(lines(await list({}, many, [of], { tty: 80 }))).toHaveLength(30);
  });
});

test("one record is a card on any screen", async () => {
  const expected = "messageId  M1\ntext       안녕하세요\nprice      1,000,000\n";
  expect(await record({}, columns, row, { tty: 120 })).toBe(expected);
  expect(await record({}, columns, row)).toBe(expected);
});

test("later pages keep the widths of the first, and grow only where they must", async () => {
  const rows = Array.from({ length: 250 }, (_, at) => ({ a: `${at}`, b: "|" }));
  const drawn = lines(await list({ header: false }, ["a", "b"], rows));
  expect(drawn).toHaveLength(250);
  expect(columnOf(drawn[0] ?? "", "|")).toBe(4);
  expect(columnOf(drawn[99] ?? "", "|")).toBe(4);
  expect(columnOf(drawn[100] ?? "", "|")).toBe(5);
  expect(columnOf(drawn[249] ?? "", "|")).toBe(5);
});
