/** What the pages read of the messages: phones by their newest message, conversations, searches. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { reset } from "../../../src/sandbox/fixtures/index.ts";
import type { FeedQuery } from "../../../src/sandbox/store/message-feed.ts";
import { openTables } from "../../../src/sandbox/store/open-tables.ts";
import type { NewestPage } from "../../../src/sandbox/store/rows.ts";
import { openStore, type Store } from "../../../src/sandbox/store/store.ts";

const accountId = "26010500000001";
const start = Date.UTC(2026, 0, 5);

/** A store with its fixtures and one group, number 1. */
const opened = (): Store => {
  const folder = mkdtempSync(join(tmpdir(), "msg-feed-"));
  const store = openStore(join(folder, "sandbox.db"));
  reset(store, start);
  const tables = openTables(join(folder, "sandbox.db"));
  tables.run(
    `INSERT INTO groups (seq, accountId, status, strict, allowDuplicates, prepaid, created, updated)
     VALUES (1, ?, 'COMPLETE', 0, 0, 1, ?, ?)`,
    [accountId, start, start],
  );
  tables.close();
  onTestFinished(() => {
    store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return store;
};

const put = (
  store: Store,
  firstSeq: number,
  to: readonly string[],
  { created = start, status = "4000", text = "hello" } = {},
): void => {
  const messages = to.map((recipient) => ({
    ...{ recipient, sender: "0200000000", text, type: "SMS", country: "82" },
    ...{ statusCode: status, outcome: status, price: 18, options: null },
  }));
  expect(store.messages.insert({ groupSeq: 1, accountId, created }, messages)).toBe(firstSeq);
};

/** All rows of a list, page by page, and how many pages that took. */
const walk = <R extends { readonly seq: number }>(read: (from?: number) => NewestPage<R>) => {
  const rows: R[] = [];
  let pages = 0;
  for (let from: number | undefined, more = true; more; more = from !== undefined) {
    const found = read(from);
    rows.push(...found.rows);
    from = found.next;
    pages += 1;
  }
  return { rows, pages };
};

test("each phone is there once, at its newest message, however many pages there are", () => {
  const store = opened();
  const numbers = Array.from({ length: 70 }, (_, at) => `010${String(at % 35).padStart(8, "0")}`);
  put(store, 1, numbers);
  const { rows, pages } = walk((from) =>
    store.messageFeed.phones({ limit: 10, ...(from !== undefined && { from }) }),
  );
  expect(rows.map((it) => it.seq)).toEqual(Array.from({ length: 35 }, (_, at) => 70 - at));
  expect(new Set(rows.map((it) => it.recipient)).size).toBe(35);
  expect(pages).toBe(4);
});

test("behind 25,000 messages to one phone the others are found, a bounded part a page", () => {
  const store = opened();
  put(store, 1, ["01000000001", "01000000002"]);
  const many = Array.from({ length: 5000 }, () => "01099999999");
  for (let part = 0; part < 5; part += 1) put(store, 3 + part * 5000, many, { created: start + 1 });
  const { rows, pages } = walk((from) =>
    store.messageFeed.phones({ limit: 10, ...(from !== undefined && { from }) }),
  );
  expect(rows.map((it) => it.recipient)).toEqual(["01099999999", "01000000002", "01000000001"]);
  expect(pages).toBe(3);
  const [oldest] = store.messageFeed.conversation("01000000001", undefined, 1);
  expect(oldest?.seq).toBe(1);
});

test("what the service told a phone itself is in its conversation, and makes it a phone", () => {
  const store = opened();
  put(store, 1, ["01000000005"]);
  store.messageFeed.notify({
    accountId,
    type: "SMS",
    text: "balance is low",
    created: start + 5,
  });
  const { rows } = store.messageFeed.phones({ limit: 10 });
  expect(rows.map(({ seq, text }) => [seq, text])).toEqual([
    [2, "balance is low"],
    [1, "hello"],
  ]);
  const [notice] = store.messageFeed.conversation(rows[0]?.recipient ?? "", undefined, 10);
  expect(notice).toMatchObject({ seq: 2, text: "balance is low" });
});

test("a conversation goes on where its page ended, also within one instant", () => {
  const store = opened();
  put(
    store,
    1,
    Array.from({ length: 25 }, () => "01000000001"),
  );
  const first = store.messageFeed.conversation("01000000001", undefined, 11);
  const second = store.messageFeed.conversation("01000000001", first[10], 20);
  expect([...first.slice(0, 10), ...second].map((it) => it.seq)).toEqual(
    Array.from({ length: 25 }, (_, at) => 25 - at),
  );
});

test("every filter finds what it names, alone and together", () => {
  const store = opened();
  put(store, 1, ["01000000001"], { text: "100% % _ off", created: start });
  put(store, 2, ["01000000002"], { text: "plain", status: "3104", created: start + 1000 });
  put(store, 3, ["01000000001"], { text: "plain", status: "2000", created: start + 2000 });
  const seqs = (...filters: FeedQuery["filters"]) =>
    store.messageFeed.list({ limit: 10, filters }).rows.map((it) => it.seq);
  const to = { column: "recipient", is: "eq", value: "01000000001" } as const;
  const plain = { column: "text", is: "like", value: "plain" } as const;
  const since = { column: "created", is: "gte", value: start + 1 } as const;
  expect(seqs()).toEqual([3, 2, 1]);
  expect(seqs({ ...plain, value: "% _" })).toEqual([1]);
  expect(seqs(to)).toEqual([3, 1]);
  expect(seqs({ column: "sender", is: "eq", value: "0200000001" })).toEqual([]);
  expect(seqs({ column: "type", is: "eq", value: "LMS" })).toEqual([]);
  expect(seqs({ column: "statusCode", is: "ne", value: "4000" }, plain)).toEqual([3, 2]);
  expect(seqs({ column: "statusCode", is: "in", value: ["2000", "3000"] })).toEqual([3]);
  expect(seqs(since)).toEqual([3, 2]);
  expect(seqs(since, { column: "created", is: "lte", value: start + 1999 })).toEqual([2]);
  expect(seqs(to, plain, { column: "statusCode", is: "eq", value: "4000" })).toEqual([]);
});

test("the version of a store changes with what another connection writes, and stays with reading", () => {
  const folder = mkdtempSync(join(tmpdir(), "msg-version-"));
  const [one, other] = [0, 1].map(() => openStore(join(folder, "sandbox.db")));
  onTestFinished(() => {
    one?.close();
    other?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const before = one?.version();
  one?.messageFeed.count(10);
  expect(one?.version()).toBe(before);
  other?.settings.set("tickMs", 5);
  const after = one?.version();
  expect(after).not.toBe(before);
  one?.settings.set("tickMs", 6);
  expect(one?.version()).not.toBe(after);
});
