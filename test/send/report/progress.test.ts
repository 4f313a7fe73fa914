/** How far a run is, on standard error: while its source is read and checked, and while it is sent. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { hurried } from "../../support/clock.ts";
import { type Options, shell } from "../../support/msg.ts";

const rows = 30_000;

/** Nobody waits: six seconds pass whenever somebody looks at the clock. */
const hurrying = () => {
  const clock = { ms: 0 };
  return () => {
    clock.ms += 6_000;
    return clock.ms;
  };
};

/** A source that is read in several pieces, counted and priced and not sent. */
const estimate = (flags: string, options: Options) => {
  const at = shell();
  const file = join(at.folder, "rows.csv");
  const numbers = Array.from({ length: rows }, (_, n) => `0102${String(n).padStart(7, "0")}`);
  writeFileSync(file, ["to", ...numbers, numbers[0]].join("\n"));
  const words = ["send-many", file, "--sandbox", "--from", "0200000000", "--text", "x", "-y"];
  return at([...words, "--estimate", ...flags.split(" ").filter(Boolean)], {
    ticks: hurrying(),
    ...options,
  });
};

const counts = (err: string): number[] =>
  [...err.matchAll(/([\d,]+) rows read and checked/g)].map(([, count = ""]) =>
    Number(count.replace(",", "")),
  );
const isGrowing = (told: readonly number[]): boolean =>
  told.every((count, at) => at === 0 || count > (told[at - 1] ?? 0));

test("a big source in a pipe: lines that tell how many rows were read, and no control character", async () => {
  const { code, out, err } = await estimate("", {});
  expect(code, err).toBe(0);
  const told = counts(err);
  expect(told.length).toBeGreaterThan(2);
  expect([isGrowing(told), told.at(-1)]).toEqual([true, rows + 1]);
  expect(err.replace(/^[\d,]+ rows read and checked\n/gm, "")).toBe(
    "skipped row 30001: duplicate recipient 01020000000\n",
  );
  expect(err).toBe(stripVTControlCharacters(err).replaceAll("\r", ""));
  expect(out).not.toContain("rows read");
});

test("on a terminal: one line that is rewritten, and taken away before anything else is said", async () => {
  const { code, err } = await estimate("", { tty: 100 });
  expect(code, err).toBe(0);
  const told = counts(err);
  expect(told.length).toBeGreaterThan(2);
  expect([isGrowing(told), told.at(-1)]).toEqual([true, rows + 1]);
  expect(linesOn(err).filter((line) => line.includes("rows read"))).toEqual([]);
  expect(linesOn(err)[0]).toBe("skipped row 30001: duplicate recipient 01020000000");
});

/** What stays on a screen: a return goes back to the first column, `ESC [K` clears what is behind. */
const linesOn = (written: string): string[] => written.split("\n").map(shownOf);

const shownOf = (line: string): string => {
  let shown = "";
  for (const piece of line.split("\r")) {
    let column = 0;
    for (const [at, text] of piece.split("\u001b[K").entries()) {
      if (at > 0) shown = shown.slice(0, column);
      shown = shown.slice(0, column) + text + shown.slice(column + text.length);
      column += text.length;
    }
  }
  return shown;
};

test.each([{}, { tty: 100 }])("-q says nothing of it: %j", async (options) => {
  const { code, err } = await estimate("-q", options);
  expect([code, counts(err)], err).toEqual([0, []]);
});

test("while rows are sent a pipe is told how many there are, how fast, and how long it takes", async () => {
  const stdin = "to\n01000000001\n01000000002\n01000000003\n";
  const line = "send-many - --sandbox --from 0200000000 --text x --direct --chunk 1";
  const { code, err } = await shell()(line, { stdin, ticks: hurrying() });
  expect(code, err).toBe(0);
  expect(err).toMatch(/^[1-3] of 3 rows sent, \d+ %, \d+ rows\/s, (\d+ min )?\d+ s left$/m);
});

test("on a terminal the line of a run is gone at its end; who cancels a run is shown none", async () => {
  const at = shell();
  const stdin = "to\n01000000001\n01000000002\n01000000003\n";
  const line = "send-many - --sandbox --from 0200000000 --text x --staged --chunk 1 -y";
  const sent = await at(line, { stdin, ticks: hurrying(), tty: 100 });
  expect(sent.code, sent.err).toBe(0);
  expect(sent.err).toMatch(/[1-3] of 3 rows filled/);
  expect(linesOn(sent.err).join("\n")).not.toMatch(/rows filled/);
  await at("sandbox set --sandbox --balance 0 --point 0");
  expect((await at(`${line} --again`, { stdin })).code).toBe(7);
  await at("send-many --resume last --sandbox --again");
  const cancelled = await at("run cancel last --sandbox", { ticks: hurrying(), tty: 100 });
  expect([cancelled.code, cancelled.err]).toEqual([0, expect.not.stringMatching(/rows filled/)]);
});

test("rows without an answer are told as what they are, with no speed and no end; who cancels is told too", async () => {
  const at = shell();
  const stdin = "to\n01000000001\n01000000002\n01000000003\n";
  await at('sandbox fault add --sandbox --on "POST /messages/v4/send-many" --do drop-before');
  const options = { ticks: hurrying(), wait: async () => undefined };
  const line = "send-many - --sandbox --from 0200000000 --text x --direct --settle 1m";
  const sent = await at(line, { stdin, ...options });
  expect(sent.code, sent.err).toBe(11);
  const asked = "no clear answer for 3 rows: asking the service what became of it";
  expect(sent.err.split("\n")).toContain(`0 of 3 rows sent, 0 %, ${asked}`);
  const cancelled = await at("run cancel last --sandbox", options);
  expect([cancelled.code, cancelled.err.split("\n")[0]]).toEqual([11, asked]);
  const quiet = await at("run cancel last --sandbox -q", options);
  expect(quiet.err).not.toContain(asked);
});

test("the speed of a run that goes on is that of its own rows", async () => {
  const at = shell();
  const stop = new AbortController();
  const stdin = `to\n${Array.from({ length: 30 }, (_, n) => `010200000${n + 10}\n`).join("")}`;
  const line =
    "send-many - --sandbox --from 0200000000 --text x --direct --chunk 1 --concurrency 1";
  const seen = { looks: 0 };
  const ticks = (): number => {
    seen.looks += 1;
    if (seen.looks === 200) stop.abort();
    return seen.looks;
  };
  expect((await at(line, { stdin, ticks, signal: stop.signal })).code).toBe(130);
  const before = (await at("run show last --sandbox --fields accepted")).out.trim();
  expect(Number(before)).toBeGreaterThan(6);
  const resumed = await at("send-many --resume last --sandbox", { ticks: hurrying() });
  expect(resumed.code, resumed.err).toBe(0);
  const speeds = [...resumed.err.matchAll(/(\d+) rows\/s/g)].map(([, speed]) => Number(speed));
  expect([speeds.length > 0, Math.max(...speeds)]).toEqual([true, 0]);
});

test("P05 Ctrl-C while a source is read ends it there: exit 130, nothing is sent and nothing is kept", async () => {
  const stop = new AbortController();
  const clock = hurrying();
  const seen = { looks: 0 };
  const ticks = (): number => {
    seen.looks += 1;
    if (seen.looks === 2) stop.abort();
    return clock();
  };
  const { code, err } = await estimate("", { ticks, signal: stop.signal });
  expect(code, err).toBe(130);
  const [, count] = /stopped while reading .*rows\.csv, after ([\d,]+) rows/.exec(err) ?? [];
  expect(Number(count?.replace(",", "")), err).toBeGreaterThan(0);
  expect(Number(count?.replace(",", ""))).toBeLessThan(rows + 1);
  expect(err).toContain("nothing was sent or kept");
});

test.each([
  "send-many - --sandbox --from 0200000000",
  "payment add --input - --confirm 1111 --sandbox",
  "text check -",
])("Ctrl-C ends %s while whoever writes to it is silent", async (line) => {
  const stop = new AbortController();
  const stdin = new Readable({ read: () => stop.abort() });
  const { code, err } = await shell()(line, { stdin, signal: stop.signal });
  expect([code, err]).toEqual([130, "error: interrupted: nothing was changed\n"]);
});

test("in a pipe a line that says nothing new comes once a minute: the process lives", async () => {
  const at = shell(hurried());
  const sends = "POST /messages/v4/groups/*/send";
  await at(`sandbox fault add --sandbox --on "${sends}" --do drop-before`);
  const words = "send-many - --sandbox --from 0200000000 --text x -y --settle 10m";
  const { code, err } = await at(words, { stdin: "to\n01000000001\n" });
  expect(code, err).toBe(11);
  const lines = err.match(/^1 of 1 rows filled, 100 %, no clear answer/gm) ?? [];
  expect(lines.length, err).toBeGreaterThan(5);
  expect(lines.length, err).toBeLessThan(12);
});
