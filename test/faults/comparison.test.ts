/** A line that loses every tenth answer: who repeats blindly sends twice, and msg does not. */
import { expect, test } from "vitest";
import { sendBlindly } from "../bench/blind-client.ts";
import { freshFolder, program } from "../e2e/program.ts";
import { envFor, rowsOf, sending } from "./books.ts";
import { callByCall, overLossyLine } from "./comparison.ts";

const count = 60;

test("a client that signs anew and repeats sends twice what was answered to nobody", async () => {
  const { reached, duplicates } = await overLossyLine(freshFolder(), count, sendBlindly);
  expect(reached).toBe(count);
  expect(duplicates).toBeGreaterThan(0);
});

test("N06 msg over the same line, call by call: each recipient once", async () => {
  const booked = await overLossyLine(freshFolder(), count, async (baseUrl) => {
    const stdin = rowsOf(count);
    const ended = await program()(sending(...callByCall), { stdin, env: envFor({ baseUrl }) });
    expect(ended.code, ended.err).toBe(0);
  });
  expect(booked).toEqual({ reached: count, duplicates: 0 });
});
