import { gzipSync } from "node:zlib";
import fc from "fast-check";
import iconv from "iconv-lite";
import { describe, expect, test } from "vitest";
import { MsgError } from "../../../src/errors.ts";
import { readRows } from "../../../src/send/sources/rows.ts";
import { countOf } from "../../support/share.ts";
import { allOf, bytesOf, errorOf, rowsOf } from "../source.ts";

const korean = "to,이름\n01000000001,홍길동\n01000000002,똠방각하\n";
const utf16be = (text: string) => Buffer.from(text, "utf16le").swap16();

describe("the encoding of a source", () => {
  test.each([
    ["UTF-8", "utf8", Buffer.from(korean)],
    ["I03 UTF-8 with a byte order mark", "utf8", Buffer.from(`\uFEFF${korean}`)],
    ["I03 UTF-16LE with a mark", "utf16le", Buffer.from(`\uFEFF${korean}`, "utf16le")],
    ["I03 UTF-16BE with a mark", "utf16be", utf16be(`\uFEFF${korean}`)],
    ["I03 CP949", "cp949", iconv.encode(korean, "cp949")],
  ])("%s is found, and read the same in pieces of every size", async (_, encoding, bytes) => {
    for (const piece of [1, 2, 3, 7, bytes.length]) {
      const rows = rowsOf(bytes, {}, piece);
      expect((await allOf(rows)).map((row) => row.cells)).toEqual([
        ["01000000001", "홍길동"],
        ["01000000002", "똠방각하"],
      ]);
      expect(rows.found).toEqual({ format: "csv", encoding, columns: ["to", "이름"] });
    }
  });

  test("I03 syllables that are letters of UTF-8 as well are not guessed: the operator names the encoding", async () => {
    const list = "to,name\n01000000001,홍철\n";
    const bytes = iconv.encode(list, "cp949");
    const error = await errorOf(() => allOf(rowsOf(bytes)));
    expect(error).toMatchObject({ exitCode: 2, code: "EncodingUnclear" });
    expect(error.todo).toContain("--encoding cp949 reads 홍 here, --encoding utf8 reads ȫ");
    const named = await allOf(rowsOf(bytes, { encoding: "cp949" }));
    expect(named[0]?.cells).toEqual(["01000000001", "홍철"]);
    // Any other character tells, and so does a word of Latin letters; JSON is UTF-8.
    for (const [content, encoding] of [
      [iconv.encode(`${list}01000000002,김\n`, "cp949"), "cp949"],
      [Buffer.from("to,name\n01000000001,José\n"), "utf8"],
      [Buffer.from(list), "utf8"],
      [Buffer.from('[{"to":"01000000001","name":"ö"}]'), "utf8"],
    ] as const) {
      const rows = rowsOf(content);
      await allOf(rows);
      expect(rows.found.encoding).toBe(encoding);
    }
  });

  test.each(["utf8", "cp949"] as const)(
    "%s is found late in a long source, wherever a piece ends",
    async (encoding) => {
      const head = `to,이름\n`.replace("이름", "name");
      for (let pad = 0; pad < 4; pad += 1) {
        const filler = `0,${"x".repeat(64 * 1024 - head.length - 4 - pad)}\n`;
        const bytes = iconv.encode(`${head}${filler}하하,똠\n`, encoding);
        const rows = rowsOf(bytes, {}, 64 * 1024);
        expect((await allOf(rows)).at(-1)?.cells).toEqual(["하하", "똠"]);
        expect(rows.found.encoding).toBe(encoding);
      }
    },
  );

  test("named by the operator wins over what it looks like", async () => {
    const bytes = Buffer.from("to,a\n1,가\n", "utf16le");
    expect((await allOf(rowsOf(bytes, { encoding: "utf16le" })))[0]?.cells).toEqual(["1", "가"]);
  });

  test.each<[string, Buffer, number, "utf8" | undefined]>([
    ["I03 broken UTF-8", Buffer.from([0x74, 0x6f, 0x0a, 0xea, 0xb0, 0x80, 0xff, 0x0a]), 6, "utf8"],
    ["I03 a UTF-8 sequence cut off at the end", Buffer.from([0x74, 0x0a, 0xea, 0xb0]), 2, "utf8"],
    [
      "I03 neither UTF-8 nor CP949",
      Buffer.from([0x74, 0x6f, 0x0a, 0xff, 0xff, 0x0a]),
      3,
      undefined,
    ],
    [
      "I03 half a character of UTF-16",
      Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x0a, 0x00]),
      2,
      undefined,
    ],
  ])("%s is refused with its offset", async (_, bytes, offset, encoding) => {
    const named = encoding === "utf8" ? { encoding } : {};
    const error = await errorOf(() => allOf(rowsOf(bytes, named)));
    expect(error).toMatchObject({ kind: "usage", code: "NotDecodable" });
    expect(error.where).toBe(`list, byte ${offset}`);
  });

  test("I03 a NUL byte is refused with its offset", async () => {
    const error = await errorOf(() => allOf(rowsOf("to\n010\u0000\n", {}, 2)));
    expect(error).toMatchObject({ code: "NulByte", where: "list, byte 6" });
  });

  test.each(["to\n010\n", "휴대폰,이름\n010,가\n"])(
    "I03 UTF-16 without a mark is refused, and the flag that reads it is named: %j",
    async (text) => {
      const [le, be] = [Buffer.from(text, "utf16le"), utf16be(text)];
      expect((await errorOf(() => allOf(rowsOf(le)))).todo).toContain("--encoding utf16le");
      expect((await errorOf(() => allOf(rowsOf(be)))).todo).toContain("--encoding utf16be");
      const [row] = await allOf(rowsOf(be, { encoding: "utf16be" }));
      expect(row?.cells?.[0]).toBe("010");
    },
  );

  test.each([
    ["I09 a spreadsheet", Buffer.from("PK\u0003\u0004rest of the archive"), "spreadsheet (.xlsx)"],
    ["I09 gzip", gzipSync("to\n01000000001\n"), "gzip"],
    ["I09 an old spreadsheet", Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1]), ".xls"],
  ])("%s is recognised and not unpacked", async (_, bytes, what) => {
    const error = await errorOf(() => allOf(rowsOf(bytes)));
    expect(error).toMatchObject({ exitCode: 2, code: "NotText" });
    expect(error.message).toContain(what);
  });
});

describe("the format of a source", () => {
  test.each([
    ["csv", "to,name\n1,2\n"],
    ["csv", "to\n1\n"],
    ["tsv", "to\tname, given\n1\t2\n"],
    ["json", ' [{"to":"1"}]'],
    ["json", '{"messages":[{"to":"1"}]}'],
    ["json", '{\n  "messages": [{"to":"1"}]}'],
    ["jsonl", '{"to":"1"}\n{"to":"2"}\n'],
  ])("%s is found by content", async (format, text) => {
    const rows = rowsOf(text, {}, 1);
    expect((await allOf(rows)).length).toBeGreaterThan(0);
    expect(rows.found.format).toBe(format);
  });

  test("can be named", async () => {
    const rows = rowsOf("[to],b\n1,2\n", { format: "csv" });
    await allOf(rows);
    expect(rows.found.columns).toEqual(["[to]", "b"]);
  });
});

describe("rows", () => {
  test.each([
    ["an empty source", ""],
    ["a header alone", "to,name"],
    ["a header and blank lines", "to,name\n\n\r\n\n"],
    ["blank lines", "\n\n\n"],
    ["an empty list", "[]"],
    ["an empty list of messages", '{"messages":[]}'],
  ])("I01 %s has none", async (_, text) => {
    expect(await allOf(rowsOf(text))).toEqual([]);
  });

  test("are numbered without the header, with the lines of the source", async () => {
    const rows = await allOf(rowsOf('to,text\n\n1,"a\nb"\n2,c\n'));
    expect(rows.map(({ number, line }) => [number, line])).toEqual([
      [1, 3],
      [2, 5],
    ]);
  });

  test("that are ragged carry a problem, the others do not", async () => {
    const rows = await allOf(rowsOf("to,text\n1,a\n2\n3,b,c\n4,d\n"));
    expect(rows.map((row) => row.problem?.code)).toEqual([
      undefined,
      "RaggedRow",
      "RaggedRow",
      undefined,
    ]);
    expect(rows[1]?.problem).toMatchObject({ row: 2, line: 3 });
  });

  test("without a header have numbered columns", async () => {
    const rows = rowsOf("1,a\n2,b\n", { header: false });
    expect((await allOf(rows)).map((row) => row.number)).toEqual([1, 2]);
    expect(rows.found.columns).toEqual(["1", "2"]);
  });

  test("with a column twice are refused", async () => {
    const error = await errorOf(() => allOf(rowsOf("to,name,name\n1,a,b\n")));
    expect(error.message).toContain('"name" appears twice');
  });

  test("I02 an unterminated quote at row 100,000 is told with row and line", async () => {
    async function* source() {
      yield Buffer.from("to,text\n");
      for (let at = 0; at < 99; at += 1) yield Buffer.from("01000000001,a\n".repeat(1000));
      yield Buffer.from(`${"01000000001,a\n".repeat(999)}01000000001,"a\n`);
    }
    const error = await errorOf(() => allOf(readRows(source(), { name: "list" })));
    expect(error.where).toBe("list, line 100001, column 13, row 100000");
    expect(error.details).toMatchObject([{ row: 100_000, line: 100_001, column: 13 }]);
  });

  test("of JSON that cannot be read on are told with row, line and column", async () => {
    const error = await errorOf(() => allOf(rowsOf('[{"to":"1"},\n{"to" "2"}]')));
    expect(error.where).toBe("list, line 2, column 7, row 2");
  });

  test("I10 20,000 damaged sources are read or refused with a place, never a crash", async () => {
    const good = [
      'to,text\n01000000001,"a ""b"""\r\n01000000002,가\n',
      '[{"to":"01000000001","text":"a"},\n {"to":"01000000002","x":[1,{}]}]',
      '{"to":"01000000001"}\n{"to":"01000000002","text":"가\\n"}\n',
    ];
    const damaged = fc
      .tuple(fc.constantFrom(...good), fc.nat(80), fc.nat(4), fc.uint8Array({ maxLength: 3 }))
      .map(([text, at, cut, into]) => {
        const bytes = Buffer.from(text);
        return Buffer.concat([bytes.subarray(0, at), into, bytes.subarray(at + cut)]);
      });
    await fc.assert(
      fc.asyncProperty(damaged, async (bytes) => {
        try {
          for await (const row of readRows(bytesOf(bytes), { name: "list" })) {
            expect(row.problem?.row ?? row.number).toBe(row.number);
          }
        } catch (error) {
          if (!(error instanceof MsgError)) throw error;
          expect(error.where).toMatch(/^list, (line|byte) \d+/);
        }
      }),
      { numRuns: countOf(20_000, 5_000) },
    );
  });
});
