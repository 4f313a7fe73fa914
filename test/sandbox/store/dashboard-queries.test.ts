/** Groups and movements of money in the order in which they came, page by page. */
import { expect, test } from "vitest";
import { accountA } from "../../../src/sandbox/fixtures/accounts.ts";
import { newGroup } from "../../../src/sandbox/rules/groups.ts";
import { rearmAlert } from "../../../src/sandbox/rules/wallet.ts";
import { openStore, type Store } from "../../../src/sandbox/store/store.ts";

const start = Date.UTC(2026, 0, 5);

const filled = (): Store => {
  const store = openStore(":memory:");
  store.accounts.insert({
    accountId: accountA,
    status: "ACTIVE",
    authenticated: null,
    quota: 1,
    prepaid: 1,
    minimumCash: 0,
    rechargeTo: 0,
    rechargeTryCount: 0,
    autoRecharge: 0,
    alert: { ...rearmAlert, balances: [], channels: [], enabled: false },
  });
  return store;
};

const addGroups = (store: Store, count: number): void => {
  const caller = {
    accountId: accountA,
    memberId: "MEMSANDBOX0001",
    role: "OWNER",
    apiKey: undefined,
    scopes: undefined,
    address: "127.0.0.1",
  } as const;
  for (let seq = 1; seq <= count; seq += 1) {
    // Service time was moved back after every third.
    const group = newGroup({ store, caller, now: start + (seq % 3) * 1000 }, {});
    store.groups.insert({ ...group, status: seq % 2 === 0 ? "COMPLETE" : "PENDING" });
  }
};

test("pages of groups follow one another: every group once, what came last first", () => {
  const store = filled();
  addGroups(store, 25);
  const seen: number[] = [];
  for (let from: number | undefined; seen.length === 0 || from !== undefined; ) {
    const page = store.dashboard.groups({ from, limit: 10 });
    seen.push(...page.rows.map((it) => it.seq));
    from = page.next;
  }
  expect(seen).toEqual(Array.from({ length: 25 }, (_, at) => 25 - at));
  const complete = store.dashboard.groups({ status: "COMPLETE", limit: 5 });
  expect(complete.rows.map((it) => it.seq)).toEqual([24, 22, 20, 18, 16]);
  expect(complete.next).toBe(14);
  store.close();
});

test("the last balance is the one of now, wherever the clock stood", () => {
  const store = filled();
  for (const [balance, at] of [
    [1000, start],
    [500, start + 86_400_000],
    [-300, start + 1000],
  ] as const)
    store.accounts.move(accountA, { type: "MANUAL", balance, point: 0, at });
  const points = store.dashboard.balances(accountA, 2);
  expect(points.map((it) => it.newBalance)).toEqual([1500, 1200]);
  const { rows, next } = store.dashboard.ledger({ accountId: accountA, limit: 2 });
  expect(rows.map((it) => it.balanceAmount)).toEqual([-300, 500]);
  expect(next).toBe(1);
  store.close();
});
