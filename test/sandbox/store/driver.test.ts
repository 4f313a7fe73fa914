import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Database, openDatabase, withDiskError } from "../../../src/sandbox/store/driver.ts";

const opened = (): Database => {
  const database = openDatabase(":memory:");
  database.exec("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT) STRICT");
  return database;
};

describe("the driver", () => {
  test("a row holds what was selected and nothing else", () => {
    const database = opened();
    database.run("INSERT INTO t (b) VALUES (?)", ["x"]);
    expect({ ...database.get("SELECT a, b FROM t") }).toEqual({ a: 1, b: "x" });
    expect(database.all("SELECT a, b FROM t").map((row) => ({ ...row }))).toEqual([
      { a: 1, b: "x" },
    ]);
  });

  test("no row is undefined, no rows are an empty list, and a change is counted", () => {
    const database = opened();
    expect(database.get("SELECT a FROM t")).toBeUndefined();
    expect(database.all("SELECT a FROM t")).toEqual([]);
    expect(database.run("INSERT INTO t (b) VALUES (?), (?)", ["x", "y"])).toBe(2);
  });

  test.each([
    ["null", null],
    ["bytes", new Uint8Array([0, 255])],
    ["an empty text", ""],
    ["a large number", 2 ** 52],
  ])("%s alone is a value", (_, value) => {
    const it = opened().get<{ it: unknown }>("SELECT ? AS it", [value])?.it;
    const isBytes = it instanceof Uint8Array || it instanceof ArrayBuffer;
    expect(isBytes ? new Uint8Array(it) : it).toEqual(value);
  });

  test("a query that failed because another process writes is not what the next one answers", () => {
    const folder = mkdtempSync(join(tmpdir(), "msg-driver-"));
    const [database, other] = [1, 2].map(() => openDatabase(join(folder, "a.db")));
    onTestFinished(() => {
      database?.close();
      other?.close();
      rmSync(folder, { recursive: true, force: true });
    });
    database?.exec("CREATE TABLE t (b TEXT); INSERT INTO t VALUES ('x'), ('y')");
    const find = (b: string) => database?.get<{ b: string }>("SELECT b FROM t WHERE b = ?", [b])?.b;
    expect(find("z")).toBeUndefined();
    other?.exec("BEGIN EXCLUSIVE");
    expect(() => find("x")).toThrow("database is locked");
    other?.exec("COMMIT");
    expect(find("y")).toBe("y");
  });

  test("a full disk, on which SQLite undoes everything by itself, is what the error says", () => {
    const database = opened();
    database.exec("PRAGMA max_page_count = 4");
    const fill = () => database.run("INSERT INTO t (b) VALUES (?)", ["x".repeat(100_000)]);
    const one = () => database.run("INSERT INTO t (b) VALUES ('one')");
    const full = {
      kind: "usage",
      message: "could not write ':memory:': no space is left on the disk",
      where: ":memory: (ENOSPC)",
    };
    expect(() => database.transaction(fill)).toThrow(expect.objectContaining(full));
    const passedOver = () => {
      expect(() => database.transaction(fill)).toThrow("database or disk is full");
      database.transaction(one);
    };
    expect(() => database.transaction(passedOver)).toThrow(expect.objectContaining(full));
    expect(database.all("SELECT a FROM t")).toEqual([]);
    database.transaction(one);
    expect(database.all("SELECT a FROM t")).toHaveLength(1);
  });

  test.each([
    [{ errcode: 13 }, "ENOSPC"],
    [{ code: "SQLITE_FULL" }, "ENOSPC"],
    [{ errcode: 4874 }, "EIO"],
    [{ code: "SQLITE_IOERR_SHMSIZE" }, "EIO"],
  ])("an error of the disk, %j, is shown as the system's own", (members, code) => {
    const error = withDiskError(Object.assign(new Error("disk"), members), "a.db");
    expect(error).toMatchObject({ kind: "usage", where: `a.db (${code})` });
  });

  test("a transaction that throws undoes everything and passes the error on", () => {
    const database = opened();
    const broken = () =>
      database.transaction(() => {
        database.run("INSERT INTO t (b) VALUES ('x')");
        throw new Error("no");
      });
    expect(broken).toThrow("no");
    expect(database.all("SELECT a FROM t")).toEqual([]);
    expect(database.transaction(() => 7)).toBe(7);
  });

  test("a transaction inside another undoes its own work only", () => {
    const database = opened();
    database.transaction(() => {
      database.run("INSERT INTO t (b) VALUES ('outer')");
      const inner = () =>
        database.transaction(() => {
          database.run("INSERT INTO t (b) VALUES ('inner')");
          database.transaction(() => database.run("INSERT INTO t (b) VALUES ('innermost')"));
          throw new Error("inner");
        });
      expect(inner).toThrow("inner");
    });
    expect(database.all<{ b: string }>("SELECT b FROM t").map(({ b }) => b)).toEqual(["outer"]);
  });

  test("more statements than are kept go on working", () => {
    const database = opened();
    for (let n = 0; n < 1000; n += 1) {
      expect(database.get<{ n: number }>(`SELECT ${n} AS n`)?.n).toBe(n);
    }
  });
});
