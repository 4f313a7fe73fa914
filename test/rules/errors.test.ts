/** Errors read alike: a sentence of its own begins small and ends without a full stop, so that it can be joined. */
import { expect, test } from "vitest";
import { type Node, nameOf, nodeAt, places, sourceOf, sourcesIn } from "./sources.ts";

/** Which argument of a call is the sentence. */
const sentenceAt: Readonly<Record<string, number>> = {
  usageError: 0,
  MsgError: 1,
  TransportError: 2,
};

const argumentOf = (node: Node, at: number): Node | undefined => {
  const given: unknown = node.arguments;
  return Array.isArray(given) ? nodeAt({ ...node, found: given[at] }, "found") : undefined;
};

/** The texts as they are written, without their quotes; `${…}` stays as it is. */
const writtenIn = (text: string, node: Node | undefined): string[] => {
  if (node?.type === "TaggedTemplateExpression") return writtenIn(text, nodeAt(node, "quasi"));
  if (node?.type === "ConditionalExpression")
    return ["consequent", "alternate"].flatMap((it) => writtenIn(text, nodeAt(node, it)));
  const isText = node?.type === "Literal" || node?.type === "TemplateLiteral";
  return isText ? [text.slice(node.start + 1, node.end - 1)] : [];
};

const wrongIn = (source: ReturnType<typeof sourceOf>): string[] =>
  places(source, (node) => {
    if (node.type !== "CallExpression" && node.type !== "NewExpression") return false;
    const at = sentenceAt[nameOf(nodeAt(node, "callee")) ?? ""];
    const sentence = at === undefined ? undefined : argumentOf(node, at);
    return writtenIn(source.text, sentence).some(
      (written) => /^(?!Node )[A-Z][a-z]/.test(written) || /[^.]\.$/.test(written),
    );
  });

test("sentences of errors begin small and end without a full stop", () => {
  expect(sourcesIn("src").flatMap(wrongIn)).toEqual([]);
});

test.each([
  'usageError("Nothing was sent")',
  'new MsgError("stopped", "declined.")',
  'new TransportError("sent", "CODE", `Gone`)',
  "usageError(t`Nothing was sent`)",
  'new MsgError("stopped", isSent ? t`sent` : t`declined.`)',
])("%s would be found", (line) => {
  expect(wrongIn(sourceOf("wrong.ts", line))).toHaveLength(1);
});
