/** What operators have at hand: spreadsheets, texts in CP949, pictures by their path, and a body of the call. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { unzipSync, zipSync } from "fflate";
import iconv from "iconv-lite";
import { describe, expect, test } from "vitest";
import writeExcelFile, { type Cell } from "write-excel-file/node";
import { openSource } from "../../../src/send/sources/open-source.ts";
import { readRows } from "../../../src/send/sources/rows.ts";
import { type Shell, shell } from "../../support/msg.ts";
import { jpeg } from "../../support/pictures.ts";

const cell = (value: string | number | Date): Cell =>
  value instanceof Date ? { value, format: "yyyy-mm-dd" } : { value };

const sheetAt = async (at: Shell, rows: readonly (readonly (string | number | Date)[])[]) => {
  const path = join(at.folder, "고객.xlsx");
  const second = { data: [[cell("to")], [cell("01000000009")]], sheet: "둘째" };
  const first = { data: rows.map((row) => row.map(cell)), sheet: "고객" };
  await writeExcelFile([first, second]).toFile(path);
  return path;
};
const send = (path: string, ...flags: readonly string[]) =>
  ["send-many", path, "--sandbox", "--from", "0200000000", "-n", "--json", ...flags] as const;

describe("a spreadsheet", () => {
  test("is read: texts as they are, numbers as typed, dates as ISO", async () => {
    const at = shell();
    const day = new Date(Date.UTC(2026, 7, 1));
    const path = await sheetAt(at, [
      ["휴대폰", "이름", "금액", "날짜"],
      ["010-0000-0001", "민지", 1_234_567.5, day],
    ]);
    const ran = await at(send(path, "--text", "#{이름}님 #{금액} #{날짜}"));
    expect(ran.json(), ran.err).toMatchObject({
      body: { messages: [{ to: "01000000001", text: "민지님 1234567.5 2026-08-01" }] },
    });
    const other = await at(send(path, "--text", "x", "--sheet", "둘째"));
    expect(other.json(), other.err).toMatchObject({ body: { messages: [{ to: "01000000009" }] } });
    const titled = await at(send(await sheetAt(at, [["고객 명단"], ["휴대폰"]]), "--text", "x"));
    expect(titled.err).toContain("the first row must name them, and --sheet reads another sheet");
    const none = await at(send(path, "--text", "x", "--sheet", "셋째"));
    expect([none.code, none.err]).toEqual([
      2,
      expect.stringContaining("its sheets are 고객, 둘째"),
    ]);
  });

  test.each(["to\n01000000001\n", '[{"to":"01000000001"}]'])(
    "is what --sheet is for: beside %j it is refused",
    async (stdin) => {
      const { code, out, err } = await shell()(send("-", "--text", "x", "--sheet", "둘째"), {
        stdin,
      });
      expect([code, JSON.parse(err).error], out).toEqual([
        2,
        expect.objectContaining({ code: "MissingSheet", outcome: "not_sent" }),
      ]);
    },
  );

  test("a zero that it took is named, and put back when asked", async () => {
    const at = shell();
    const path = await sheetAt(at, [["to"], [1_000_000_001]]);
    const lost = await at(send(path, "--text", "x"));
    expect([lost.code, lost.err]).toEqual([2, expect.stringContaining("lost its leading zero")]);
    const ran = await at(send(path, "--text", "x", "--fix-leading-zero"));
    expect(ran.json()).toMatchObject({ body: { messages: [{ to: "01000000001" }] } });
  });

  test("says each minute of a day as it is, and an hour alone without a day", async () => {
    const at = shell();
    const path = join(at.folder, "시간.xlsx");
    const minutes = Array.from({ length: 24 * 60 }, (_, minute) => minute);
    const dated = minutes.map((minute) => [
      cell(`010${String(minute).padStart(8, "0")}`),
      { value: 45_000 + minute / 1440, format: "yyyy-mm-dd hh:mm" },
      { value: minute / 1440, format: "h:mm" },
    ]);
    await writeExcelFile([[cell("to"), cell("when"), cell("hour")], ...dated]).toFile(path);
    const texts: string[] = [];
    for await (const { cells } of readRows(openSource(path), { name: path }))
      texts.push(`${cells?.[1]}, ${cells?.[2]}`);
    expect(texts).toEqual(
      minutes.map((minute) => {
        const hour = new Date(minute * 60_000).toISOString().slice(11, 16);
        return `2023-03-15${minute === 0 ? "" : ` ${hour}`}, ${hour}`;
      }),
    );
  });

  test("says hours that are more than a day has", async () => {
    const path = join(shell().folder, "근무.xlsx");
    const hours = [36, 208.5].map((it) => [
      cell("01000000001"),
      { value: it / 24, format: "[h]:mm" },
    ]);
    await writeExcelFile([[cell("to"), cell("hours")], ...hours]).toFile(path);
    const texts: (string | undefined)[] = [];
    for await (const { cells } of readRows(openSource(path), { name: path }))
      texts.push(cells?.[1]);
    expect(texts).toEqual(["36:00", "208:30"]);
  });

  test("whose sheets have numbers for names is read by name, and by number where none has it", async () => {
    const at = shell();
    const path = join(at.folder, "달.xlsx");
    const sheets = ["2", "1", "07"].map((sheet, index) => ({
      data: [[cell("to")], [cell(`0100000000${index}`)]],
      sheet,
    }));
    await writeExcelFile(sheets).toFile(path);
    for (const [sheet, to] of [
      ["1", "01000000001"],
      ["2", "01000000000"],
      ["07", "01000000002"],
      ["3", "01000000002"],
    ] as const) {
      const ran = await at(send(path, "--text", "x", "--sheet", sheet));
      expect(ran.json(), ran.err).toMatchObject({ body: { messages: [{ to }] } });
    }
  });

  test.each(["hidden", "veryHidden"])(
    "is read from its first sheet that is not %s",
    async (state) => {
      const at = shell();
      const path = join(at.folder, "옛.xlsx");
      const sheets = ["옛", "새"].map((sheet, index) => ({
        data: [[cell("to")], [cell(`0100000000${index}`)]],
        sheet,
      }));
      await writeExcelFile(sheets).toFile(path);
      const files = unzipSync(readFileSync(path));
      const name = "xl/workbook.xml";
      const list = Buffer.from(files[name] ?? []).toString();
      const hidden = Buffer.from(list.replace("<sheet ", `<sheet state="${state}" `));
      writeFileSync(path, zipSync({ ...files, [name]: hidden }));
      for (const [flags, to] of [
        [[], "01000000001"],
        [["--sheet", "옛"], "01000000000"],
      ] as const) {
        const ran = await at(send(path, "--text", "x", ...flags));
        expect(ran.json(), ran.err).toMatchObject({ body: { messages: [{ to }] } });
      }
    },
  );

  test("says how many of its rows are hidden, as a filter does: they are sent, too", async () => {
    const at = shell();
    const path = await sheetAt(at, [["to"], ["01000000001"], ["01000000002"], ["01000000003"]]);
    const files = unzipSync(readFileSync(path));
    const [first, second] = ["xl/worksheets/sheet1.xml", "xl/worksheets/sheet2.xml"] as const;
    const rows = Buffer.from(files[first] ?? []).toString();
    const hidden = rows.replace(/<row r="([23])"/g, '<row r="$1" hidden="1"');
    expect(hidden).not.toBe(rows);
    const empty = hidden.replace("</sheetData>", '<row r="9" hidden="1"/></sheetData>');
    writeFileSync(path, zipSync({ ...files, [first]: Buffer.from(empty) }));
    const said =
      "고객.xlsx has hidden rows, by a filter or by hand, which are read like the others: 2";
    for (const sheet of [[], ["--sheet", "고객"], ["--sheet", "1"]]) {
      const ran = await at(send(path, "--text", "x", ...sheet));
      expect(ran.json(), ran.err).toMatchObject({ body: { messages: [{}, {}, {}] } });
      expect(ran.err).toContain(said);
    }
    expect((await at(send(path, "--text", "x", "--sheet", "둘째"))).err).not.toContain("hidden");
    writeFileSync(path, zipSync({ ...files, [second]: Buffer.from(empty) }));
    expect((await at(send(path, "--text", "x"))).err).not.toContain("hidden");
    expect((await at(send(path, "--text", "x", "--sheet", "둘째"))).err).toContain(said);
  });

  test("one that unpacks to too much is refused", async () => {
    const at = shell();
    const path = join(at.folder, "bomb.xlsx");
    const archive = Buffer.from(zipSync({ "xl/worksheets/sheet1.xml": Buffer.from("<x/>") }));
    archive.writeUInt32LE(0xf0000000, archive.indexOf("PK\u0001\u0002") + 24);
    writeFileSync(path, archive);
    const ran = await at(send(path, "--text", "x"));
    expect([ran.code, ran.err]).toEqual([2, expect.stringContaining("larger than 200 MB")]);
  });
});

test("--text @file reads what send-many reads: CP949, UTF-16", async () => {
  const at = shell();
  const text = "안녕하세요, 공지입니다";
  const mark = Buffer.from([0xff, 0xfe]);
  for (const bytes of [
    iconv.encode(text, "cp949"),
    Buffer.concat([mark, iconv.encode(text, "utf-16le")]),
  ]) {
    const path = join(at.folder, "notice.txt");
    writeFileSync(path, bytes);
    const line = "send --to 01000000001 --from 0200000000 --sandbox -n --json".split(" ");
    const ran = await at([...line, "--text", `@${path}`]);
    expect(ran.json(), ran.err).toMatchObject({ body: { message: { text } } });
  }
});

describe("what a body of the call says beside its messages", () => {
  const [message, other] = ["뚮", "뚮"].map((text) => ({ to: "01000000001", text }));
  const mark = Buffer.from([0xff, 0xfe]);

  test("holds in any encoding", async () => {
    const at = shell();
    const strict = JSON.stringify({ messages: [message], strict: true });
    const twice = JSON.stringify({ allowDuplicates: true, messages: [message, other] });
    const encoded = (text: string) => [
      Buffer.from(text),
      iconv.encode(text, "cp949"),
      Buffer.concat([mark, iconv.encode(text, "utf-16le")]),
    ];
    for (const stdin of encoded(strict)) {
      const ran = await at(send("-"), { stdin });
      expect([ran.code, ran.err]).toEqual([2, expect.stringContaining('"code":"1029"')]);
    }
    for (const stdin of encoded(twice)) {
      const ran = await at(send("-"), { stdin });
      expect(ran.json(), ran.err).toMatchObject({ plan: { messages: 2 } });
    }
  });

  test.each([{ appid: "a" }, { appId: 5 }])(
    "is refused where it is not valid: %o",
    async (agent) => {
      const stdin = JSON.stringify({ messages: [message], strict: true, agent });
      const ran = await shell()(send("-"), { stdin });
      expect([ran.code, ran.err]).toEqual([2, expect.stringMatching(/agent\.app.* is not valid/)]);
    },
  );

  test.each([
    [{ strict: true }, {}],
    [{}, { allowDuplicates: true }],
    [{}, { agent: { appId: "a" } }],
  ])("is refused where there are too many to read it ahead: %o, %o", async (before, after) => {
    const text = "가".repeat(900);
    const messages = Array.from({ length: 6300 }, () => ({ to: "01000000001", text }));
    const stdin = JSON.stringify({ ...before, messages, ...after });
    const ran = await shell()(send("-"), { stdin });
    expect([ran.code, ran.err]).toEqual([2, expect.stringContaining("--dedupe off")]);
  });

  test("that asks for nothing is taken with as many", async () => {
    const text = "가".repeat(900);
    const messages = Array.from({ length: 6300 }, () => ({ to: "01000000001", text }));
    const stdin = JSON.stringify({ strict: false, messages, agent: {}, allowDuplicates: null });
    const ran = await shell()(send("-"), { stdin });
    expect(ran.json(), ran.err).toMatchObject({ plan: { messages: 1 } });
  });
});

describe("--image photo.jpg", () => {
  test("is uploaded once, and found where it was; -n uploads nothing", async () => {
    const at = shell();
    const path = join(at.folder, "photo.jpg");
    writeFileSync(path, jpeg(800, 600));
    const line = ["send", "--to", "01000000001", "--from", "0200000000", "--sandbox", "--json"];
    const picture = ["--text", "a", "--image", path];
    expect((await at([...line, ...picture, "-n"])).err).not.toContain("uploaded");
    const first = await at([...line, ...picture]);
    expect([first.json(), first.err]).toMatchObject([
      { type: "MMS" },
      expect.stringContaining("photo.jpg as ST01"),
    ]);
    const second = await at([...line, ...picture]);
    expect([second.json(), second.err]).toMatchObject([{ type: "MMS" }, ""]);
    const id = first.err.trim().split(" ").at(-1);
    expect((await at(`files delete ${id} --sandbox -y`)).code).toBe(0);
    expect((await at([...line, ...picture])).err).toContain("uploaded");
  });

  test("what an MMS does not take is refused before anything is sent", async () => {
    const at = shell();
    const path = join(at.folder, "wide.jpg");
    writeFileSync(path, jpeg(1_600, 600));
    const ran = await at(
      `send --to 01000000001 --from 0200000000 --text a --sandbox --image ${path}`,
    );
    expect([ran.code, ran.err]).toEqual([2, expect.stringContaining("at most 1500 x 1440 pixels")]);
  });
});

test("a run's id names its profile; of a run that is resumed its flags are kept", async () => {
  const at = shell();
  const flags = "--rate 500 --settle 2m --concurrency 3 --max-recipients 1";
  const stdin = '[{"to":"01000000001"},{"to":"01000000002"}]';
  const made = await at(`send-many - --from 0200000000 --text a --sandbox --json ${flags}`, {
    stdin,
  });
  expect(made.code, made.err).toBe(7);
  const [run = ""] = /\d{8}-\d{9}-[0-9a-f]{6}/.exec(made.err) ?? [];
  const shown = await at(`run show ${run} --json`);
  expect(shown.json()).toMatchObject({ run, profile: "sandbox", state: "planned" });
  const sent = await at(`send-many --resume ${run} --max-recipients 2 --json`);
  expect(sent.json(), sent.err).toMatchObject({ accepted: 2 });
});

test("a list of excluded numbers that is empty leaves out no one, and says so", async () => {
  const at = shell();
  const list = join(at.folder, "optouts.csv");
  writeFileSync(list, "\n");
  const words = ["send-many", "-", "--from", "0200000000", "--text", "x", "--sandbox", "-y"];
  const ran = await at([...words, "--exclude", list], { stdin: "to\n01000000001\n" });
  expect(ran.code).toBe(0);
  expect(ran.err).toContain(`--exclude: ${list} has no numbers, so no one is left out`);
});
