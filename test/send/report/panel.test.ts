/** What a person at a terminal reads before a run is sent, and what is asked. */
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import iconv from "iconv-lite";
import { expect, test } from "vitest";
import { type Shell, shell } from "../../support/msg.ts";
import { rewriteRun } from "../../support/run-files.ts";

const send = (at: Shell, content: string | Uint8Array, answers: readonly string[]) => {
  const file = join(at.folder, "customers.csv");
  writeFileSync(file, content);
  const line = `send-many ${file} --sandbox --from 0200000000 --text "#{이름}님 #{글}"`;
  // Where no time passes no progress is told between the lines: how it is told is a test of its own.
  return at(line, { tty: 100, answers, ticks: () => 0 });
};

const long = "가".repeat(50);
const source = [
  "to,이름,글",
  "01000000001,김,안녕하세요",
  `01000000002,이,${long}`,
  "01000000003,박,네",
  "01000000001,김,다시",
].join("\n");

test("the panel names source, rows, types, what became LMS, what is left out, cost, quota and samples", async () => {
  const at = shell();
  const ran = await send(at, iconv.encode(source, "cp949"), ["y"]);
  expect(ran.code, ran.err).toBe(0);
  expect(ran.err.replace(at.folder, "…").replace(/^took .* s\n/m, "")).toBe(
    [
      "skipped row 4: duplicate recipient 01000000001",
      "profile   sandbox, 1,005,000 won",
      "source    …/customers.csv, CSV in CP949, 4 rows",
      "to send   3 (2 SMS, 1 LMS)",
      "as LMS    row 2: longer than an SMS",
      "left out  1 duplicate",
      "cost      90 won",
      "quota     100,000 left of 100,000 messages a day",
      "first     row 1 to 01000000001, 15 bytes: 김님 안녕하세요",
      "longest   row 2 to 01000000002, 105 bytes: 이님",
      `          ${long}`,
      "shortest  row 3 to 01000000003, 7 bytes: 박님 네",
      "",
    ].join("\n"),
  );
  expect(ran.questions).toEqual(["Send 3 messages for 90 won?"]);
});

test("a file that was changed since it was sent: the panel names what was sent of it before", async () => {
  const at = shell();
  await send(at, source, ["y"]);
  const again = await send(at, source.replace("네", "예"), ["n"]);
  expect(again.err.replace(/\d{8}-\d{9}-[0-9a-f]{6}/, "…")).toContain(
    "before    3 accepted in run …, of this file with other rows, another text or\n",
  );
  const line = `send-many ${join(at.folder, "customers.csv")} --sandbox --from 0200000000`;
  const piped = await at(`${line} --text x --estimate`);
  expect(piped.err).toMatch(/^3 accepted in run \S+, of this file with other rows,/m);
  const same = await send(at, source, ["n"]);
  expect(same.err).not.toContain("before    ");
  const runs = join(at.folder, "state/runs");
  const [run = ""] = readdirSync(runs).filter((it) => !it.startsWith("."));
  rewriteRun(join(runs, run), (text) => {
    const served = text.replace('"baseUrl":null', '"baseUrl":"http://127.0.0.1:4610"');
    return served.replace('"key":"0001"', '"key":"0002"');
  });
  const rehearsed = await send(at, source.replace("네", "예"), ["n"]);
  expect(rehearsed.err).not.toContain("before    ");
});

test("what may go out in place of Kakao messages is said beside their cost", async () => {
  const at = shell();
  const pfId = "KA01PF260101000000000SANDBOX0001";
  const rows = [
    { to: "01000000001", text: "a", kakaoOptions: { pfId } },
    { to: "01000000002", text: "a", kakaoOptions: { pfId, disableSms: true } },
    { to: "01000000003", text: "a", replacements: [{ text: "b", subject: "c" }] },
    { to: "01000000004", text: "a", kakaoOptions: { pfId }, subject: "c" },
    { to: "01000000005", kakaoOptions: { pfId, templateId: "KA01TP260101000000000SANDBOX0004" } },
  ];
  const file = join(at.folder, "rows.json");
  writeFileSync(file, JSON.stringify(rows));
  const ran = await at(`send-many ${file} --sandbox --from 0200000000 --estimate`, { tty: 100 });
  expect(ran.err).toContain(
    "cost      78 won, plus up to 120 won for fallback messages; fallback messages for 1 message not\n" +
      "          included",
  );
});

test("a long row with several recipients is named once", async () => {
  const long = { to: ["01000000001", "01000000002"], text: "가".repeat(46) };
  const stdin = [long, { to: "01000000003", text: "가" }]
    .map((it) => JSON.stringify(it))
    .join("\n");
  const ran = await shell()("send-many - --from 0200000000 --sandbox -n", { stdin });
  expect(ran.out).toContain("row 1: longer than an SMS");
});

test("a part without a message names no types", async () => {
  const at = shell();
  const shown = await Promise.all(
    ["1/2", "2/2"].map((part) =>
      at(`send-many - --from 0200000000 --text a --part ${part} --sandbox -n`, {
        stdin: "to\n01000000001\n",
      }),
    ),
  );
  const lines = shown.map(({ out }) => /to send\t(.*)/.exec(out)?.[1]);
  expect(lines.sort()).toEqual(["0", "1 (1 SMS)"]);
});

test("a subject makes an LMS of a row that is short: it is not called long", async () => {
  const ran = await send(
    shell(),
    source
      .replace("글", "글,subject")
      .replace("하세요", "하세요,공지")
      .replace(long, `${long},`)
      .replace("네", "네,")
      .replace("다시", "다시,"),
    ["y"],
  );
  expect(ran.err).toContain("to send   3 (2 LMS, 1 SMS)");
  expect(ran.err).toContain("as LMS    row 2: longer than an SMS");
});

test("more than 1,000 messages are typed as a number; another number sends nothing", async () => {
  const rows = Array.from(
    { length: 1_001 },
    (_, at) => `0100001${String(at).padStart(4, "0")},a,b`,
  );
  const many = ["to,이름,글", ...rows].join("\n");
  const at = shell();
  const wrong = await send(at, many, ["1000"]);
  expect([wrong.code, wrong.questions]).toEqual([
    7,
    ["Send 1,001 messages for 20,020 won? Type 1001 to send:"],
  ]);
  expect((await at("group list --sandbox --json")).json()).toEqual([]);
  expect((await send(at, many, ["1001"])).code).toBe(0);
});

test("the hour of a run is shown in the zone in which it was typed, by its name", async () => {
  const at = shell();
  await at("sandbox reset --seed 1");
  const words = "send-many - --sandbox --from 0200000000 --text x --estimate --tz Asia/Seoul --at";
  const options = { tty: 100, stdin: "to\n01000000001\n" };
  const { code, err } = await at([...words.split(" "), "2026-01-05 19:00"], options);
  expect([code, err]).toEqual([
    0,
    expect.stringContaining("\nat        2026-01-05 19:00:00 KST\n"),
  ]);
});
