import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openTables } from "../../../src/sandbox/store/open-tables.ts";
import { createScheduledJobs } from "../../../src/sandbox/store/scheduled-jobs.ts";

/** What a list that is sorted anew each time would give. */
interface Model {
  readonly seq: number;
  readonly at: number;
}

const step = fc.oneof(
  fc.record({ add: fc.integer({ min: 0, max: 40 }) }),
  fc.record({ until: fc.integer({ min: 0, max: 40 }) }),
  fc.constant({ undo: true as const }),
);

test("what is read ahead comes in the order of time, whatever is added meanwhile or undone", () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 150, maxLength: 400 }), (steps) => {
      const database = openTables(":memory:");
      const due = createScheduledJobs(database);
      const rows: Model[] = [];
      database.transaction(() => {
        for (const it of steps) {
          if ("add" in it) {
            due.add("report", it.add, 1);
            const row = database.get<Model>("SELECT * FROM due ORDER BY seq DESC LIMIT 1");
            if (row) rows.push(row);
            continue;
          }
          if ("undo" in it) {
            const undone = () =>
              database.transaction(() => {
                const first = due.next(40);
                if (first) due.remove(first.seq);
                due.add("send", 0, 2);
                throw new Error("undone");
              });
            expect(undone).toThrow("undone");
            continue;
          }
          const [first] = rows.sort((a, b) => a.at - b.at || a.seq - b.seq);
          const expected = first && first.at <= it.until ? first : undefined;
          const found = due.next(it.until);
          expect(found?.seq).toBe(expected?.seq);
          if (found === undefined) continue;
          due.remove(found.seq);
          rows.splice(0, 1);
        }
      });
      database.close();
    }),
    { numRuns: 60 },
  );
});

test("what another process wrote is found, in a transaction and outside", () => {
  const folder = mkdtempSync(join(tmpdir(), "msg-due-"));
  const [database, other] = [0, 1].map(() => openTables(join(folder, "sandbox.db")));
  if (database === undefined || other === undefined) throw new Error("unreachable");
  const due = createScheduledJobs(database);
  database.transaction(() => expect(due.next(10)).toBeUndefined());
  createScheduledJobs(other).add("report", 5, 1);
  expect(due.next(10)).toMatchObject({ at: 5 });
  database.transaction(() => expect(due.next(10)).toMatchObject({ at: 5 }));
  createScheduledJobs(other).add("send", 4, 1);
  database.transaction(() => expect(due.next(10)).toMatchObject({ at: 4 }));
  database.close();
  other.close();
  rmSync(folder, { recursive: true });
});
