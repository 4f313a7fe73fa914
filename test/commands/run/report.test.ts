/** The report of a run: the same rows as a spreadsheet and as a page, over both doors. */
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readSheet } from "read-excel-file/node";
import { expect, onTestFinished, test } from "vitest";
import { testClock } from "../../support/clock.ts";
import { shell } from "../../support/msg.ts";
import { type OpenDoor, twoDoors } from "../../support/two-doors.ts";

const list = [
  "to,name",
  "01000000001,=1+1",
  '01000003104,"<script>alert(1)</script>"',
  "01000001060,blocked",
  "01000000001,duplicate",
];

/** A run of three rows and a duplicate: one is delivered, one fails, one is refused. */
const sendList = async (msg: OpenDoor["msg"]): Promise<void> => {
  const file = join(msg.folder, "list.csv");
  writeFileSync(file, list.join("\n"));
  const line = ["send-many", file, "--from", "0200000000", "--text", "#{name}", "-y"];
  expect((await msg(line)).code).toBe(3);
};

test.each(twoDoors)("a spreadsheet with a summary and every row, %s", async (_door, open) => {
  const { pass, ...clock } = testClock();
  const { msg, close } = await open(clock);
  onTestFinished(close);
  await sendList(msg);
  pass(60_000);
  const file = join(msg.folder, "report.xlsx");
  const { code, out, err } = await msg(["run", "report", "last", "--out", file, "--json"]);
  expect(code, err).toBe(0);
  expect(JSON.parse(out)).toEqual({ file, rows: 4, delivered: 1, failed: 1 });
  expect(err).toContain("the report holds recipients and texts");
  expect(await readSheet(file, "Rows")).toEqual([
    ["to", "from", "type", "text", "status", "code", "meaning"],
    ["01000000001", "0200000000", "SMS", "=1+1", "delivered", "4000", "delivered"],
    [
      ...["01000003104", "0200000000", "SMS", "<script>alert(1)</script>", "failed", "3104"],
      "recipient does not use Kakao Talk",
    ],
    [
      ...["01000001060", "0200000000", "SMS", "blocked", "refused", "1060"],
      "recipient number blocked",
    ],
    ["01000000001", null, null, null, "skipped", "duplicate", expect.stringContaining("line 5")],
  ]);
  const summary = await readSheet(file);
  expect(summary).toContainEqual(["Delivered", 1, null]);
  expect(summary).toContainEqual(["Cost (won)", 40, null]);
  expect(summary.at(-1)).toEqual(["1060 recipient number blocked", 1, "remove this recipient"]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test.each(twoDoors)("a page that loads nothing, %s", async (_door, open) => {
  const { pass, ...clock } = testClock();
  const { msg, close } = await open(clock);
  onTestFinished(close);
  await sendList(msg);
  pass(60_000);
  const file = join(msg.folder, "report.html");
  expect((await msg(["run", "report", "last", "--out", file])).code).toBe(0);
  const page = readFileSync(file, "utf8");
  expect(page).toContain("What became of 4 rows");
  expect(page).toContain("Why 2 rows failed");
  expect(page).toMatch(/<svg class="share"[^>]*><rect class="delivered" x="0" width="250"/);
  expect(page).toContain("&#60;script&#62;alert(1)&#60;/script&#62;");
  // Neither a script nor anything from elsewhere.
  expect(page).not.toMatch(/<script|<link|\ssrc=|@import|url\(|https?:/);
});

test("a share that is not all is not called 100 %", async () => {
  const { pass, ...clock } = testClock();
  const msg = shell(clock);
  const numbers = Array.from({ length: 2_499 }, (_, at) => `0105${String(at).padStart(7, "0")}`);
  const stdin = `to\n${numbers.join("\n")}\n01000003104\n`;
  const line = ["send-many", "-", "--sandbox", "--from", "0200000000", "--text", "hi", "-y"];
  expect((await msg(line, { stdin })).code).toBe(0);
  pass(60_000);
  const file = join(msg.folder, "report.html");
  expect((await msg(["run", "report", "last", "--sandbox", "--out", file])).code).toBe(0);
  const page = readFileSync(file, "utf8");
  expect(page).toContain("&#62; 99.9 %");
  expect(page).not.toContain("100 %</span></li>");
});

test("before it is begun every row is not sent", async () => {
  const msg = shell(testClock());
  const file = join(msg.folder, "list.csv");
  writeFileSync(file, list.slice(0, 2).join("\n"));
  const line = ["send-many", file, "--sandbox", "--from", "0200000000", "--text", "hi"];
  expect((await msg([...line, "--max-cost", "1"])).code).toBe(7);
  const report = join(msg.folder, "report.xlsx");
  expect((await msg(["run", "report", "last", "--sandbox", "--out", report])).code).toBe(0);
  const [, row] = await readSheet(report, "Rows");
  expect(row?.slice(0, 6)).toEqual(["01000000001", "0200000000", "SMS", "hi", "not-sent", null]);
});

test("a rehearsal of what writes a file leaves none, and keeps one that is there", async () => {
  const msg = shell(testClock());
  expect(
    (await msg("send-many - --sandbox --from 0200000000 --text hi", { stdin: "to\n01000000001\n" }))
      .code,
  ).toBe(0);
  for (const [line, name] of [
    ["run report last --out", "there.html"],
    ["run report last --out", "there.xlsx"],
    ["message export", "there.xlsx"],
    ["balance quote --company A --amount 1000 --out", "quote.json"],
  ] as const) {
    const file = join(msg.folder, name);
    const { code, err } = await msg([...line.split(" "), file, "--sandbox", "-n"]);
    expect([line, code, err]).toEqual([line, 0, expect.stringContaining("nothing was changed")]);
    expect(existsSync(file)).toBe(false);
    writeFileSync(file, "mine");
    await msg([...line.split(" "), file, "--sandbox", "-n", "--force"]);
    expect(readFileSync(file, "utf8")).toBe("mine");
    rmSync(file);
  }
});

test("a file that is there, and a name without a kind, are refused before anything is asked", async () => {
  const msg = shell(testClock());
  const file = join(msg.folder, "there.html");
  writeFileSync(file, "mine");
  const there = await msg(["run", "report", "last", "--sandbox", "--out", file]);
  expect(there.code).toBe(2);
  expect(there.err).toContain("already exists");
  expect(readFileSync(file, "utf8")).toBe("mine");
  const kind = await msg("run report last --sandbox --out report.pdf");
  expect(kind.code).toBe(2);
  expect(kind.err).toContain("choose a name that ends in .xlsx or .html");
});

test("each row of a run of several groups has the code of its own message", async () => {
  const { pass, ...clock } = testClock();
  const msg = shell(clock);
  const numbers = ["01000001060", "01000000001", "01000003104", "01000000002", "01000001060"];
  const flags = ["--from", "0200000000", "--text", "x", "--sandbox", "--chunk", "1", "--dedupe"];
  const line = ["send-many", "-", ...flags, "off", "--group-size", "2", "-y"];
  const sent = await msg(line, { stdin: ["to", ...numbers, ""].join("\n") });
  expect(sent.code, sent.err).toBe(3);
  pass(60_000);
  const file = join(msg.folder, "report.xlsx");
  const ran = await msg(["run", "report", "last", "--sandbox", "--out", file]);
  expect(ran.code, ran.err).toBe(0);
  const rows = await readSheet(file, "Rows");
  expect(rows.slice(1).map((row) => [row[0], row[5]])).toEqual(
    numbers.map((to) => [to, to.startsWith("0100000000") ? "4000" : to.slice(-4)]),
  );
});
