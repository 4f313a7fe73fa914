import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openStore, type Store } from "../../../src/sandbox/store/store.ts";

let folder = "";
let store: Store;
let other: Store;

const price = { countryName: "Somewhere", created: 0 };
const units = { sms: 10, lms: 20, mms: 30, ata: 5, cta: 6, cti: 7 };

/** What a request would find, in a transaction of its own. */
const priceOf = (countryId: string): number | undefined =>
  store.transaction(() => store.prices.read(countryId)?.units.sms);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "msg-remembered-"));
  store = openStore(join(folder, "sandbox.db"));
  other = openStore(join(folder, "sandbox.db"));
});

afterEach(() => {
  store.close();
  other.close();
  rmSync(folder, { recursive: true });
});

test("what another process wrote is read by the next transaction", () => {
  expect(priceOf("999")).toBeUndefined();
  other.prices.insert({ ...price, countryId: "999", units });
  expect(priceOf("999")).toBe(10);
  other.transaction(() => other.clear());
  expect(priceOf("999")).toBeUndefined();
});

test("what this process wrote is read by the same transaction, and forgotten when it is undone", () => {
  expect(priceOf("999")).toBeUndefined();
  const undone = () =>
    store.transaction(() => {
      store.prices.insert({ ...price, countryId: "999", units });
      expect(store.prices.read("999")?.units).toEqual(units);
      throw new Error("undone");
    });
  expect(undone).toThrow("undone");
  expect(priceOf("999")).toBeUndefined();
});

test("a fault is gone as soon as its times are over", () => {
  const fault = { method: "*", path: "*", kind: "drop-before", amount: 0 } as const;
  const { seq } = store.faults.add({ ...fault, timesLeft: 1, probability: null });
  store.transaction(() => {
    expect(store.faults.all()).toHaveLength(1);
    store.faults.recordInjection(seq);
    expect(store.faults.all()).toEqual([]);
  });
});
