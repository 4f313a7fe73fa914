import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { saveBytes } from "../../src/output/save-file.ts";

const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), "msg-files-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
};

test("a file is written whole, for its owner, and nothing is left beside it", async () => {
  const at = folder();
  await saveBytes(join(at, "a.xlsx"), Buffer.from("bytes"), {});
  expect(readdirSync(at)).toEqual(["a.xlsx"]);
  expect(readFileSync(join(at, "a.xlsx"), "utf8")).toBe("bytes");
  expect(statSync(join(at, "a.xlsx")).mode & 0o777).toBe(0o600);
});

test("another file stays as it is unless it is forced", async () => {
  const at = folder();
  const path = join(at, "a.xlsx");
  writeFileSync(path, "old");
  await expect(saveBytes(path, Buffer.from("new"), {})).rejects.toMatchObject({
    exitCode: 2,
    code: "FileExists",
  });
  expect(readFileSync(path, "utf8")).toBe("old");
  await saveBytes(path, Buffer.from("new"), { force: true });
  expect(readFileSync(path, "utf8")).toBe("new");
  expect(readdirSync(at)).toEqual(["a.xlsx"]);
});

test("of two writers at once one wins and the other is refused", async () => {
  const path = join(folder(), "a.xlsx");
  const writes = [1, 2].map((it) => saveBytes(path, Buffer.from(String(it)), {}));
  const ended = await Promise.allSettled(writes);
  expect(ended.map((it) => it.status).sort()).toEqual(["fulfilled", "rejected"]);
});

test("a file that another makes while the bytes are written stays, and nothing is left beside it", async () => {
  const at = folder();
  const path = join(at, "b.xlsx");
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield Buffer.from("ours");
    writeFileSync(path, "another's");
  }
  await expect(saveBytes(path, bytes(), {})).rejects.toMatchObject({ code: "FileExists" });
  expect(readFileSync(path, "utf8")).toBe("another's");
  expect(readdirSync(at)).toEqual(["b.xlsx"]);
});

test.each(["", "-", "missing/a.xlsx"])("'%s' is refused with exit 2", async (name) => {
  const path = name === "missing/a.xlsx" ? join(folder(), name) : name;
  await expect(saveBytes(path, Buffer.from("x"), {})).rejects.toMatchObject({ exitCode: 2 });
});

test.each([
  ["EFBIG", "the file would be larger than allowed"],
  ["EDQUOT", "your disk quota is used up"],
  ["ENOSPC", "no space is left on the disk"],
])("%s is named in words, and nothing is left", async (code, reason) => {
  const at = folder();
  const bytes = async function* () {
    yield Buffer.from("x");
    throw Object.assign(new Error(`${code}: write`), { code });
  };
  await expect(saveBytes(join(at, "a.xlsx"), bytes(), {})).rejects.toMatchObject({
    exitCode: 2,
    message: `'${join(at, "a.xlsx")}' could not be written: ${reason}`,
  });
  expect(readdirSync(at)).toEqual([]);
});

test.each([{}, { force: true }])(
  "a folder is not replaced, and --force is no advice: %j",
  async (options) => {
    const at = folder();
    const error = {
      exitCode: 2,
      code: "FileNeeded",
      message: `'${at}' is a folder`,
      todo: "name a file",
    };
    await expect(saveBytes(at, Buffer.from("x"), options)).rejects.toMatchObject(error);
  },
);

test("what is no file keeps its place, even where it is forced", async () => {
  const path = join(folder(), "device");
  const socket = createServer().listen(path);
  onTestFinished(() => void socket.close());
  await once(socket, "listening");
  const saved = saveBytes(path, Buffer.from("x"), { force: true });
  await expect(saved).rejects.toMatchObject({ exitCode: 2, code: "FileNeeded" });
  expect(statSync(path).isSocket()).toBe(true);
});

test("a name may be as long as the file system takes it, and no longer", async () => {
  const at = folder();
  const longest = join(at, `${"가".repeat(83)}.xlsx`);
  await saveBytes(longest, Buffer.from("bytes"), {});
  expect(readFileSync(longest, "utf8")).toBe("bytes");
  const saved = saveBytes(join(at, `${"가".repeat(84)}.xlsx`), Buffer.from("bytes"), {});
  await expect(saved).rejects.toMatchObject({ exitCode: 2, code: "FileNotWritten" });
  expect(readdirSync(at)).toHaveLength(1);
});
