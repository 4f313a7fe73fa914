import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { assertFree, saveBytes } from "../../src/output/files.ts";

const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), "msg-save-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
};

test("a document is saved whole, for its owner alone, and nothing is left beside it", async () => {
  const at = folder();
  await saveBytes(join(at, "a.xlsx"), Buffer.from("PK"), {});
  expect(readFileSync(join(at, "a.xlsx"), "utf8")).toBe("PK");
  expect(statSync(join(at, "a.xlsx")).mode & 0o777).toBe(0o600);
  expect(readdirSync(at)).toEqual(["a.xlsx"]);
});

test("a file that is there is kept, unless it is to be replaced", async () => {
  const at = folder();
  const path = join(at, "a.xlsx");
  writeFileSync(path, "mine");
  await expect(saveBytes(path, Buffer.from("PK"), {})).rejects.toThrow("is there already");
  await expect(assertFree(path, {})).rejects.toThrow("is there already");
  expect(readFileSync(path, "utf8")).toBe("mine");
  await assertFree(path, { force: true });
  await saveBytes(path, Buffer.from("PK"), { force: true });
  expect(readFileSync(path, "utf8")).toBe("PK");
  expect(readdirSync(at)).toEqual(["a.xlsx"]);
});

test("a folder that is not there is told, and nothing is left behind", async () => {
  const at = folder();
  const path = join(at, "missing", "a.xlsx");
  await expect(saveBytes(path, Buffer.from("PK"), {})).rejects.toThrow("could not be written");
  await expect(assertFree("-", {})).rejects.toThrow("written to a file");
  expect(readdirSync(at)).toEqual([]);
});
