import { expect, test } from "vitest";
import { shell } from "../../support/msg.ts";

const now = () => new Date("2026-01-05T09:00:00.000Z");

test("withdraw-review decides on a withdrawal, and refuses a word that it does not know", async () => {
  const msg = shell({ now });
  const { err } = await msg("sandbox withdraw-review 1 approve");
  expect(err).toContain("ResourceNotFound");
  expect((await msg("sandbox withdraw-review 1 maybe")).code).toBe(2);
});

test("codes is empty until one was sent", async () => {
  expect((await shell({ now })("sandbox codes --json")).json()).toEqual([]);
});
