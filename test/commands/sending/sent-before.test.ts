/** The same rows twice: whoever sends them, and whatever of the account can be read, --again is asked for. */
import { expect, test } from "vitest";
import { type Shell, shell } from "../../support/msg.ts";

const stdin = "to\n01000000001\n01000000002\n";
const line = "send-many - --sandbox --from 0200000000 --text x -y --json";

const codeOf = (err: string): unknown =>
  JSON.parse(err.trim().split("\n").at(-1) || "{}").error?.code;

/** Messages that the service has. */
const held = async (at: Shell): Promise<number> =>
  JSON.parse((await at("message list --sandbox --json")).out).length;

const unreadable =
  'sandbox fault add --sandbox --on "GET /cash/v1/balance" --do status:400 --times 1';

test("the balance cannot be read the second time: whose rows they are is not known, and they are not sent", async () => {
  const at = shell();
  expect((await at(line, { stdin })).code).toBe(0);
  expect((await at(unreadable)).code).toBe(0);
  const twice = await at(line, { stdin });
  expect([twice.code, codeOf(twice.err)]).toEqual([7, "SentBefore"]);
  expect(await held(at)).toBe(2);
});

test("nor the first time", async () => {
  const at = shell();
  await at(unreadable);
  expect((await at(line, { stdin })).code).toBe(0);
  const twice = await at(line, { stdin });
  expect([twice.code, codeOf(twice.err)]).toEqual([7, "SentBefore"]);
  expect(await held(at)).toBe(2);
});
