/** A canary in a real terminal: its outcome is shown, and the rest hangs on the answer. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { onTerminal, plain } from "./on-terminal.ts";
import { program } from "./program.ts";

const msg = program();

/** Four rows, the second of them from a number that is not registered. */
const send = (name: string): readonly string[] => {
  const file = join(msg.folder, name);
  const rows = ["01000000001,0200000000", "01000000002,0299999999"];
  const rest = ["01000000003,0200000000", "01000000004,0200000000"];
  writeFileSync(file, ["to,from", ...rows, ...rest].join("\n"));
  return ["send-many", file, "--sandbox", "--text", name, "--canary", "2"];
};

const first = [/Send 4 messages for 80 won\?/, "y\r"] as const;
const question = /Send the other 2 messages\?/;
const outcome =
  /2 messages first: 1 delivered, 1 failed\n {2}1 failed with 1062: sender number not registered\n/;
const counts = ["--fields", "accepted,refused,notSent"];
const shown = async (): Promise<string> =>
  (await msg(["run", "show", "last", "--sandbox", ...counts])).out;

test("a no after the canary leaves the rest unsent, and --resume sends it", async () => {
  const held = await onTerminal(msg, send("no"), { answers: [first, [question, "n\r"]] });
  expect(held.code, plain(held.screen)).toBe(7);
  expect(plain(held.screen)).toMatch(/^canary {4}2 messages first, then a question$/m);
  expect(plain(held.screen)).toMatch(outcome);
  expect(plain(held.screen)).toMatch(
    /and you declined to send the rest\n.*\n {2}2 messages not sent; msg .*send-many --resume \S+ sends the rest/,
  );
  expect(await shown()).toBe("1\t1\t2\n");
  const words = ["send-many", "--resume", "last", "--sandbox"];
  const resumed = await onTerminal(msg, words, {
    answers: [[/Send the 2 messages not sent yet for at most 60 won\?/, "y\r"]],
  });
  expect(resumed.code, plain(resumed.screen)).toBe(3);
  expect(plain(resumed.screen)).not.toMatch(question);
  expect(await shown()).toBe("3\t1\t0\n");
});

test("a yes after the canary sends the rest", async () => {
  const { code, screen } = await onTerminal(msg, send("yes"), {
    answers: [first, [question, "y\r"]],
  });
  expect(code, plain(screen)).toBe(3);
  expect(plain(screen)).toMatch(outcome);
  expect(await shown()).toBe("3\t1\t0\n");
});
