/** A canary in a real terminal, over both doors: its outcome is shown, and the rest hangs on the answer. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { doors } from "./doors.ts";
import { onTerminal, plain } from "./on-terminal.ts";
import type { Program } from "./program.ts";

/** A delivery takes two tenths of a second. */
const opened = async (open: (typeof doors)[number][1]) => {
  const door = await open();
  await door.msg(["sandbox", "set", "--sandbox", "--tick", "100ms"]);
  return door;
};

/** Four rows, the second of them from a number that is not registered. */
const send = (msg: Program, name: string): readonly string[] => {
  const file = join(msg.folder, name);
  const rows = ["01000000001,0200000000", "01000000002,0299999999"];
  const rest = ["01000000003,0200000000", "01000000004,0200000000"];
  writeFileSync(file, ["to,from", ...rows, ...rest].join("\n"));
  return ["send-many", file, "--text", name, "--canary", "2"];
};

const first = [/Send 4 messages for 80 won\?/, "y\r"] as const;
const question = /Send the other 2 messages\?/;
const outcome =
  /2 messages first: 1 delivered, 1 failed\n {2}1 failed with 1062: sender number not registered\n/;
const counts = ["run", "show", "last", "--fields", "accepted,refused,notSent"];

test.each(doors)(
  "a no after the canary leaves the rest unsent, and --resume sends it, %s",
  async (_door, open) => {
    const { msg, env } = await opened(open);
    const answers = [first, [question, "n\r"]] as const;
    const held = await onTerminal(msg, send(msg, "no"), { env, answers });
    expect(held.code, plain(held.screen)).toBe(7);
    expect(plain(held.screen)).toMatch(/^canary {4}2 messages first, then a question$/m);
    expect(plain(held.screen)).toMatch(outcome);
    expect(plain(held.screen)).toMatch(
      /and you declined to send the rest\n.*\n {2}2 messages not sent; msg .*send-many --resume \S+ sends the rest/,
    );
    expect((await msg(counts, { env })).out).toBe("1\t1\t2\n");
    const resumed = await onTerminal(msg, ["send-many", "--resume", "last"], {
      env,
      answers: [[/Send the 2 messages not sent yet for at most 60 won\?/, "y\r"]],
    });
    expect(resumed.code, plain(resumed.screen)).toBe(3);
    expect(plain(resumed.screen)).not.toMatch(question);
    expect((await msg(counts, { env })).out).toBe("3\t1\t0\n");
  },
);

test.each(doors)("a yes after the canary sends the rest, %s", async (_door, open) => {
  const { msg, env } = await opened(open);
  const answers = [first, [question, "y\r"]] as const;
  const { code, screen } = await onTerminal(msg, send(msg, "yes"), { env, answers });
  expect(code, plain(screen)).toBe(3);
  expect(plain(screen)).toMatch(outcome);
  expect((await msg(counts, { env })).out).toBe("3\t1\t0\n");
});
