/** Tables line up, fit the screen and say everything that is in a row. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { displayWidth } from "../../../src/output/text/width.ts";
import { anyText } from "../any-text.ts";
import { list, record } from "../sink.ts";

const columns = ["messageId", "text", "price"];
const row = { messageId: "M1", text: "안녕하세요", price: 1_000_000 };
const lines = (text: string): string[] => text.split("\n").slice(0, -1);
/** Where a part of a line begins, in columns of the screen. */
const columnOf = (line: string, part: string): number =>
  displayWidth(line.slice(0, line.indexOf(part)));

describe("a table", () => {
  test("has a header, two spaces between columns, and numbers to the right", async () => {
    const rows = [
      row,
      { messageId: "M23", text: "hi", price: 20 },
      { messageId: "M4", price: null },
    ];
    expect(lines(await list({}, columns, rows)).slice(0, 3)).toEqual([
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

  test("seconds give way first, then the middle of ids, then columns from the right", async () => {
    const at = async (tty: number) => lines(await named(tty)).map((line) => line.trimEnd());
    expect(await at(110)).toEqual([
      "                                                                             SCHEDULED",
      "GROUP ID                          NAME                                TOTAL      COUNT  DATE CREATED KST",
      "G4V20260115101500AB12CD34EF56GH7  배송 안내 문자를 모두에게 보냅니다      1         12  2026-01-15 19:15:00",
    ]);
    expect(await at(80)).toEqual([
      "                                                     SCHEDULED",
      "GROUP ID     NAME                             TOTAL      COUNT  DATE CREATED KST",
      "G4V2026…GH7  배송 안내 문자를 모두에게 보냅…      1         12  2026-01-15 19:15",
    ]);
    expect((await at(55)).at(-1)).toBe("G4V2026…GH7  배송 안내 문자를 모두에…      1         12");
    for (const tty of [50, 60, 76, 80, 90, 120])
      expect(Math.max(...(await at(tty)).map(displayWidth))).toBeLessThanOrEqual(tty);
  });

  test("a minor column goes before the others, and a note names what there was no room for", async () => {
    const name = { name: "name", value: () => group.name, isMinor: true };
    const wished = ["groupId", name, "total", "scheduledCount", "dateCreated"];
    const notes: string[] = [];
    const text = await list({}, wished, [group], { tty: 50, notes });
    expect(lines(text).at(-1)).toBe("G4V2026…F56GH7      1         12  2026-01-15 19:15");
    expect(notes).toEqual(["no room for name: --wide shows them"]);
    const wide = await list({ wide: true }, wished, [group], { tty: 50, notes });
    expect(lines(wide)[1]).toContain(group.name);
    expect(notes).toHaveLength(1);
  });

  test("a vital column goes after the others", async () => {
    const state = { name: "state", value: () => "scheduled", isVital: true };
    const notes: string[] = [];
    const wished = ["groupId", "name", "total", "dateCreated", state];
    const text = await list({}, wished, [group], { tty: 50, notes });
    expect(lines(text).at(-1)).toMatch(/^G4V\S+ {2}배송 안내 .* {2}1 {2}scheduled$/);
    expect(notes).toEqual(["no room for dateCreated: --wide shows them"]);
  });

  test("a column that is there to be copied is never shortened", async () => {
    const secret = { name: "groupId", value: () => group.groupId, isWhole: true };
    const text = await list({}, [secret, "name", "total", "dateCreated"], [group], { tty: 60 });
    expect(text).toContain(group.groupId);
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
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ a: anyText, b: anyText }), { minLength: 1 }),
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
    const [, header = "", line = ""] = lines(await list({}, columns, [wide], { tty: 80 }));
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

  test("T05 under 50 columns rows become cards, and nothing is cut", async () => {
    const rows = [wide, { messageId: "M2", text: null, price: 5 }];
    for (const tty of [20, 49]) {
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
    expect(await list({}, columns, rows, { tty: 50 })).toContain("TEXT");
  });

  test("columns that there is no room for are left out from the right", async () => {
    const many = Array.from({ length: 30 }, (_, at) => `member${at}`);
    const of = Object.fromEntries(many.map((name) => [name, "some longer value"]));
    const [header = ""] = lines(await list({}, many, [of], { tty: 80 }));
    expect(header.split(/ +/)).toEqual(["MEMBER0", "MEMBER1", "MEMBER2", "MEMBER3", "MEMBER4"]);
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
