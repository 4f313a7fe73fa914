import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { shell } from "../../support/msg.ts";

const check = async (...words: string[]) => shell()(["text", "check", ...words]);

describe("msg text check", () => {
  test("measures a text and finds its type", async () => {
    const { code, json } = await check("안녕하세요", "--json");
    expect({ code, told: json() }).toEqual({
      code: 0,
      told: { characters: 5, bytes: 10, type: "SMS", subjectBytes: 0, problems: [] },
    });
    expect((await check("가".repeat(46), "--fields", "bytes,type,priceClass")).out).toBe(
      "92\tLMS\tlms\n",
    );
  });

  test("fills the variables of the subject as msg send does", async () => {
    const { json } = await check("가", "--subject", "#{name}", "--var", "name=가나다", "--json");
    expect(json()).toMatchObject({ subjectBytes: 6, problems: [] });
  });

  test("every character outside the completed set is named with its place; strict refuses", async () => {
    const { code, json } = await check("가똠😀", "--json");
    expect(code).toBe(0);
    expect(json()).toMatchObject({
      problems: [
        { code: "1029", at: 2, character: "똠" },
        { code: "1029", at: 3, character: "😀" },
      ],
    });
    const strict = await check("똠", "--strict");
    expect(strict.code).toBe(2);
    expect(strict.err).toContain("msg explain 1029");
  });

  test.each([
    [["가나", "--type", "SMS", "--subject", "제목"], "1013"],
    [["가나", "--subject", "가".repeat(21)], "1014"],
    [["가".repeat(46), "--type", "sms"], "1031"],
    [["가나", "--type", "POST"], "1025"],
    [["a\u0001b"], "1028"],
    [[""], "1010"],
    [["#{name}님"], "UnfilledVariable"],
    [["가나", "--subject", "#{name}"], "UnfilledVariable"],
    [["(광고) 세일", "--ad"], "AdOptOut"],
    [["세일 080-123-4567", "--ad"], "AdMark"],
  ])("%j is exit 2 with %s", async (words, code) => {
    const ran = await check(...words, "--json");
    expect(ran.code).toBe(2);
    expect(ran.json()).toMatchObject({ problems: [{ code }] });
  });

  test("an advertising text with its mark and its number passes", async () => {
    expect((await check("(광고) 세일 무료거부 080-123-4567", "--ad")).code).toBe(0);
  });

  test("the text comes from a word, a file or standard input; variables fill it", async () => {
    const msg = shell();
    writeFileSync(join(msg.folder, "a.txt"), "안녕\n");
    const bytes = ["--fields", "bytes"];
    expect((await msg(["text", "check", `@${join(msg.folder, "a.txt")}`, ...bytes])).out).toBe(
      "4\n",
    );
    expect((await msg(["text", "check", "-", ...bytes], { stdin: "안녕\n" })).out).toBe("4\n");
    expect((await msg(["text", "check", ...bytes], { stdin: "안\n" })).out).toBe("2\n");
    const cp949 = Buffer.from("bec8b3e7c7cfbcbcbfe4", "hex");
    expect((await msg(["text", "check", ...bytes], { stdin: cp949 })).out).toBe("10\n");
    const filled = ["text", "check", "#{name}님", "--var", "name=홍길동", ...bytes];
    expect((await msg(filled)).out).toBe("8\n");
    expect((await msg("text check", { tty: 80 })).code).toBe(2);
  });

  test("--csv shows the worst row: what is wrong first, then the longest", async () => {
    const msg = shell();
    const file = join(msg.folder, "c.csv");
    writeFileSync(file, "to,name\n01000000001,김\n01000000002,아주긴이름\n01000000003,박\n");
    const at = async (text: string, ...more: string[]) =>
      msg(["text", "check", text, "--csv", file, "--json", ...more]);
    expect((await at("#{name}님")).json()).toMatchObject({ row: 2, bytes: 12, problems: [] });
    const unfilled = await at("#{name}님 #{city}");
    expect(unfilled.code).toBe(2);
    expect(unfilled.json()).toMatchObject({ problems: [{ code: "UnfilledVariable" }] });
    expect((await at("#{name}님 #{city}", "--var", "city=서울")).code).toBe(0);
    writeFileSync(file, "to,text\n01000000001,짧다\n01000000002,길다길다\n");
    expect((await msg(["text", "check", "--csv", file, "--json"])).json()).toMatchObject({
      row: 2,
    });
    writeFileSync(file, "to,name\n");
    expect((await msg(["text", "check", "a", "--csv", file])).code).toBe(2);
  });

  test.each([
    ["to,#{name}\n01000000001,김\n", "#{name}님", { bytes: 4, problems: [] }],
    ['{"to":"01000000001","ok":true}\n', "#{ok}", { bytes: 4, problems: [] }],
    ["to,__proto__\n01000000001,김\n", "#{__proto__}님", { bytes: 4, problems: [] }],
    ["to,text,type\n01000000001, , lms \n", "안녕", { bytes: 4, type: "LMS", problems: [] }],
    ["to,name\n01000000001\n", "#{name}님", { problems: [{ code: "RaggedRow" }] }],
    ['{"to":"01000000001","nmae":[1]}\n', "안녕", { problems: [{ code: "UnknownMember" }] }],
  ])("--csv reads a row as send-many does: %j", async (source, text, told) => {
    const msg = shell();
    const file = join(msg.folder, "rows");
    writeFileSync(file, source);
    const checked = await msg(["text", "check", text, "--csv", file, "--json"]);
    expect(checked.json(), checked.err).toMatchObject({ row: 1, ...told });
    const words = ["send-many", file, "--text", text, "--from", "0200000000", "--sandbox", "-n"];
    const planned = await msg(words);
    expect(checked.code, planned.err).toBe(planned.code);
  });

  test("--csv names the row without a text of several that have one", async () => {
    const msg = shell();
    const file = join(msg.folder, "rows.csv");
    writeFileSync(file, "to,text\n01000000001,안녕\n01000000002\n01000000003, \n");
    const ran = await msg(["text", "check", "--csv", file, "--json"]);
    expect(ran.json(), ran.err).toMatchObject({ row: 2, problems: [{ code: "RaggedRow" }] });
    writeFileSync(file, "to,text\n01000000001,안녕\n01000000003, \n");
    const blank = await msg(["text", "check", "--csv", file, "--json"]);
    expect(blank.json(), blank.err).toMatchObject({ row: 2, problems: [{ code: "1010" }] });
  });

  test("a variable may be named as a template writes it, and by any word", async () => {
    expect((await check("#{name}님", "--var", "#{name}=김", "--fields", "bytes")).out).toBe("4\n");
    const word = ["#{__proto__}님", "--var", "__proto__=김"];
    expect((await check(...word, "--fields", "bytes")).out).toBe("4\n");
  });
});

test("a text that cannot be decoded names no flag of lists: there is none here", async () => {
  const msg = shell();
  for (const bytes of [
    [0xff, 0xff],
    [0x68, 0, 0x69, 0],
    [0xc8, 0xab],
  ]) {
    writeFileSync(join(msg.folder, "text"), Buffer.from(bytes));
    const { code, err } = await msg(["text", "check", `@${join(msg.folder, "text")}`]);
    expect(code).toBe(2);
    expect(err).toContain("save it as UTF-8 with a byte order mark\n");
    expect(err).not.toContain("--encoding");
  }
});
