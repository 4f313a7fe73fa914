/** The fault matrix: every id has a test that names it, or stands in the list of those without. */
import { expect, test } from "vitest";
import { sourcesIn } from "./sources.ts";

const numbered = (letter: string, last: number): string[] =>
  Array.from({ length: last }, (_, at) => `${letter}${String(at + 1).padStart(2, "0")}`);

/**
 * Network, server answers, process, disk, input, configuration, terminal output, the sandbox as a
 * server, OAuth2, second factor.
 */
const all = [
  ...numbered("N", 18),
  ...numbered("S", 17),
  ...numbered("P", 14),
  ...numbered("D", 10),
  ...numbered("I", 11),
  ...numbered("C", 9),
  ...numbered("T", 6),
  ...numbered("B", 12),
  ...numbered("O", 11),
  ...numbered("F", 8),
];

/** Ids that no test proves yet. Shorter is better: a name that a test carries must not stand here. */
const open: readonly string[] = [];

test("every id of the matrix is proven by a test that carries it in its name, or is listed as open", () => {
  const names = sourcesIn("test")
    .filter((it) => it.path.endsWith(".test.ts") && !it.path.startsWith("test/rules/"))
    .map((it) => it.text)
    .join("\n");
  const named = all.filter((id) => new RegExp(`["'\`\\s]${id}\\b`).test(names));
  expect(all.filter((id) => !named.includes(id))).toEqual(open);
});
