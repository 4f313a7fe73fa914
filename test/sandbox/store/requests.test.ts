import { expect, test } from "vitest";
import { openTables } from "../../../src/sandbox/store/open-tables.ts";
import { createRequests, type RequestLogEntry } from "../../../src/sandbox/store/requests.ts";

const entry: RequestLogEntry = {
  time: "2026-01-05T09:00:00.000Z",
  apiKey: null,
  accountId: null,
  method: "GET",
  path: "/cash/v1/balance",
  status: 200,
  verdict: "ok",
  why: null,
};

test("the log keeps the newest 10,000 requests, though each came from a process of its own", () => {
  const tables = openTables(":memory:");
  for (let count = 0; count < 10_050; count += 1) createRequests(tables).append(entry);
  expect(tables.get("SELECT count(*) AS count, max(seq) AS last FROM requests")).toEqual({
    count: 10_000,
    last: 10_050,
  });
  tables.close();
});
