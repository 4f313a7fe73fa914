/** `run export` with the columns of the input: of every kind of source, and as the source of another run. */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import iconv from "iconv-lite";
import { expect, test } from "vitest";
import writeExcelFile from "write-excel-file/node";
import { type Shell, shell } from "../../support/msg.ts";
import { rewriteRun } from "../../support/run-files.ts";

/** The sandbox delivers to the first, not to the second, and refuses the third. */
const people = [
  ["010-0000-0001", '민지 "M"'],
  ["01000003104", "철수, Kim"],
  ["01000001060", "영희"],
];
const quoted = (cells: readonly string[], by: string): string =>
  cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(by);
const delimited = (by: string): string =>
  [["휴대폰", "이름"], ...people].map((cells) => `${quoted(cells, by)}\r\n`).join("");
const objects = people.map(([to, name]) => ({ 휴대폰: to, 이름: name }));

const fileOf: Readonly<Record<string, (path: string) => Promise<void> | void>> = {
  "people.csv": (path) => writeFileSync(path, delimited(",")),
  "cp949.csv": (path) => writeFileSync(path, iconv.encode(delimited(";"), "cp949")),
  "utf16.tsv": (path) =>
    writeFileSync(path, iconv.encode(delimited("\t"), "utf-16le", { addBOM: true })),
  "people.jsonl": (path) => writeFileSync(path, objects.map((it) => JSON.stringify(it)).join("\n")),
  "people.json": (path) => writeFileSync(path, JSON.stringify({ messages: objects }, null, 2)),
  "people.xlsx": (path) =>
    writeExcelFile(
      [["휴대폰", "이름"], ...people].map((row) => row.map((value) => ({ value }))),
    ).toFile(path),
};
const flags = ["--sandbox", "--from", "0200000000", "--text", "#{이름}님"];

/** A run of a file, or of rows in a pipe, whose messages have arrived or failed. */
const delivered = async (source: readonly string[], stdin?: string): Promise<Shell> => {
  const at = shell();
  const [name = ""] = source;
  const path = join(at.folder, name);
  await fileOf[name]?.(path);
  const ran = await at(
    ["send-many", stdin === undefined ? path : "-", ...source.slice(1), ...flags],
    {
      ...(stdin !== undefined && { stdin }),
    },
  );
  expect([0, 3], ran.err).toContain(ran.code);
  await at("sandbox clock advance 10s");
  return at;
};
const exported = (at: Shell, words: string) => at(`run export last --sandbox ${words}`);
const again = (at: Shell, stdin: string) => at(["send-many", "-", ...flags, "--json"], { stdin });

test.each(Object.keys(fileOf))("%s: its own columns, and a source again", async (name) => {
  const at = await delivered([name]);
  const failed = await exported(at, "--status failed,refused -o csv");
  expect(failed.out).toBe(
    "휴대폰,이름,status,code,meaning\n" +
      '01000003104,"철수, Kim",failed,3104,recipient does not use Kakao Talk\n' +
      "01000001060,영희,refused,1060,recipient number blocked\n",
  );
  expect(failed.err).toBe("to send these rows again, use the flags of the run: --from --text\n");
  expect((await again(at, failed.out)).json()).toMatchObject({ total: 2, accepted: 1, refused: 1 });
  const rest = await at("message list --sandbox --limit 2 --fields text");
  expect(rest.out).toContain("철수, Kim님");
});

test("without a header the first column is the recipient again", async () => {
  const rows = "01000000001,a\n01000003104,b\n";
  const at = await delivered(["-", "--no-csv-header", "--var", "이름=x"], rows);
  const { out } = await exported(at, "--status failed -o csv --fields to,2,status");
  expect(out).toBe("to,2,status\n01000003104,b,failed\n");
});

test("columns of the input that are named as those of the export keep their names", async () => {
  const own = "to,이름,status\n01000003104,a,VIP\n";
  const at = await delivered(["-"], own);
  const first = await exported(at, "--status failed -o csv");
  const header = "to,이름,status,msg_status,msg_code,msg_meaning";
  const row = "01000003104,a,VIP,failed,3104,recipient does not use Kakao Talk";
  expect(first.out).toBe(`${header}\n${row}\n`);
  // Exported, sent and exported again the file has the same columns.
  await at(["send-many", "-", ...flags, "--again"], { stdin: first.out });
  await at("sandbox clock advance 10s");
  expect((await exported(at, "-o csv --status failed")).out).toBe(first.out);
});

test("of a row with several recipients only the one that did not get it goes out once more", async () => {
  const stdin = JSON.stringify([{ to: ["01000000001", "01000003104"], 이름: "a" }]);
  const at = await delivered(["-"], stdin);
  const { out } = await exported(at, "--status failed -o jsonl");
  expect(JSON.parse(out)).toMatchObject({ to: "01000003104", 이름: "a", status: "failed" });
});

test("skipped rows stand where they stood, with the reason; a ragged one keeps its cells", async () => {
  const stdin = "to,이름\n01000000001,a\n12,b\n01000000001,c\n01000000002,d,e\n01000000003,f\n";
  const at = await delivered(["-", "--on-invalid", "skip"], stdin);
  const { out } = await exported(at, "--fields to,이름,status,code,meaning");
  expect(
    out
      .split("\n")
      .slice(0, -1)
      .map((line) => line.split("\t")),
  ).toEqual([
    ["01000000001", "a", "accepted", "", ""],
    ["12", "b", "skipped", "1011", expect.stringMatching(/^line 3: to: /)],
    ["01000000001", "c", "skipped", "duplicate", "line 4: an earlier row has the same recipient"],
    ["01000000002", "d,e", "skipped", "RaggedRow", expect.stringContaining("3 cells")],
    ["01000000003", "f", "accepted", "", ""],
  ]);
});

test("what was sent anew is exported with the columns of the first run", async () => {
  const at = await delivered(["people.csv"]);
  expect((await at("send-many --retry-failed last --sandbox --json")).code).toBe(0);
  await at("sandbox clock advance 10s");
  const { out, err } = await exported(at, "--status failed -o csv");
  expect(out).toContain('휴대폰,이름,status,code,meaning\n01000003104,"철수, Kim",failed,3104,');
  expect(err).toContain("--from --text");
});

const inputOf = (at: Shell): string => {
  const runs = join(at.folder, "state", "runs");
  const run = readdirSync(runs).find((name) => /^\d/.test(name)) ?? "";
  return join(runs, run, "input");
};

test("the input is its owner's alone; where it was changed nothing is mixed up", async () => {
  const at = await delivered(["people.csv"]);
  const path = inputOf(at);
  expect(readFileSync(path, "utf8")).toBe(delimited(","));
  if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
  writeFileSync(path, "to,이름\n01000000009,x\n");
  const refused = await exported(at, "--status failed");
  expect([refused.code, refused.err]).toMatchObject([
    2,
    expect.stringMatching(/was changed or removed[\s\S]*--as-sent/),
  ]);
  const asSent = await exported(at, "--status failed --as-sent --fields to,text,code");
  expect(asSent.out).toBe("01000003104\t철수, Kim님\t3104\n");
  const retried = await at("send-many --retry-failed last --sandbox --json");
  expect(retried.json()).toMatchObject({ total: 1, accepted: 1 });
});

test("a run without its input, and one without marks, are exported as they were sent", async () => {
  const at = await delivered(["people.csv"]);
  rewriteRun(join(inputOf(at), ".."), (text) => {
    const { input: _, ...bare } = JSON.parse(text);
    return JSON.stringify(bare);
  });
  const words = "--status failed --fields to,text,status";
  const found = await exported(at, words);
  expect(found.out).toBe("01000003104\t철수, Kim님\tfailed\n");
  expect(found.err).toMatch(/^run \S+ kept no input; these are its messages as sent$/m);
  const untagged = await delivered(["people.csv", "--no-tag"]);
  const other = await exported(untagged, words);
  expect([other.out, other.err]).toMatchObject([
    found.out,
    expect.stringMatching(/used --no-tag, so rows cannot be told apart/),
  ]);
});
