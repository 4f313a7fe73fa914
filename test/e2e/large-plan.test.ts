/** A large plan needs a small heap only. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { program } from "./program.ts";

test("a plan of 200,000 rows is written and read in a heap of 32 MB", async () => {
  const msg = program();
  const env = { NODE_OPTIONS: "--max-old-space-size=32" };
  const file = join(msg.folder, "july.msgplan");
  const numbers = Array.from({ length: 200_000 }, (_, at) => `010${20_000_000 + at * 7},name${at}`);
  const stdin = `to,name\n${numbers.join("\n")}\n`;
  const words = ["send-many", "-", "--sandbox", "--from", "0200000000", "--text", "#{name}, hello"];
  const planned = await msg([...words, "--plan-out", file, "--json"], { env, stdin });
  expect(planned.code, planned.err).toBe(0);
  const shown = await msg(["run", "show", file, "--json"], { env });
  expect(JSON.parse(shown.out), shown.err).toMatchObject({ messages: 200_000 });
}, 120_000);
