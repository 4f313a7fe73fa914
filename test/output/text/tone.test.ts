/** States are coloured by what they mean; nothing else is. */
import { expect, test } from "vitest";
import { toneOf } from "../../../src/output/text/state-words.ts";
import { list } from "../sink.ts";

test.each([
  ["status", "COMPLETE", "good"],
  ["statusCode", "4000", "good"],
  ["biz", "APPROVED", "good"],
  ["statusCode", "3000", "waiting"],
  ["state", "scheduled", "waiting"],
  ["statusCode", "3104", "bad"],
  ["status", "FAILED", "bad"],
  ["state", "unknown", "bad"],
  ["verdict", "wrong", "bad"],
  ["status", "failed", "bad"],
  ["status", "A STATE OF TOMORROW", undefined],
  ["to", "4000", undefined],
  ["text", "failed", undefined],
] as const)("%s %s: %s", (column, cell, tone) => {
  expect(toneOf(column, cell)).toBe(tone);
});

test("colours stand around what a cell says, and change no width", async () => {
  const row = { groupId: "G4V20260115101500AB12CD34EF56GH7", status: "FAILED", total: 1 };
  const columns = ["groupId", "status", "total"];
  const text = await list({}, columns, [row], { tty: 80, colour: true });
  expect(text).toContain(`\u001b[2m${row.groupId}\u001b[22m  \u001b[31mFAILED\u001b[39m      1\n`);
  const plain = await list({}, columns, [row], { tty: 80 });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: styles are what is taken out
  expect(text.replaceAll(/\u001b\[\d+m/g, "")).toBe(plain);
});
