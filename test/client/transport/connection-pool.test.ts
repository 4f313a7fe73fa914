import { describe, expect, test } from "vitest";
import { createConnectionPool } from "../../../src/client/transport/network.ts";

const openPool = () => {
  const opened: number[] = [];
  const closed: number[] = [];
  const pool = createConnectionPool(() => {
    const id = opened.push(opened.length + 1);
    return { id, close: async () => void closed.push(id) };
  });
  return { pool, take: pool.take, opened, closed };
};

describe("which connection a request takes", () => {
  test("a write never takes one that has carried a request, even one that is to stay", () => {
    const { take, opened } = openPool();
    for (let count = 1; count <= 5; count += 1) {
      const { connection, keep } = take(false);
      expect(connection.id).toBe(count);
      keep(true);
    }
    expect(opened).toHaveLength(5);
  });

  test("a read takes what is idle", () => {
    const { take, opened } = openPool();
    take(false).keep(false);
    take(true).keep(false);
    take(true).keep(false);
    expect(opened).toEqual([1]);
  });

  test("eight writes under way make a burst, in which a promise to stay is relied on", () => {
    const { take, opened } = openPool();
    const first = Array.from({ length: 10 }, () => take(false));
    expect(opened).toHaveLength(10);
    first[0]?.keep(true);
    expect(take(false).connection.id).toBe(1);
    first[1]?.keep(false);
    expect(take(false).connection.id).toBe(11);
    for (const lease of first.slice(2, 8)) lease.keep(true);
    expect(take(false).connection.id).toBe(12);
  });

  test("what failed is closed and not used again", () => {
    const { take, closed } = openPool();
    take(true).drop();
    expect(closed).toEqual([1]);
    expect(take(true).connection.id).toBe(2);
  });

  test("idle ones do not pile up, and all are closed at the end", async () => {
    const { pool, take, opened, closed } = openPool();
    for (const lease of Array.from({ length: 16 }, () => take(true))) lease.keep(false);
    expect(opened.length - closed.length).toBeLessThanOrEqual(9);
    take(false);
    await pool.close();
    expect([...closed].sort((a, b) => a - b)).toEqual(opened.map((_, at) => at + 1));
  });
});
