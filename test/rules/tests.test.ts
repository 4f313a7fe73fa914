/** Tests go through the real doors: no mocks, no spies, none skipped, no sleeping. */
import { expect, test } from "vitest";
import { type Node, nameOf, nodeAt, places, sourceOf, sourcesIn } from "./sources.ts";

const tests = sourcesIn("test");

/** `vi.mock`, `vi.spyOn`, `test.skip` … as `object.member`. */
const memberAt = (node: Node): string | undefined =>
  node.type === "MemberExpression"
    ? `${nameOf(nodeAt(node, "object"))}.${nameOf(nodeAt(node, "property"))}`
    : undefined;

const isMock = (node: Node): boolean => memberAt(node)?.startsWith("vi.") ?? false;

const isSkipped = (node: Node): boolean =>
  /^(test|it|describe)\.(skip|only|todo|skipIf|runIf|fails)$/.test(memberAt(node) ?? "");

/** Whether a part of what `toMatchObject` is given fits whatever it is compared with. */
const fitsAnything = (node: Node, above: readonly Node[]): boolean => {
  const call = above.findLast((it) => it.type === "CallExpression");
  const matcher = nameOf(nodeAt(nodeAt(call, "callee"), "property"));
  if (matcher !== "toMatchObject" && matcher !== "objectContaining") return false;
  const { properties } = node;
  const isEmpty = node.type === "ObjectExpression" && Array.isArray(properties) && !properties[0];
  return isEmpty ? above.at(-1)?.type === "Property" : node.type === "Literal" && "regex" in node;
};

test("nothing is mocked or spied on", () => {
  expect(tests.flatMap((it) => places(it, isMock))).toEqual([]);
});

test("no test is skipped, left for later or run alone", () => {
  expect(tests.flatMap((it) => places(it, isSkipped))).toEqual([]);
});

test("no member is compared with an empty object or a regular expression, which fit anything", () => {
  expect(tests.flatMap((it) => places(it, fitsAnything))).toEqual([]);
});

test("the rules see a mock, a skipped test and what fits anything", () => {
  const bad = sourceOf(
    "a.ts",
    'vi.mock("x");\ntest.skip("y", () => {});\ntest.each([1])("z", () => {});',
  );
  expect(places(bad, isMock)).toEqual(["a.ts:1"]);
  expect(places(bad, isSkipped)).toEqual(["a.ts:2"]);
  const wide = sourceOf(
    "a.ts",
    "expect(a).toMatchObject([2, /b/]);\nexpect(a).toMatchObject({ b: {} });\nexpect(a).toMatchObject([{}, { b: expect.stringMatching(/c/) }]);",
  );
  expect(places(wide, fitsAnything)).toEqual(["a.ts:1", "a.ts:2"]);
});

test("what ends in .test.ts holds a test, and nothing else does", () => {
  const holds = (node: Node) =>
    node.type === "CallExpression" &&
    /^(test|test\.each\(?)/.test(
      nameOf(nodeAt(node, "callee")) ??
        memberAt(nodeAt(nodeAt(node, "callee"), "callee") ?? node) ??
        "",
    );
  const wrong = tests.filter((it) => it.path.endsWith(".test.ts") !== places(it, holds).length > 0);
  expect(wrong.map((it) => it.path)).toEqual([]);
});
