/** What a person is asked before one message goes, and how a list that is cut goes on. */
import { expect, test } from "vitest";
import { hurried } from "../../support/clock.ts";
import { shell } from "../../support/msg.ts";

test("prompts that completed the line are followed by the question: a no sends nothing", async () => {
  const at = shell({ env: { NO_COLOR: "1" } });
  const line = "send --from 0200000000 --text a --sandbox --fields statusCode";
  const no = await at(line, { tty: 80, answers: ["01000000001", "n"] });
  expect([no.code, no.questions.at(-1)]).toEqual([7, "Send it?"]);
  expect(no.err).toContain("1 SMS · 1 byte · 20 won · to 010-0000-0001");
  const yes = await at(line, { tty: 80, answers: ["01000000001", "y"] });
  expect([yes.code, yes.out], yes.err).toEqual([0, "statusCode  2000\n"]);
  const whole = await at(`${line} --to 01000000001`, { tty: 80, answers: [] });
  expect([whole.code, whole.questions]).toEqual([0, []]);
});

test("a list that the service cuts keeps its rows and names the key that goes on", async () => {
  const at = shell({ ...hurried() });
  const rows = Array.from({ length: 501 }, (_, it) => `0102000${String(it).padStart(4, "0")}`);
  const stdin = ["to", ...rows].join("\n");
  await at("send-many - --from 0200000000 --text a --sandbox", { stdin });
  const list = '--on "GET /messages/v4/list"';
  await at(`sandbox fault add ${list} --do delay:1ms --times 1`);
  await at(`sandbox fault add ${list} --do status:500`);
  const cut = await at("message list --all -o csv --fields to --sandbox");
  expect([cut.code, cut.out.trim().split("\n").length]).toEqual([10, 501]);
  const [, key = ""] = /continue after the rows above with --start-key (\S+)/.exec(cut.err) ?? [];
  await at("sandbox fault clear");
  const rest = await at(`message list --all -o csv --fields to --sandbox --start-key ${key}`);
  const all = [...cut.out.trim().split("\n").slice(1), ...rest.out.trim().split("\n").slice(1)];
  expect(new Set(all)).toEqual(new Set(rows));
});
