import { describe, expect, test } from "vitest";
import { bubble, changes } from "../../../src/output/template-preview.ts";
import { displayWidth } from "../../../src/output/text/width.ts";

const drawn = (text: string, columns?: number) =>
  bubble({ title: "order", text, buttons: ["주문 보기"] }, columns)
    .trimEnd()
    .split("\n");

describe("a bubble", () => {
  test("every line has one width, with Hangul, emoji and long words", () => {
    for (const columns of [20, 40, 80]) {
      const lines = drawn(`민지님 👩‍👩‍👧 ${"a".repeat(90)}\n\n${"가".repeat(40)}`, columns);
      expect(new Set(lines.map(displayWidth)).size).toBe(1);
      expect(displayWidth(lines[0] ?? "")).toBeLessThanOrEqual(columns);
    }
    const full = "a".repeat(16);
    expect(drawn(`${full}b`, 20).slice(3, 5)).toEqual([`│ ${full} │`, `│ b${" ".repeat(15)} │`]);
  });

  test("nothing of a text is left out, and controls are shown, not obeyed", () => {
    const lines = drawn(`one\ntwo \u001b[31m ${"x".repeat(50)}`);
    expect(lines.join("")).not.toContain("\u001b");
    expect(lines.join("").match(/x/g)).toHaveLength(50 + 1);
    expect(lines.join("\n")).toContain("\\x1b");
  });
});

test("a change shows the lines that go and come, and none of those that stay", () => {
  expect(changes("a\nb\nc", "a\nB\nc")).toEqual(["- b", "+ B"]);
  expect(changes("a\nc", "a\nb\nc")).toEqual(["+ b"]);
  expect(changes("a\na", "a")).toEqual(["- a"]);
  expect(changes("", "a")).toEqual(["+ a"]);
  expect(changes("same", "same")).toEqual([]);
});
