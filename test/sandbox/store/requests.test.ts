import { expect, test } from "vitest";
import { openTables } from "../../../src/sandbox/store/open.ts";
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
  createRequests(tables).append(Array.from({ length: 10_050 }, () => entry));
  for (let left = 0; left < 3; left += 1) createRequests(tables).append([entry]);
  expect(tables.get("SELECT count(*) AS count, max(seq) AS last FROM requests")).toEqual({
    count: 10_000,
    last: 10_053,
  });
  tables.close();
});
