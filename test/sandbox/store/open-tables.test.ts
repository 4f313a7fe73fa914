import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, describe, expect, test } from "vitest";
import { openDatabase } from "../../../src/sandbox/store/driver.ts";
import { migrations, schemaVersion } from "../../../src/sandbox/store/open-tables.ts";
import { openStore } from "../../../src/sandbox/store/store.ts";
import { textLoaders } from "../../support/text-files.ts";

const folder = mkdtempSync(join(tmpdir(), "msg-store-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("opening a store", () => {
  test("what was written is there when it is opened again", () => {
    const file = join(folder, "again", "sandbox.db");
    const first = openStore(file);
    first.settings.set("tickMs", 5);
    first.close();
    const second = openStore(file);
    expect(second.settings.get("tickMs")).toBe(5);
    second.close();
    expect(readdirSync(join(folder, "again")).filter((name) => name.includes(".new"))).toEqual([]);
  });

  test("its files are for their owner only, and so is a folder that is made for them", () => {
    const within = join(folder, "private", "deep");
    const file = join(within, "sandbox.db");
    const modeOf = (path: string) => statSync(path).mode & 0o777;
    const modes = () => readdirSync(within).map((name) => [name, modeOf(join(within, name))]);
    const all = ["sandbox.db", "sandbox.db-shm", "sandbox.db-wal"].map((name) => [name, 0o600]);
    const before = process.umask(0);
    try {
      const store = openStore(file);
      store.settings.set("tickMs", 5);
      expect(modes()).toEqual(all);
      expect([modeOf(within), modeOf(join(folder, "private"))]).toEqual([0o700, 0o700]);
      for (const [name] of modes()) chmodSync(join(within, String(name)), 0o644);
      openStore(file).close();
      expect(modes()).toEqual(all);
      store.close();
    } finally {
      process.umask(before);
    }
  });

  test("an empty file becomes a store", () => {
    const file = join(folder, "empty.db");
    writeFileSync(file, "");
    const store = openStore(file);
    expect(store.settings.get("tickMs")).toBe(1000);
    store.close();
  });

  test("a store of an older program keeps its rows and gets the tables that it lacks", () => {
    const file = join(folder, "older.db");
    const older = openDatabase(file);
    older.exec(`${migrations.slice(0, -1).join("\n")} PRAGMA user_version = ${schemaVersion - 1};`);
    older.exec("INSERT INTO settings VALUES ('tickMs', '5')");
    older.close();
    const store = openStore(file);
    expect(store.settings.get("tickMs")).toBe(5);
    store.close();
    const opened = openDatabase(file);
    expect(opened.number("SELECT user_version AS n FROM pragma_user_version")).toBe(schemaVersion);
    expect(opened.all("SELECT * FROM blocks")).toEqual([]);
    opened.close();
  });

  test("a store of a newer program is refused and named", () => {
    const file = join(folder, "newer.db");
    openStore(file).close();
    const database = openDatabase(file);
    database.exec(`PRAGMA user_version = ${schemaVersion + 1}`);
    database.close();
    expect(() => openStore(file)).toThrow(
      expect.objectContaining({ kind: "usage", message: expect.stringContaining(file) }),
    );
  });

  test.each([
    ["a file that is no database", "text.db", "is not a database", /move this one away/],
    ["a folder", ".", "could not open the sandbox", /^check that it is a file/],
    ["a path through a file", "text.db/a.db", "there is a file where a folder should be", /folder/],
  ])("%s is refused and named, and stays as it is", (_, name, why, todo) => {
    const file = join(folder, name);
    writeFileSync(join(folder, "text.db"), "a diary of somebody, and no table at all");
    expect(() => openStore(file)).toThrow(
      expect.objectContaining({
        kind: "usage",
        where: expect.stringContaining(file),
        todo: expect.stringMatching(todo),
      }),
    );
    expect(() => openStore(file)).toThrow(why);
    expect(readFileSync(join(folder, "text.db"), "utf8")).toMatch(/^a diary/);
  });

  test("opening a store that is up to date writes nothing", () => {
    const file = join(folder, "same.db");
    openStore(file).close();
    const before = statSync(file).mtimeMs;
    openStore(file).close();
    expect(statSync(file).mtimeMs).toBe(before);
  });

  test("processes that make and use one store at once lose nothing", async () => {
    const script = join(folder, "child.mjs");
    await build({
      entryPoints: [new URL("child.ts", import.meta.url).pathname],
      outfile: script,
      bundle: true,
      platform: "node",
      format: "esm",
      external: ["libsql"],
      loader: textLoaders,
      // libsql is found from where the driver's file is, which is the script here.
      banner: {
        js: `const here = ${JSON.stringify(new URL("../../../src/", import.meta.url).href)};`,
      },
      define: { "import.meta.url": "here" },
    });
    const file = join(folder, "shared", "sandbox.db");
    const children = Array.from({ length: 6 }, () =>
      spawn(process.execPath, [script, file, "20"], { stdio: ["ignore", "inherit", "inherit"] }),
    );
    const codes = await Promise.all(children.map(async (child) => (await once(child, "exit"))[0]));
    expect(codes).toEqual(children.map(() => 0));
    const store = openStore(file);
    expect(store.settings.get("tickMs")).toBe(1000 + 6 * 20);
    store.close();
  });
});
