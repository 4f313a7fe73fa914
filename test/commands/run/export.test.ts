/** `run export`: rows of a run as they were or would be sent, and what comes of feeding them back. */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { textProblem } from "../../../src/message/characters.ts";
import { template } from "../../../src/message/variables.ts";
import { meanwhile } from "../../support/money.ts";
import { shell } from "../../support/msg.ts";
import { callInDoubt } from "./in-doubt.ts";

const rows = [
  { to: "01000000001", from: "0200000000", text: "가".repeat(60), subject: "a", type: "LMS" },
  { to: "4155550100", from: "0200000000", text: 'b, "c"\nd', country: "1" },
];

/** A run that a guard stopped, exported, and the export as the source of a run that is only rehearsed. */
const fedBack = async (stdin: string, flags: string) => {
  const at = shell();
  const send = "send-many - --sandbox --dedupe off";
  expect((await at(`${send} --max-recipients 0`, { stdin })).code).toBe(7);
  const exported = await at(`run export last --sandbox --status not-sent ${flags}`);
  const again = await at(`${send} --again -n --json`, { stdin: exported.out });
  const { body } = JSON.parse(again.out || "{}");
  return { exported, again, messages: body?.messages };
};

/** What is said besides that the run may still be sent, which is said each time. */
const told = (err: string): string => {
  const [first = "", ...rest] = err.split("\n");
  expect(first).toMatch(
    /^the run has not begun, and --resume still sends all of it; .*: msg run cancel \S+$/m,
  );
  return rest.join("\n");
};

test.each(["-o csv", "-o jsonl", "-o csv --bom"])(
  "%s can be fed back: the same messages to the same countries",
  async (flags) => {
    const { exported, messages } = await fedBack(JSON.stringify(rows), flags);
    expect([exported.code, told(exported.err)]).toEqual([0, ""]);
    expect(messages).toMatchObject(rows);
  },
);

test("what columns cannot hold is named, and JSONL has it", async () => {
  const source = rows.map((it) => ({ ...it, customFields: { order: "7", "msg.own": "a" } }));
  const { exported } = await fedBack(JSON.stringify(source), "-o csv");
  expect(told(exported.err)).toBe("not shown: customFields; -o jsonl shows whole rows\n");
  const whole = await fedBack(JSON.stringify(source), "-o jsonl");
  expect([told(whole.exported.err), whole.messages]).toMatchObject(["", source]);
});

test.each([
  ["csv --for-spreadsheet", ["=1+1", "-50 %", "a\rb", "@x"]],
  ["tsv --for-spreadsheet", ["a\nb", "a\tb", '"a"', "=1+1"]],
  ["tsv", ["a\nb", "a\tb", '"a"']],
])("texts that %s changes are counted, others are none", async (format, texts) => {
  const asRows = (some: readonly string[]) =>
    JSON.stringify(some.map((text) => ({ to: "01000000001", from: "0200000000", text })));
  const changed = await fedBack(asRows([...texts, "a = b"]), `-o ${format}`);
  expect(changed.exported.err).toContain(`the texts of ${texts.length} messages differ here`);
  expect(
    (await fedBack(asRows(["a = b", "안녕하세요 😀"]), `-o ${format}`)).exported.err,
  ).not.toContain("as they are");
});

/** What a spreadsheet, a reader of CSV or a terminal would take for something else than text. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(..."=+-@＝＋－＠'\"`,;\t\n\r\\ #{}\ufeff\u3000\u00a0\u2028\u202e\u200b"),
      fc.constantFrom(
        "\r\n",
        '""',
        "=1+1",
        "'=1+1",
        "+82",
        "가",
        "안녕",
        "😀",
        "👨‍👩‍👧",
        "0",
        "a",
        "null",
      ),
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 3 }),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((pieces) => pieces.join(""))
  .filter((text) => text.trim() !== "" && template(text).names.length === 0)
  .filter((text) => textProblem("text", text, false) === undefined);

test("10,000 hostile texts that are exported as CSV are read back by send-many as they were", async () => {
  const rows = fc.array(hostile, { minLength: 1_000, maxLength: 1_000, size: "max" });
  const textsOf = (lines: string) =>
    lines
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).text);
  await fc.assert(
    fc.asyncProperty(rows, fc.constantFrom("", "--bom"), async (texts, flags) => {
      const at = shell();
      const send =
        "send-many - --sandbox --dedupe off --from 0200000000 --max-recipients 0 --again";
      const source = texts.map((text) => JSON.stringify({ to: "01000000001", text })).join("\n");
      expect((await at(`${send} --format jsonl`, { stdin: source })).code).toBe(7);
      const { out, err } = await at(`run export last --sandbox --status not-sent -o csv ${flags}`);
      expect(err).not.toContain("as they are sent");
      const again = await at(`${send} --format csv --encoding utf8`, { stdin: out });
      expect(again.code, again.err).toBe(7);
      const read = await at("run export last --sandbox --status not-sent -o jsonl");
      expect(textsOf(read.out)).toEqual(texts);
    }),
    { numRuns: 10 },
  );
});

test("--for-spreadsheet writes an apostrophe before a formula, and needs a format of cells", async () => {
  const source = JSON.stringify([{ to: "01000000001", from: "0200000000", text: "=1+1" }]);
  expect((await fedBack(source, "-o csv")).exported.out).toContain(",=1+1,");
  expect((await fedBack(source, "-o csv --bom")).exported.out).toContain(",=1+1,");
  const { exported } = await fedBack(source, "-o csv --for-spreadsheet");
  expect(exported.out).toContain(",'=1+1,");
  const refused = await shell()("run export last --sandbox -o jsonl --for-spreadsheet");
  expect([refused.code, refused.err]).toMatchObject([
    2,
    expect.stringMatching(/works with CSV and TSV only/),
  ]);
});

test("of a run that was left in the middle it is said that its rows may be sent yet", async () => {
  const at = shell();
  const line = "send-many - --sandbox --from 0200000000 --text x --staged";
  const stdin = "to\n01000000001\n";
  const ran = await at(line, { stdin, ...meanwhile(at, "--balance 0 --point 0") });
  expect(ran.code, ran.err).toBe(10);
  const exported = () => at("run export last --sandbox --status not-sent -o jsonl");
  expect((await exported()).err).toContain("the run is unfinished");
  await at("run cancel last --sandbox");
  expect((await exported()).err).not.toContain("resum");
});

test("an export without rows says nothing beside that", async () => {
  const at = shell();
  const line = "send-many - --sandbox --from 0200000000 --text x --json";
  expect((await at(line, { stdin: "to\n01000000001\n" })).code).toBe(0);
  const { code, out, err } = await at("run export last --sandbox --status not-sent -o csv");
  expect([code, out, err]).toEqual([0, "to,status,code,meaning\n", "no results\n"]);
});

test("a run that was not begun and is cancelled, as its export says, is not sent by --resume", async () => {
  const at = shell();
  const line = "send-many - --sandbox --from 0200000000 --text x --max-recipients 1";
  expect((await at(line, { stdin: "to\n01000000001\n01000000002\n" })).code).toBe(7);
  const words = "run export last --sandbox --status not-sent -o csv";
  const flags = "to send these rows again, use the flags of the run: --from --text\n";
  expect(told((await at(words)).err)).toBe(flags);
  expect((await at("run cancel last --sandbox")).code).toBe(0);
  expect((await at(words)).err).toBe(flags);
  await at("send-many --resume last --sandbox --max-recipients 2");
  expect((await at("message list --sandbox --json")).json()).toEqual([]);
});

test("rows of which nobody knows are not handed out without a word", async () => {
  const at = await callInDoubt();
  const { out, err } = await at("run export last --sandbox --status unknown -o jsonl");
  expect(out.trim().split("\n")).toHaveLength(2);
  expect(err).toMatch(/^2 messages may have been sent: .*: msg run reconcile \S+$/m);
  expect((await at("run export last --sandbox --status not-sent")).err).not.toContain("may have");
});

test("--as-sent shows a person and a pipe recipient, sender and text, and what became of them", async () => {
  const { exported } = await fedBack(JSON.stringify(rows), "--as-sent");
  expect(exported.out.split("\n")[0]?.split("\t")).toHaveLength(6);
  expect(told(exported.err)).toMatch(
    /^not shown: subject, type, country; .*\nthe texts of 1 message differ here from what is sent .*\n$/,
  );
});

test("rows that were left out and cannot be read are a problem of a file, not a fault of msg", async () => {
  const at = shell();
  const stdin = "to,text\n01000000001,a\n01000000001,b\n";
  const sent = await at("send-many - --sandbox --from 0200000000 --json", { stdin });
  expect(sent.json(), sent.err).toMatchObject({ accepted: 1, skipped: 1 });
  const file = join(at.folder, "state/runs", String(Object(sent.json()).run), "results.jsonl");
  rmSync(file);
  mkdirSync(file);
  const { code, err } = await at("run export last --sandbox");
  expect([code, err]).toEqual([2, expect.stringContaining(`could not read '${file}'`)]);
});
