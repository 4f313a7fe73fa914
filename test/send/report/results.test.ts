/** `--results` and `results.jsonl`: what became of each row of a source. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { diskFiles } from "../../../src/durable/files.ts";
import { createJsonLines } from "../../../src/durable/new-file.ts";
import { systemError } from "../../durable/faulty.ts";
import { hurried } from "../../support/clock.ts";
import { meanwhile } from "../../support/money.ts";
import { type Shell, shell } from "../../support/msg.ts";

const rows = [
  "to,from,text",
  "01000000001,0200000000,a",
  "01000000002,0299999999,b",
  "12,0200000000,c",
  "01000000001,0200000000,d",
  "01000000005,0200000000,e",
].join("\n");

const line = (at: Shell, ...more: readonly string[]) => [
  ..."send-many - --sandbox --on-invalid skip --results".split(" "),
  join(at.folder, "r.jsonl"),
  ...more,
];
const told = (at: Shell, name = "r.jsonl"): unknown[] =>
  readFileSync(join(at.folder, name), "utf8")
    .trim()
    .split("\n")
    .map((it) => JSON.parse(it))
    .sort((left, right) => left.row - right.row);

const skipped = { status: "skipped" };
const sent = { messageId: expect.stringMatching(/^M4V/) };
const all = [
  { row: 1, to: "01000000001", status: "accepted", statusCode: "2000", ...sent },
  { row: 2, to: "01000000002", status: "refused", statusCode: "1062", ...sent },
  { row: 3, line: 4, code: "1011", text: expect.stringContaining("to:"), ...skipped },
  { row: 4, line: 5, to: "01000000001", code: "duplicate", ...skipped },
  { row: 5, to: "01000000005", status: "accepted", statusCode: "2000", ...sent },
];

describe.each([[[]], [["--staged"]], [["--direct"]]])("a run with %s", (flags) => {
  test("--results holds every row once; a finished run writes them again", async () => {
    const at = shell();
    await at("sandbox set --sandbox --tick 1h");
    expect((await at(line(at, ...flags), { stdin: rows })).code).toBe(3);
    expect(told(at)).toEqual(all);
    const again = join(at.folder, "again.jsonl");
    await at(["send-many", "--resume", "last", "--sandbox", "--results", again]);
    expect(told(at, "again.jsonl")).toEqual(all);
  });
});

test("rows that are not sent are told as that; a guard leaves no file behind", async () => {
  const at = shell();
  expect((await at(line(at, "--max-recipients", "1"), { stdin: rows })).code).toBe(7);
  expect(existsSync(join(at.folder, "r.jsonl"))).toBe(false);
  const resume = ["send-many", "--resume", "last", "--sandbox", "--max-recipients", "9"];
  const results = ["--results", join(at.folder, "r.jsonl")];
  const stopped = await at([...resume, ...results], meanwhile(at, "--balance 0 --point 0"));
  expect(stopped.code).toBe(10);
  expect(told(at).filter((it) => JSON.stringify(it).includes("not-sent"))).toEqual([
    { row: 1, to: "01000000001", status: "not-sent" },
    { row: 2, to: "01000000002", status: "not-sent" },
    { row: 5, to: "01000000005", status: "not-sent" },
  ]);
});

test("wrong rows that stop a run are all in --results; the run is gone", async () => {
  const at = shell();
  const file = join(at.folder, "r.jsonl");
  const ran = await at(["send-many", "-", "--sandbox", "--results", file], { stdin: rows });
  expect(ran.code).toBe(2);
  expect(told(at)).toEqual([
    expect.objectContaining({ row: 3, code: "1011" }),
    expect.objectContaining({ row: 4, code: "duplicate" }),
  ]);
  expect(readdirSync(join(at.folder, "state/runs")).filter((it) => /^\d/.test(it))).toEqual([]);
});

test("run export --status skipped tells what was left out and why, without a file of one's own", async () => {
  const at = shell();
  await at("send-many - --sandbox --on-invalid skip", { stdin: rows });
  const { out } = await at("run export last --sandbox --status skipped --fields text,to,code");
  expect(out).toBe("c\t12\t1011\nd\t01000000001\tduplicate\n");
});

test("a list of skipped rows that is damaged is named, and keeps nobody from the other rows", async () => {
  const at = shell();
  await at("send-many - --sandbox --on-invalid skip", { stdin: rows });
  const runs = join(at.folder, "state/runs");
  const [run = ""] = readdirSync(runs).filter((it) => /^\d/.test(it));
  writeFileSync(join(runs, run, "results.jsonl"), '{"row":');
  const { code, err } = await at("run export last --sandbox --status skipped");
  expect([code, err]).toEqual([2, expect.stringContaining("results.jsonl")]);
  expect((await at("run export last --sandbox --status accepted")).code).toBe(0);
});

test("what was left out is read piece by piece, however long one of its lines is", async () => {
  const at = shell();
  const cells = ["나".repeat(500_000), "b", "가".repeat(200_000), "가".repeat(200_000)];
  const stdin = ["to", ...cells, "01000000001"].join("\n");
  const send = "send-many - --sandbox --from 0200000000 --text x --on-invalid skip";
  expect((await at(send, { stdin })).code).toBe(0);
  const { out } = await at("run export last --sandbox --status skipped -o jsonl");
  const lines = out.trimEnd().split("\n");
  expect(lines.map((it) => JSON.parse(it).to)).toEqual(cells);
  for (const [index, line] of lines.entries())
    expect(JSON.parse(line).meaning).toContain(`line ${index + 2}: to: "`);
});

test("rows that cannot be read after a run was sent do not hide that it was sent", async () => {
  const at = shell(hurried());
  await at("sandbox fault add --sandbox --on 'GET /messages/v4/list' --do status:503");
  const ran = await at(line(at, "--json"), { stdin: rows });
  expect(ran.code).toBe(3);
  expect(ran.json()).toMatchObject({ accepted: 2, refused: 1 });
  expect(ran.err).toContain("the results of some rows are missing: server fault");
  expect(existsSync(join(at.folder, "r.jsonl"))).toBe(false);
});

test("D09 a disk over a network that fails as the file is closed hides nothing of what was sent", () => {
  const path = join(shell().folder, "results.jsonl");
  const close = (): never => {
    throw systemError("EDQUOT");
  };
  const lines = createJsonLines({ ...diskFiles, close }, path);
  lines.add({ row: 1 });
  lines.end();
  lines.close();
  expect(readFileSync(path, "utf8")).toBe('{"row":1}\n');
});

test("run export tells rows by what became of them, several at once, each once", async () => {
  const at = shell();
  await at("send-many - --sandbox --on-invalid skip", { stdin: rows });
  const texts = async (status: string) =>
    (
      await at(`run export last --sandbox --status ${status} -o tsv --no-header --fields text`)
    ).out.trim();
  expect(await texts("accepted")).toBe("a\ne");
  expect(await texts("refused")).toBe("b");
  expect(await texts("refused,unknown,not-sent")).toBe("b");
  expect(await texts("accepted,refused")).toBe("a\nb\ne");
  expect((await at("run export last --sandbox --status sent")).err).toMatch(
    /takes accepted, refused, unknown, not-sent, skipped, delivered, failed, pending, got 'sent'/,
  );
});
