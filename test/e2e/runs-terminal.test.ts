/** Runs in a real terminal: the panel and its question, and what nobody but the operator knows. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { atHome } from "../faults/at-home.ts";
import { onTerminal, plain } from "./on-terminal.ts";
import { ended, sendTo } from "./program.ts";

const msg = atHome();
const from = ["--sandbox", "--from", "0200000000", "--text", "#{name}"];

const source = (name: string, rows: readonly string[]): string => {
  const file = join(msg.folder, name);
  writeFileSync(file, ["to,name", ...rows].join("\n"));
  return file;
};

test("more than 1,000 messages: the panel is shown, and the number is typed", async () => {
  const rows = Array.from({ length: 1_001 }, (_, at) => `0102000${String(at).padStart(4, "0")},a`);
  const file = source("many.csv", [...rows, "01020000000,b"]);
  const { code, screen } = await onTerminal(msg, ["send-many", file, ...from], {
    answers: [[/Type 1001 to send:/, "1001\r"]],
  });
  const text = plain(screen);
  expect(code, text).toBe(0);
  expect(text).toMatch(/^source {4}.*many\.csv, CSV in UTF-8, 1,002 rows$/m);
  expect(text).toMatch(/^left out {2}1 duplicate$/m);
  expect(text).toMatch(/^accepted +1,001$/m);
});

test.each([
  ["a no", "n\r", 7],
  ["Ctrl-C", "\u0003", 130],
])("%s at the question sends nothing and names the way back", async (_what, keys, exit) => {
  const file = source("few.csv", ["01000000001,a"]);
  const { code, screen } = await onTerminal(msg, ["send-many", file, ...from], {
    answers: [[/Send 1 message /, keys]],
  });
  expect(code).toBe(exit);
  expect(plain(screen)).toMatch(/nothing was sent; msg send-many --resume \S+ sends it after all/);
});

test("a doubt is settled by the operator: the run adds up afterwards", async () => {
  const file = source("doubt.csv", ["01000009999,a", "01000000002,b"]);
  const doubtful = ["--direct", "--no-tag", "--settle", "0", "-y"];
  const sent = await onTerminal(msg, ["send-many", file, ...from, ...doubtful]);
  expect(sent.code).toBe(11);
  const words = ["run", "reconcile", "last", "--sandbox", "--settle", "0"];
  const down = "\u001b[B";
  const { code, screen } = await onTerminal(msg, words, {
    answers: [[/What became of part 1\?/, `${down}\r`]],
  });
  expect(code, plain(screen)).toBe(0);
  expect(plain(screen)).toMatch(/accepted: group G4V\w+ of .*, 2 messages, 40 won/);
  const shown = await msg(["run", "show", "last", "--sandbox", "--json"]);
  expect(JSON.parse(shown.out)).toMatchObject({ state: "done", accepted: 2, unknown: 0 });
});

test("of a group that may have been sent the operator sees what it holds, and may have it deleted", async () => {
  const file = source("group.csv", ["01000000001,a", "01000000002,b"]);
  const lost = ["--on", "POST /messages/v4/groups/*/send", "--do", "drop-before", "--times", "1"];
  await msg(["sandbox", "fault", "add", "--sandbox", ...lost]);
  const flags = ["--staged", "--settle", "0", "-y", "--again"];
  expect((await onTerminal(msg, ["send-many", file, ...from, ...flags])).code).toBe(11);
  const words = ["run", "reconcile", "last", "--sandbox", "--settle", "0"];
  const left = await onTerminal(msg, words, { answers: [[/What became of group G4V/, "\r"]] });
  expect(left.code, plain(left.screen)).toBe(11);
  expect(plain(left.screen)).toMatch(/group G4V\w+ of .*: PENDING, 2 messages, 0 won; not sent/);
  const down = "\u001b[B";
  const { code, screen } = await onTerminal(msg, words, {
    answers: [[/What became of group G4V/, `${down}\r`]],
  });
  expect(code, plain(screen)).toBe(0);
  expect(plain(screen)).not.toContain("it was sent, as you know");
  const shown = await msg(["run", "show", "last", "--sandbox", "--json"]);
  expect(JSON.parse(shown.out)).toMatchObject({ state: "cancelled", notSent: 2, unknown: 0 });
});

test("rows from a pipe: the question is asked at the terminal all the same", async () => {
  const file = source("piped.csv", ["01000000005,a"]);
  const words = ["send-many", "-", ...from, "--again"];
  const { code, screen } = await onTerminal(msg, words, {
    stdin: file,
    answers: [[/Send 1 message for 20 won\?/, "n\r"]],
  });
  expect(code, plain(screen)).toBe(7);
  const sent = await onTerminal(msg, words, { stdin: file, answers: [[/Send 1 message /, "y\r"]] });
  expect(sent.code, plain(sent.screen)).toBe(0);
});

test("waiting redraws one line in place on a terminal, and says a line a change in a pipe", async () => {
  await msg(["sandbox", "set", "--sandbox", "--tick", "1h"]);
  const waiting = [...sendTo("01000000001"), "--wait", "--within", "2s"];
  const open = /group G4V\w+ SENDING: 0 delivered, 0 failed, 1 on the way/;
  const { code, screen } = await onTerminal(msg, [...waiting, "-y"]);
  expect(code, plain(screen)).toBe(8);
  // It begins at the left edge, and its line is cleared before the error is said.
  expect(screen).toMatch(new RegExp(`\\r${open.source}[^\\n]*\\u001b\\[K`));
  expect(screen.match(new RegExp(`${open.source}[^\\r]*\\r?\\n`))).toBeNull();
  const piped = await ended(msg.start(waiting));
  expect(piped.code, piped.err).toBe(8);
  expect(piped.err.split("\n").filter((line) => open.test(line))).toHaveLength(1);
  expect(piped.err).toBe(plain(piped.err));
});
