import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openSource } from "../../../src/send/sources/open-source.ts";
import { errorOf } from "../source.ts";

const folder = mkdtempSync(join(tmpdir(), "msg-sources-"));
afterAll(() => rmSync(folder, { recursive: true }));

const read = async (path: string, meanwhile?: () => void): Promise<Buffer> => {
  const pieces: Uint8Array[] = [];
  for await (const piece of openSource(path)) {
    pieces.push(piece);
    meanwhile?.();
  }
  return Buffer.concat(pieces);
};

describe("a file", () => {
  test("is read as it is", async () => {
    const path = join(folder, "list.csv");
    const content = Buffer.alloc(600_000, "to,text\n");
    writeFileSync(path, content);
    expect((await read(path)).equals(content)).toBe(true);
  });

  test("that does not exist is a usage error that quotes its path", async () => {
    const path = join(folder, "absent.csv");
    const error = await errorOf(() => read(path));
    expect(error).toMatchObject({ exitCode: 2, code: "SourceNotReadable" });
    expect(error.message).toBe(`"${path}" does not exist`);
  });

  test("that is a directory is a usage error", async () => {
    expect((await errorOf(() => read(folder))).message).toContain("is a directory");
  });

  test("may be left in the middle", async () => {
    const path = join(folder, "long.csv");
    writeFileSync(path, Buffer.alloc(600_000, "to,text\n"));
    const reading = openSource(path);
    expect((await reading.next()).value?.length).toBe(64 * 1024);
    expect(await reading.return(undefined)).toMatchObject({ done: true });
  });

  test("that is a pipe may be left although nothing more is written", async () => {
    const path = join(folder, "pipe");
    execFileSync("mkfifo", [path]);
    const writing = open(path, "w");
    const reading = openSource(path);
    const first = reading.next();
    const pipe = await writing;
    await pipe.write("to\n");
    expect(Buffer.from((await first).value ?? []).toString("utf8")).toBe("to\n");
    expect(await reading.return(undefined)).toMatchObject({ done: true });
    await pipe.close();
  });

  test("I06 that changes while it is read is refused", async () => {
    const path = join(folder, "growing.csv");
    writeFileSync(path, "to\n01000000001\n");
    const error = await errorOf(() => read(path, () => appendFileSync(path, "01000000002\n")));
    expect(error).toMatchObject({ exitCode: 2, code: "SourceChanged" });
  });
});
