import { describe, expect, test } from "vitest";
import { type CollectOptions, toMessages } from "../../../src/send/plan/collect-messages.ts";
import type { ReadOptions } from "../../../src/send/sources/rows.ts";
import { errorOf, rowsOf } from "../source.ts";

const defaults = { from: "0200000000", text: "hello" };

const collect = (
  content: string,
  options: Partial<CollectOptions> = {},
  read: Partial<ReadOptions> = {},
) => toMessages(rowsOf(content, read), { name: "list", defaults, max: 10_000, ...options });

const messagesOf = async (...given: Parameters<typeof collect>) => {
  const { messages, problems } = await collect(...given);
  expect(problems).toEqual([]);
  return messages;
};

describe("the columns of a table", () => {
  test("give members of the message; a row's own value wins over the flag's, an empty cell does not", async () => {
    const table = "to,text,subject,type,country\n010-0000-0001,안녕,공지,lms,\n0100000002,,,,\n";
    expect(await messagesOf(table, { fixLeadingZero: true })).toEqual([
      { to: "01000000001", from: "0200000000", text: "안녕", subject: "공지", type: "LMS" },
      { to: "0100000002", from: "0200000000", text: "hello" },
    ]);
  });

  test("are values of variables under their own names and the names they are mapped to", async () => {
    const table = '휴대폰,성명,금액\n01000000001,홍길동,"1,000"\n';
    const text = "#{name}님(#{성명}) #{금액}원";
    expect(
      await messagesOf(table, {
        defaults: { ...defaults, text },
        map: { to: "휴대폰", name: "성명" },
      }),
    ).toMatchObject([{ to: "01000000001", text: "홍길동님(홍길동) 1,000원" }]);
  });

  test("are asked for by any text of the row, that of a fallback too", async () => {
    const kakaoOptions = { pfId: "KA01PF260101000000000SANDBOX0001" };
    const table = "to,name,replacementText\n01000000001,홍길동,#{name}님\n";
    const found = await messagesOf(table, { defaults: { ...defaults, kakaoOptions } });
    expect(found).toMatchObject([{ replacementText: "홍길동님" }]);
  });

  test("win over --var, and a text of the row's own is filled too", async () => {
    const table = 'to,name,text\n01000000001,"#{shop}","#{name} of #{shop}"\n';
    expect(await messagesOf(table, { variables: { shop: "store", name: "nobody" } })).toMatchObject(
      [{ text: "#{shop} of store" }],
    );
  });

  test("leave the word to --var where they are blank", async () => {
    const options = { defaults: { ...defaults, text: "#{name}님" }, variables: { name: "고객" } };
    const table = "to,name\n01000000001,\n01000000002, \n01000000003,민지\n";
    const texts = (await messagesOf(table, options)).map(({ text }) => text);
    expect(texts).toEqual(["고객님", "고객님", "민지님"]);
    expect(await messagesOf('{"to":"01000000001","name":""}', options)).toMatchObject([
      { text: "고객님" },
    ]);
  });

  test("fill Kakao variables and custom fields", async () => {
    const table = "to,이름,order\n01000000001,홍길동,A-1\n";
    const kakaoOptions = { pfId: "P1", templateId: "T1", variables: { "#{성함}": "#{이름}" } };
    const { text: _, ...without } = defaults;
    expect(
      await messagesOf(table, {
        defaults: { ...without, kakaoOptions, customFields: { order: "#{order}" } },
      }),
    ).toEqual([
      {
        to: "01000000001",
        from: "0200000000",
        customFields: { order: "A-1" },
        kakaoOptions: { ...kakaoOptions, variables: { "#{성함}": "홍길동" } },
      },
    ]);
  });

  test("fill what is sent in place of a message, and the buttons of a friend-talk", async () => {
    const link = { buttonType: "WL", linkMo: "https://example.com/#{order}" };
    const kakaoOptions = { pfId: "P1", buttons: [{ buttonName: "#{이름}", ...link }] };
    const row = {
      to: "01000000001",
      ...{ 이름: "홍길동", order: "7" },
      replacementText: "#{이름}님",
      replacements: [{ text: "#{이름}", subject: "#{order}", to: "#{order}" }],
      kakaoOptions,
    };
    expect(await messagesOf(JSON.stringify(row))).toMatchObject([
      {
        replacementText: "홍길동님",
        replacements: [{ text: "홍길동", subject: "7", to: "#{order}" }],
        kakaoOptions: { buttons: [{ buttonName: "홍길동", linkMo: "https://example.com/7" }] },
      },
    ]);
    const template = JSON.stringify({
      ...row,
      kakaoOptions: { ...kakaoOptions, templateId: "T1" },
    });
    expect(await messagesOf(template)).toMatchObject([
      { kakaoOptions: { buttons: [{ buttonName: "#{이름}" }] } },
    ]);
    const { problems } = await collect(JSON.stringify({ ...row, order: null }));
    expect(problems).toMatchObject([
      { code: "UnfilledVariable", field: "replacements" },
      { code: "UnfilledVariable", field: "kakaoOptions.buttons" },
    ]);
  });

  test("a column that --map names wins over the one that has the name itself", async () => {
    const table = "to,성명,name,phone\n01000000001,홍길동,nick,01000000002\n";
    const map = { name: "성명", to: "phone" };
    const options = { defaults: { ...defaults, text: "#{name} #{to}" }, map };
    expect(await messagesOf(table, options)).toMatchObject([
      { to: "01000000002", text: "홍길동 01000000002" },
    ]);
    const row = '{"to":"01000000001","성명":"홍길동","name":"nick","phone":"01000000002"}';
    expect(await messagesOf(row, options)).toEqual(await messagesOf(table, options));
  });

  test.each(["to,To,text", "phone,TO,text,Text"])(
    "are refused where two give the same: %s",
    async (header) => {
      const { length } = header.split(",");
      const cells = Array.from({ length }, () => "01000000001").join(",");
      const error = await errorOf(() => collect(`${header}\n${cells}\n`));
      expect(error).toMatchObject({ exitCode: 2, code: "DuplicateColumn" });
      expect(error.todo).toContain("--map");
    },
  );

  test("are refused with a --map that a shell takes as one word", async () => {
    const words = "--map to=휴대폰, or --map 'to=수신 번호'";
    const table = await errorOf(() => collect("휴대폰,수신 번호\n01000000001,01000000002\n"));
    expect(table.todo).toContain(words);
    const rows = await collect('{"휴대폰":"01000000001","수신 번호":"01000000002"}\n');
    expect(rows.problems[0]?.text).toContain(words);
  });

  test("a column may give two members", async () => {
    const table = "번호,내용\n01000000001,알림\n";
    expect(
      await messagesOf(table, { map: { to: "번호", text: "내용", subject: "내용" } }),
    ).toMatchObject([{ text: "알림", subject: "알림" }]);
  });

  test("without a header: the first holds the recipients", async () => {
    expect(await messagesOf("01000000001\n", { header: false }, { header: false })).toMatchObject([
      { to: "01000000001" },
    ]);
  });

  test.each([
    ["고객 휴대폰,이름\n01000000001,a\n", "did you mean --map 'to=고객 휴대폰'?"],
    ["고객 전화,문자 내용\n01000000001,a\n", "did you mean --map 'to=고객 전화,text=문자 내용'?"],
    ["01000000001,a\n01000000002,b\n", "--no-csv-header"],
    ["a,b\n1,2\n", "the columns are a, b"],
  ])("none of which is the recipient are refused with the fix: %j", async (table, todo) => {
    const error = await errorOf(() => collect(table));
    expect(error).toMatchObject({ exitCode: 2, code: "MissingColumn" });
    expect(error.todo).toContain(todo);
  });

  test("must have the column that --map names, and one for each variable of the text", async () => {
    const table = "to,name\n01000000001,a\n";
    const mapped = await errorOf(() => collect(table, { map: { to: "phone" } }));
    expect(mapped.message).toContain('there is no column "phone"');
    const text = await errorOf(() => collect(table, { defaults: { text: "#{nmae}" } }));
    expect(text.message).toContain("#{nmae} has no column");
  });
});

describe("rows of JSON", () => {
  test("are messages; other plain members are variables", async () => {
    const rows =
      '{"to":"010-0000-0001","name":"홍","amount":1000,"customFields":{"a":"b"},"subject":null}';
    expect(
      await messagesOf(rows, { defaults: { ...defaults, text: "#{name} #{amount}" } }),
    ).toEqual([
      { to: "01000000001", from: "0200000000", text: "홍 1000", customFields: { a: "b" } },
    ]);
  });

  test("with several recipients give one message each", async () => {
    const rows = '[{"to":["01000000001","010 0000 0002"]}]';
    expect((await messagesOf(rows)).map(({ to }) => to)).toEqual(["01000000001", "01000000002"]);
  });

  test("can be mapped like columns", async () => {
    expect(await messagesOf('[{"phone":"01000000001"}]', { map: { to: "phone" } })).toMatchObject([
      { to: "01000000001" },
    ]);
  });

  test.each(["휴대폰", "전화번호", "수신번호", "phone", "Mobile"])(
    "may name the recipient %s, which is said once",
    async (key) => {
      const said: string[] = [];
      const rows = `[{"${key}":"01000000001"},{"${key}":"01000000002"}]`;
      const messages = await messagesOf(rows, { onRecipient: (it) => said.push(it) });
      expect([messages.map(({ to }) => to), said]).toEqual([["01000000001", "01000000002"], [key]]);
    },
  );

  test("with a recipient keep their other numbers as variables", async () => {
    const rows = '[{"phone":"01000000002","to":"01000000001"}]';
    expect((await messagesOf(rows)).map(({ to }) => to)).toEqual(["01000000001"]);
  });

  test("with two keys that may be the recipient are wrong", async () => {
    const { problems } = await collect('[{"휴대폰":"01000000001","phone":"01000000002"}]');
    expect(problems[0]?.text).toContain('"휴대폰" and "phone" both look like the recipient');
  });

  test.each([
    ['["01000000001"]', "NotAnObject", undefined],
    ['[{"to":{"a":1}}]', "1011", "to"],
    ['[{"to":"01000000001","voiceOptions":{"voiceType":"MALE"}}]', "UnknownMember", "voiceOptions"],
    ['[{"to":"01000000001","kakaoOptions":{"pfId":1}}]', "1011", "kakaoOptions.pfId"],
    ['[{"to":1012345678}]', "1011", "to"],
    ['[{"text":"no recipient"}]', "1010", "to"],
    ['[{"to":[]}]', "1010", "to"],
    ['[{"to":"01000000001","TO":"01000000002"}]', "DuplicateKey", "TO"],
    ['[{"to":"01000000001","To":["01000000002"]}]', "DuplicateKey", "To"],
  ])("that are no messages are problems: %j", async (rows, code, field) => {
    const { problems, messages } = await collect(rows);
    expect(messages).toEqual([]);
    expect(problems[0]).toMatchObject({ code, row: 1, line: 1, ...(field && { field }) });
  });

  test("an option of another type is described as a value of --input is", async () => {
    const { problems } = await collect('[{"to":"01000000001","kakaoOptions":{"pfId":1}}]');
    expect(problems[0]?.text).toBe("must be a text, in quotes");
  });

  test("that lack a variable are problems, never texts with a gap", async () => {
    const { problems } = await collect('{"to":"01000000001"}', {
      defaults: { ...defaults, text: "#{name}" },
    });
    expect(problems).toMatchObject([{ code: "UnfilledVariable", row: 1 }]);
  });
});

describe("all rows are checked", () => {
  test("I11 and every problem is told with row, line and column name", async () => {
    const table = [
      "휴대폰,text",
      "01000000001,ok",
      "1012345678,ok",
      "1.01E+10,ok",
      "01000000001 01000000002,ok",
      `01000000003,${"가".repeat(1001)}`,
      "abc,ok",
      "",
    ].join("\n");
    const { messages, problems, total } = await collect(table, { map: { to: "휴대폰" } });
    expect([messages.length, total]).toEqual([1, 6]);
    expect(problems.map(({ row, line, code, field }) => [row, line, code, field])).toEqual([
      [2, 3, "1011", "휴대폰"],
      [3, 4, "1011", "휴대폰"],
      [4, 5, "1011", "휴대폰"],
      [5, 6, "1031", "text"],
      [6, 7, "1011", "휴대폰"],
    ]);
    expect(problems[0]?.text).toContain("--fix-leading-zero");
  });

  test("I05 a ragged or broken row is a problem of that row alone", async () => {
    const { messages, problems } = await collect('{"to":"01000000001"}\n{"to":"0100');
    expect(messages).toHaveLength(1);
    expect(problems).toMatchObject([{ code: "Syntax", row: 2, line: 2, column: 7 }]);
  });

  test("strict refuses characters outside the completed set", async () => {
    const { problems } = await collect("to,text\n01000000001,똠방각하\n", { strict: true });
    expect(problems).toMatchObject([{ code: "1029", field: "text", row: 1 }]);
  });

  test("an empty value leaves no template behind in the text", async () => {
    const table = "to,note\n01000000001,\n";
    const options = { defaults: { ...defaults, text: "#{note}" } };
    const { problems } = await collect(table, options);
    expect(problems).toMatchObject([{ code: "EmptyVariable", field: "text" }]);
    const allowed = await collect(table, { ...options, allowEmpty: true });
    expect(allowed.problems).toMatchObject([{ code: "1010", field: "text" }]);
  });
});

describe("rows that are skipped", () => {
  const table = "to,text\n01000000001,a\n010-0000-0001,b\n01000000001,a\n01000000002,c\n";
  const lines = async (options: Partial<CollectOptions>) => {
    const { messages, skipped, total } = await collect(table, options);
    expect(messages.length + skipped.length).toBe(total);
    return skipped.map(({ row, reason }) => [row, reason]);
  };

  test("later rows to the same recipient, as digits", async () => {
    expect(await lines({})).toEqual([
      [2, "duplicate"],
      [3, "duplicate"],
    ]);
  });
  test("with to+text only the same text again", async () => {
    expect(await lines({ dedupe: "to+text" })).toEqual([[3, "duplicate"]]);
  });
  test("two alimtalks differ by their variables", async () => {
    const rows = ["a", "b", "a"].map((name) => {
      const kakaoOptions = { pfId: "P1", templateId: "T1", variables: { "#{name}": name } };
      return { to: "01000000001", from: "0200000000", kakaoOptions };
    });
    const { skipped, problems } = await collect(JSON.stringify(rows), {
      ...{ defaults: {}, dedupe: "to+text" },
    });
    expect([problems, skipped.map(({ row }) => row)]).toEqual([[], [3]]);
  });
  test("none when that is off", async () => {
    expect(await lines({ dedupe: "off" })).toEqual([]);
  });
});

describe("a source that gives no run is refused", () => {
  test.each(["", "to,text\n", "\n\n", "[]"])("I01 without rows: %j", async (content) => {
    expect(await errorOf(() => collect(content))).toMatchObject({ exitCode: 2, code: "NoRows" });
  });

  test("with more than 10,000 messages", async () => {
    const numbers = Array.from({ length: 10_001 }, (_, at) => `010${10_000_000 + at}`);
    const error = await errorOf(() => collect(`to\n${numbers.join("\n")}`));
    expect(error.code).toBe("TooManyRows");
    expect(await messagesOf(`to\n${numbers.slice(1).join("\n")}`)).toHaveLength(10_000);
  });
});
