/** On a terminal a list shows short ids; commands and the completion take them from there. */
import { expect, test } from "vitest";
import { shell } from "../support/msg.ts";

test("an id as the table shows it is taken by the next command, and completed", async () => {
  const msg = shell({});
  await msg("send --sandbox --to 01000000001 --from 0200000000 --text hello");
  const list = await msg("group list --sandbox", { tty: 80 });
  const [short = ""] = /G4V\w+…\w+/.exec(list.out) ?? [];
  expect(short).not.toBe("");
  const got = await msg(["group", "get", short, "--sandbox", "--fields", "groupId"]);
  expect(got.code, got.err).toBe(0);
  const groupId = got.out.trim();
  expect(groupId).toHaveLength(32);
  const completed = await msg(["complete-line", "--", "group", "get", "G4V"]);
  expect(completed.out).toBe(`${groupId}\t\n`);
  const unknown = await msg(["group", "get", "G4V…ZZZZ", "--sandbox"]);
  expect([unknown.code, unknown.err]).toEqual([
    2,
    expect.stringContaining("matches no id that was shown recently"),
  ]);
});
