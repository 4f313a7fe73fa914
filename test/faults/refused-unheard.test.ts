/** Messages that the service refused in an answer that was lost: not told as sent, and sent when that is mended. */
import { expect, test } from "vitest";
import { fault } from "../commands/run/in-doubt.ts";
import { type Ran, type Shell, shell } from "../support/msg.ts";

const send = "send --sandbox --from 0299999999 --to 01000000001 --text x --json";
const once = `${send} --once order-1`;

/** The sender is not registered, and the answer that says so is lost. */
const lostAnswer = async (): Promise<Shell> => {
  const at = shell();
  await fault(at, "POST /messages/v4/send", "drop-after", "--times", "1");
  return at;
};

const registered = (at: Shell) => at("sandbox set --sandbox --sender 0299999999");
const shown = async (at: Shell) => (await at("run show order-1 --sandbox --json")).json();
const codesOf = async (at: Shell): Promise<readonly string[]> => {
  const all = JSON.parse((await at("message list --sandbox --json")).out);
  return all.map(({ statusCode }: { readonly statusCode: string }) => statusCode);
};
const errorOf = ({ err }: Ran): unknown => JSON.parse(err.slice(err.indexOf('{"error"'))).error;

const refused = expect.objectContaining({ code: "1062", outcome: "refused", exitCode: 10 });

test("send: exit 10 and the code of the message, as where the answer is heard", async () => {
  const at = await lostAnswer();
  const ran = await at(send);
  expect([ran.code, ran.out, errorOf(ran)]).toEqual([10, "", refused]);
  expect(await codesOf(at)).toEqual(["1062"]);
});

test("send --once: the key stays open, and sends once when the sender is registered", async () => {
  const at = await lostAnswer();
  const ran = await at(once);
  expect([ran.code, ran.out, errorOf(ran)]).toEqual([10, "", refused]);
  expect(await shown(at)).toMatchObject({ state: "done", notSent: 0, refused: 1 });
  await registered(at);
  expect((await at(once)).code).toBe(0);
  expect((await at(once)).code).toBe(0);
  expect(await codesOf(at)).toEqual([expect.not.stringMatching(/^1/), "1062"]);
});

test("send --once: a message that was refused before is no answer to one in doubt now", async () => {
  const at = shell();
  expect((await at(once)).code).toBe(10);
  await registered(at);
  await fault(at, "POST /messages/v4/groups/*/send", "drop-before", "--times", "1");
  const lost = await at(`${once} --settle 0`);
  expect(lost.code, lost.err).toBe(11);
  expect(await shown(at)).toMatchObject({ state: "unknown", unknown: 1 });
  expect((await at(once)).code).toBe(0);
  expect(await shown(at)).toMatchObject({ state: "done", accepted: 1 });
});

test("send --once: one that was taken is found beside one that was refused before", async () => {
  const at = shell();
  expect((await at(once)).code).toBe(10);
  await registered(at);
  await fault(at, "POST /messages/v4/groups/*/send", "drop-after", "--times", "1");
  const found = await at(once);
  expect([found.code, JSON.parse(found.out).statusCode], found.err).toEqual([0, "2000"]);
  expect(await shown(at)).toMatchObject({ state: "done", accepted: 1 });
});

test("of a run that sent nothing no message has failed, and none is said to have arrived", async () => {
  const at = shell();
  await fault(at, "PUT /messages/v4/groups/*", "status:503");
  const words = "send-many - --sandbox --from 0200000000 --text x --settle 0 --json";
  const ran = await at(words, { stdin: "to\n01000000001\n" });
  expect(ran.code, ran.err).toBe(10);
  const retried = await at("send-many --retry-failed last --sandbox --json");
  expect([retried.code, errorOf(retried)]).toMatchObject([
    2,
    {
      message: expect.stringMatching(/^no message of run \S+ has failed$/),
      hint: expect.stringContaining("msg run show"),
    },
  ]);
});
