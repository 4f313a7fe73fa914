/** What a call with a second factor leaves is known for each such endpoint, and for no other. */
import { expect, test } from "vitest";
import { contract } from "../../src/contract/index.ts";
import { changes, movements } from "../../src/reconcile/evidence-table.ts";

test("each endpoint with a second factor has a row", () => {
  const rows = [...Object.values(movements), ...changes].map(({ endpoint }) => endpoint.does);
  const guarded = Object.values(contract).filter((it) => "secondFactor" in it);
  expect(rows.sort()).toEqual(guarded.map(({ does }) => does).sort());
});
