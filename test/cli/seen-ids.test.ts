/** An id that a table shortened is taken back. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { idsIn, readSeenIds, rememberIds, withWholeIds } from "../../src/cli/seen-ids.ts";
import { diskFiles } from "../../src/durable/files.ts";
import { MsgError } from "../../src/errors.ts";
import { shortenedId } from "../../src/output/formats/layout.ts";

const home = { path: "" };
beforeEach(() => {
  home.path = mkdtempSync(join(tmpdir(), "msg-ids-"));
});
afterEach(() => rmSync(home.path, { recursive: true, force: true }));

const environment = {
  files: diskFiles,
  stateFolder: () => home.path,
  user: { pid: process.pid, kill: process.kill, every: () => () => undefined, uid: undefined },
  random: randomBytes,
};

const wholeId = (typed: string) => withWholeIds({ environment }, { groupId: [typed] }).groupId?.[0];
const shown = (...ids: readonly string[]) =>
  rememberIds(
    environment,
    ids.map((id) => ["groupId", id] as const),
  );
const errorOf = (typed: string): MsgError => {
  try {
    wholeId(typed);
  } catch (error) {
    if (error instanceof MsgError) return error;
  }
  throw new Error(`'${typed}' was taken`);
};

const one = "G4V20260115101500AB12CD34EF56GH7";
const other = "G4V20260115101500AB12CD34EF99XXX";

test("however short a table made it, the id is found, with … and with dots", () => {
  shown(one, other);
  for (const columns of [11, 14, 20, 31]) {
    const short = shortenedId(one, columns);
    expect(short).toHaveLength(columns);
    expect(wholeId(short)).toBe(one);
    expect(wholeId(short.replace("…", "..."))).toBe(one);
  }
  expect(wholeId(one)).toBe(one);
});

test("what fits several ids or none is refused, and says what to do", () => {
  shown(one, "G4V20260999101500AB12CD34EF56GH7");
  expect(errorOf("G4V2026…GH7")).toMatchObject({ exitCode: 2, code: "AmbiguousId" });
  expect(errorOf("G4V2026…GH7").message).toContain(one);
  expect(errorOf("G4V2026…ZZZ").todo).toContain("--wide");
});

test("the newest come first, each once, in a file of this user; a broken file is as none", () => {
  shown(one);
  shown(other, one);
  expect(readSeenIds(environment)).toEqual({ groupId: [other, one] });
  expect(statSync(join(home.path, "seen-ids.json")).mode & 0o777).toBe(0o600);
  writeFileSync(join(home.path, "seen-ids.json"), "{");
  expect(readSeenIds(environment)).toEqual({});
  shown(...Array.from({ length: 700 }, (_, at) => `G4V2026011510150${10_000 + at}`));
  expect(readSeenIds(environment).groupId).toHaveLength(500);
});

test("they are kept in the files that the command was handed", () => {
  const create = () => {
    throw new Error("no space is left");
  };
  rememberIds({ ...environment, files: { ...diskFiles, create } }, [["groupId", one]]);
  expect(readSeenIds(environment)).toEqual({});
});

test("only members that hold ids are remembered", () => {
  const row = {
    groupId: one,
    run: "20260115-101500000-ab12cd",
    to: "01000000001",
    text: one,
    x: 1,
  };
  expect(idsIn(row)).toEqual([
    ["groupId", one],
    ["run", row.run],
  ]);
});

test("a word of any other form stays as it was typed", () => {
  shown(one);
  fc.assert(
    fc.property(fc.string(), (typed) => {
      fc.pre(!/…|\.{2}/.test(typed));
      expect(wholeId(typed)).toBe(typed);
    }),
  );
});
