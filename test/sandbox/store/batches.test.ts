/** Messages are listed by the calls they came in by: no list may lose, double or disorder a row for it. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import type { Database } from "../../../src/sandbox/store/driver.ts";
import type { MessageColumn } from "../../../src/sandbox/store/messages.ts";
import { openTables } from "../../../src/sandbox/store/open-tables.ts";
import type { Cursor, Filter } from "../../../src/sandbox/store/rows.ts";
import { openStore, type Store } from "../../../src/sandbox/store/store.ts";

interface Row {
  readonly seq: number;
  readonly groupSeq: number;
  readonly accountId: string;
  readonly recipient: string;
  readonly created: number;
}

const upTo = (most: number) => fc.integer({ min: 1, max: most });
const accounts = ["26010500000001", "26010500000002"] as const;
/** Groups 1 to 3 belong to the first account, 4 to 6 to the second. */
const groups = [1, 2, 3, 4, 5, 6];
const accountOf = (groupSeq: number): string => (groupSeq <= 3 ? accounts[0] : accounts[1]);

/** Calls in their order: clocks go back too, and numbers are taken by others in between. */
const calls: fc.Arbitrary<readonly (readonly Row[])[]> = fc
  .array(
    fc.record({
      groupSeq: upTo(6),
      created: upTo(3),
      phones: fc.array(upTo(2), { minLength: 1, maxLength: 4 }),
      gap: fc.integer({ min: 0, max: 1 }),
    }),
    { maxLength: 10 },
  )
  .map((made) => {
    let seq = 0;
    return made.map(({ groupSeq, created, phones, gap }) => {
      seq += gap;
      return phones.map((phone) => {
        seq += 1;
        const recipient = `0100000000${phone}`;
        return { seq, groupSeq, accountId: accountOf(groupSeq), recipient, created };
      });
    });
  });

const freshFile = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "msg-batches-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "sandbox.db");
};

const insertGroups = (tables: Database): void => {
  for (const accountId of accounts)
    tables.run("INSERT INTO accounts (accountId, status, alert) VALUES (?, 'ACTIVE', '{}')", [
      accountId,
    ]);
  for (const seq of groups)
    tables.run(
      `INSERT INTO groups (seq, accountId, status, strict, allowDuplicates, prepaid, created, updated)
       VALUES (?, ?, 'COMPLETE', 0, 0, 1, 1, 1)`,
      [seq, accountOf(seq)],
    );
};

const delivered = {
  sender: "0200000000",
  text: "hi",
  type: "SMS",
  country: "82",
  statusCode: "4000",
  outcome: "4000",
  price: 18,
  options: null,
};

type Condition = Filter<MessageColumn>;

/** Every list of the API, page by page, holds what belongs into it, newest first. */
const checkLists = (store: Store, rows: readonly Row[]): void => {
  const check = (accountId: string, condition: Condition[], fits: (row: Row) => boolean): void => {
    const expected = rows
      .filter((it) => it.accountId === accountId && fits(it))
      .sort((one, next) => next.created - one.created || next.seq - one.seq);
    const found: unknown[] = [];
    for (let from: Cursor | undefined, more = true; more; more = from !== undefined) {
      const page = store.messages.list({ accountId, filters: condition, from, limit: 3 });
      found.push(...page.slice(0, 2));
      from = page[2];
    }
    expect(found).toHaveLength(expected.length);
    expect(found).toMatchObject(expected);
  };
  for (const accountId of accounts) {
    check(accountId, [], () => true);
    const since: Condition = { column: "created", is: "gte", value: 2 };
    check(accountId, [since], ({ created }) => created >= 2);
    const to: Condition = { column: "recipient", is: "eq", value: "01000000001" };
    check(accountId, [to, since], (it) => it.recipient === to.value && it.created >= 2);
    for (const value of groups)
      check(accountId, [{ column: "groupSeq", is: "eq", value }], (it) => it.groupSeq === value);
  }
};

test("lists are whole and in order, whatever calls the messages came in by", () => {
  fc.assert(
    fc.property(calls, (made) => {
      const file = freshFile();
      const store = openStore(file);
      const tables = openTables(file);
      insertGroups(tables);
      tables.close();
      let last = 0;
      for (const rows of made) {
        const [first] = rows;
        if (first === undefined) continue;
        if (first.seq > last + 1) store.nextNumber("message");
        const messages = rows.map(({ recipient }) => ({ ...delivered, recipient }));
        expect(store.messages.insert(first, messages)).toBe(first.seq);
        last = first.seq + rows.length - 1;
      }
      checkLists(store, made.flat());
      store.close();
    }),
    { numRuns: 20 },
  );
});
