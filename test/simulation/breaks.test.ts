/** Each break can still be put back; whether it is found then, `npm run test:soak` shows. */
import { expect, test } from "vitest";
import { breaks } from "./breaks.ts";
import { countOf } from "./bundle.ts";

test.each(breaks)("$id, $what: the text that it replaces occurs once", ({ edits }) => {
  for (const edit of edits) expect(countOf(edit), edit.find).toBe(1);
});

test("no break has the id of another one", () => {
  const ids = breaks.map((it) => it.id);
  expect(new Set(ids).size).toBe(ids.length);
});
