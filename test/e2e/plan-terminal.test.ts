/** A plan in a real terminal, over both doors: what is shown of it, who approves it, and the question before it is sent. */
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { atHome } from "../faults/at-home.ts";
import { doors } from "./doors.ts";
import { onTerminal, plain } from "./on-terminal.ts";

const plan = "july.msgplan";
const from = ["--from", "0200000000"];

test.each(doors)(
  "a plan is written, shown as phones show it, compared, asked for and sent, %s",
  async (_door, open) => {
    const { msg, env } = await open();
    const file = join(msg.folder, "list.csv");
    writeFileSync(file, "to,name\n01000000001,김\n01000000002,이\n");
    const words = ["send-many", file, ...from, "--text", "#{name}님"];
    const kept = await onTerminal(msg, [...words, "--plan-out", plan], { env });
    expect(kept.code, plain(kept.screen)).toBe(0);
    expect(plain(kept.screen)).toMatch(/^to send {3}2 \(2 SMS\)$/m);
    const shown = await onTerminal(msg, ["run", "show", plan, "--sample", "1"], { env });
    expect(plain(shown.screen)).toMatch(/row 1 to 01000000001, SMS[\s\S]*김님/);
    writeFileSync(file, "to,name\n01000000001,김\n01000000003,박\n");
    await msg([...words, "--plan-out", join(msg.folder, "new.msgplan")], { env });
    const differs = ["run", "show", "new.msgplan", "--diff", plan];
    const compared = plain((await onTerminal(msg, differs, { env })).screen);
    expect(compared).toMatch(/^added: 01000000003 .*박님/m);
    expect(compared).toMatch(/^removed: 01000000002 .*이님/m);
    const send = ["send-many", "--plan", plan];
    const no = await onTerminal(msg, send, {
      env,
      answers: [[/Send 2 messages for 40 won\?/, "n\r"]],
    });
    expect(no.code, plain(no.screen)).toBe(7);
    expect(plain(no.screen)).toContain(`send-many --plan ${plan} sends it after all`);
    const yes = await onTerminal(msg, send, {
      env,
      answers: [[/Send 2 messages for 40 won\?/, "y\r"]],
    });
    expect(yes.code, plain(yes.screen)).toBe(0);
    expect(plain(yes.screen)).toMatch(/^accepted +2$/m);
  },
);

test.each(doors)(
  "another person sees the plan, types the number of its messages, and it goes out once, %s",
  async (_door, open) => {
    const { msg, env } = await open();
    const approver = atHome();
    const file = join(msg.folder, "two.csv");
    writeFileSync(file, "to\n01000000011\n01000000012\n");
    const [approved, other] = [join(msg.folder, "two.msgplan"), join(msg.folder, "x.msgplan")];
    const words = ["send-many", file, ...from, "--text", "안녕"];
    await msg(["profile", "set", "approval=required"], { env });
    const alone = await onTerminal(msg, words, { env });
    expect(alone.code, plain(alone.screen)).toBe(7);
    expect((await msg([...words, "--plan-out", approved], { env })).code).toBe(0);
    expect((await msg([...words.slice(0, -1), "hi", "--plan-out", other], { env })).code).toBe(0);
    const { out } = await approver(["profile", "key"], { env });
    await msg(["profile", "approver", "add", "kim", out.split("\t")[0] ?? ""], { env });
    const approve = ["run", "approve", approved];
    const type = (typed: string) => ({ env, answers: [[/Type 2 to confirm:/, typed]] as const });
    const wrong = await onTerminal(approver, approve, type("3\r"));
    expect(wrong.code, plain(wrong.screen)).toBe(7);
    const right = await onTerminal(approver, approve, type("2\r"));
    expect(right.code, plain(right.screen)).toBe(0);
    expect(plain(right.screen)).toMatch(/^messages {6}2$/m);
    expect(plain(right.screen)).toContain("│ 안녕");
    copyFileSync(`${approved}.approval`, `${other}.approval`);
    const forged = await onTerminal(msg, ["send-many", "--plan", other], { env });
    expect(forged.code, plain(forged.screen)).toBe(7);
    expect(plain(forged.screen)).toContain("its approval belongs to another plan");
    const answers = [[/Send 2 messages for 40 won\?/, "y\r"]] as const;
    const sent = await onTerminal(msg, ["send-many", "--plan", approved], { env, answers });
    expect(sent.code, plain(sent.screen)).toBe(0);
    expect((await onTerminal(msg, ["send-many", "--plan", approved], { env })).code).toBe(7);
  },
);
