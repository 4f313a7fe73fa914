/** A plan in a real terminal: what is shown of it, and the question before it is sent. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { onTerminal, plain } from "./on-terminal.ts";
import { program } from "./program.ts";

const msg = program();
const approver = program();
const plan = "july.msgplan";

test("a plan is written, shown as phones show it, asked for and sent", async () => {
  const file = join(msg.folder, "list.csv");
  writeFileSync(file, "to,name\n01000000001,김\n01000000002,이\n");
  const words = ["send-many", file, "--sandbox", "--from", "0200000000", "--text", "#{name}님"];
  const kept = await onTerminal(msg, [...words, "--plan-out", plan]);
  expect(kept.code, plain(kept.screen)).toBe(0);
  expect(plain(kept.screen)).toMatch(/^to send {3}2 \(2 SMS\)$/m);
  const shown = await onTerminal(msg, ["run", "show", plan, "--sample", "1"]);
  expect(plain(shown.screen)).toMatch(/row 1 to 01000000001, SMS[\s\S]*김님/);
  const no = await onTerminal(msg, ["send-many", "--plan", plan, "--sandbox"], {
    answers: [[/Send 2 messages for 40 won\?/, "n\r"]],
  });
  expect(no.code, plain(no.screen)).toBe(7);
  expect(plain(no.screen)).toContain(`msg --sandbox send-many --plan ${plan} sends it after all`);
  const yes = await onTerminal(msg, ["send-many", "--plan", plan, "--sandbox"], {
    answers: [[/Send 2 messages for 40 won\?/, "y\r"]],
  });
  expect(yes.code, plain(yes.screen)).toBe(0);
  expect(plain(yes.screen)).toMatch(/^accepted +2$/m);
});

test("another person sees the plan, types the number of its messages, and it goes out", async () => {
  const file = join(msg.folder, "two.csv");
  writeFileSync(file, "to\n01000000011\n01000000012\n");
  const approved = join(msg.folder, "two.msgplan");
  const words = ["send-many", file, "--sandbox", "--from", "0200000000", "--text", "안녕"];
  await msg(["profile", "set", "approval=required", "-p", "sandbox"]);
  const alone = await onTerminal(msg, words);
  expect(alone.code, plain(alone.screen)).toBe(7);
  expect((await msg([...words, "--plan-out", approved])).code).toBe(0);
  const { out } = await approver(["profile", "key", "-p", "sandbox"]);
  await msg(["profile", "approver", "add", "kim", out.split("\t")[0] ?? "", "-p", "sandbox"]);
  const approve = ["run", "approve", approved, "-p", "sandbox"];
  const wrong = await onTerminal(approver, approve, { answers: [[/Type 2 to confirm:/, "3\r"]] });
  expect(wrong.code, plain(wrong.screen)).toBe(7);
  const right = await onTerminal(approver, approve, { answers: [[/Type 2 to confirm:/, "2\r"]] });
  expect(right.code, plain(right.screen)).toBe(0);
  expect(plain(right.screen)).toMatch(/^messages {6}2$/m);
  expect(plain(right.screen)).toContain("│ 안녕");
  const sent = await onTerminal(msg, ["send-many", "--plan", approved, "--sandbox"], {
    answers: [[/Send 2 messages for 40 won\?/, "y\r"]],
  });
  expect(sent.code, plain(sent.screen)).toBe(0);
});
