/** Help on a narrow terminal, in both languages. */
import { expect, test } from "vitest";
import { groups, table } from "../../../src/commands/table.ts";
import { displayWidth } from "../../../src/output/text/width.ts";
import { shell } from "../../support/msg.ts";

const columns = 60;

/** An example is one command to copy, and a word, but no list of words, may be longer than the terminal. */
const isUnbreakable = (line: string): boolean =>
  /^ {2}.*(?:\bmsg |\$\(msg )/.test(line) || /^[^ ,]+$/.test(line.trim());

test.each(["en", "ko"])("every page of help fits %s in 60 columns", async (language) => {
  const at = shell({ env: { MSG_LANG: language, NO_COLOR: "1" } });
  const wide: string[] = [];
  for (const path of ["", ...Object.keys(groups), ...Object.keys(table)]) {
    const { out, code } = await at(`${path} --help`.trim(), { tty: columns });
    expect(code, path).toBe(0);
    for (const line of out.split("\n"))
      if (displayWidth(line) > columns && !isUnbreakable(line)) wide.push(`${path}: ${line}`);
  }
  expect(wide).toEqual([]);
});

test.each(["message", "balance"])("no section of the help of %s is a title alone", async (path) => {
  const { out } = await shell({ env: { MSG_LANG: "en" } })(`${path} --help`);
  const sections = out.trim().split("\n\n");
  expect(sections.filter((it) => !(it.includes("\n") || it.endsWith(".")))).toEqual([]);
});
