/** A Kakao message failed, and the service sent an SMS in its place, which arrived: no one is written to again. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { hurriedWorld } from "../../support/clock.ts";
import { type Shell, shell } from "../../support/msg.ts";

const template = "KA01TP260101000000000SANDBOX0004";
/** 3104: no Kakao Talk, so that the SMS arrives. 3042: out of coverage, for the SMS too. */
const [withoutTalk, unreachable, reachable] = ["01000003104", "01000003042", "01000000007"];

const sendAll = async (at: Shell, ...more: readonly string[]) => {
  const stdin = `to\n${withoutTalk}\n${unreachable}\n${reachable}\n`;
  const words = ["send-many", "-", "--template", template, "--from", "0200000000", "--sandbox"];
  const ran = await at([...words, "--json", ...more], { stdin });
  expect(ran.code, ran.err).toBe(0);
};

const idsOf = async (at: Shell, status: string): Promise<readonly string[]> => {
  const { out } = await at(`run export last --status ${status} --sandbox --json`);
  const rows: readonly { readonly to: string }[] = JSON.parse(out);
  return rows.map(({ to }) => to);
};

test.each([["with marks"], ["without", "--no-tag"]])(
  "of the rows of a run, %s, only what did not arrive at all is sent again",
  async (_, ...how) => {
    const at = shell();
    await sendAll(at, ...how);
    await at("sandbox clock advance 1h");
    expect(await idsOf(at, "failed")).toEqual([unreachable]);
    expect(await idsOf(at, "delivered")).toEqual([withoutTalk, reachable]);
    const again = await at("send-many --retry-failed last --sandbox --json");
    expect([again.code, JSON.parse(again.out).total], again.err).toEqual([0, 1]);
  },
);

test("a run that is over shows how to resend what did not arrive", async () => {
  const at = shell();
  await sendAll(at);
  await at("sandbox clock advance 1h");
  const { err, out } = await at("run show last --sandbox --no-color", { tty: 80 });
  expect(err).toContain("1 did not arrive: msg run export");
  expect(err).toContain("msg send-many --retry-failed");
  expect(out).not.toMatch(/^path/m);
});

test("what was given back is in the cost of a run that is over, however it is shown", async () => {
  const at = shell();
  await sendAll(at);
  await at("sandbox clock advance 1h");
  for (const words of ["run show last", "run list", "run watch last", "group list"]) {
    const { out } = await at(`${words} --fields cost --sandbox -o tsv --no-header`);
    expect(out, words).toBe("39\n");
  }
});

test("while another may go out in its place nothing is sent again", async () => {
  const at = shell();
  await sendAll(at);
  // The first reports have come, and what goes out in place of two messages has not arrived.
  await at("sandbox clock advance 2s");
  expect(await idsOf(at, "delivered")).not.toContain(withoutTalk);
  const again = await at("send-many --retry-failed last --sandbox --json");
  expect([again.code, again.err.includes('"RunPending"')], again.err).toEqual([7, true]);
});

test("one message is waited for until what was sent in its place has arrived, or has not", async () => {
  const at = shell(hurriedWorld());
  for (const [to, code, said] of [
    [withoutTalk, 0, "what the service sent in its place arrived"],
    [unreachable, 10, "did not arrive"],
  ] as const) {
    const words = ["send", "--to", to, "--template", template, "--from", "0200000000", "--sandbox"];
    const waited = await at([...words, "--wait"]);
    expect([waited.code, waited.err]).toEqual([code, expect.stringContaining(said)]);
    const [id = ""] = /M4V\w+/.exec(waited.out) ?? [];
    const known = await at(["message", "wait", id, "--sandbox"]);
    expect([known.code, known.err]).toEqual([code, expect.stringContaining(said)]);
  }
});

test("what was sent in place of one message of a recipient is none of a plain text to it", async () => {
  const at = shell();
  const { pfId } = JSON.parse((await at(`template get ${template} --sandbox --json`)).out);
  const rows = [
    { to: withoutTalk, kakaoOptions: { pfId, templateId: template } },
    { to: withoutTalk, text: "plain" },
  ];
  const words = ["send-many", "-", "--from", "0200000000", "--dedupe", "off", "--sandbox"];
  const ran = await at([...words, "--allow-duplicates", "--json"], { stdin: JSON.stringify(rows) });
  expect(ran.code, ran.err).toBe(0);
  await at("sandbox clock advance 1h");
  const { out } = await at("run export last --status failed --as-sent --sandbox --json");
  expect(JSON.parse(out)).toMatchObject([{ text: "plain" }]);
});

test("what one Kakao message costs says that an SMS may follow", async () => {
  const words = ["send", "--to", withoutTalk, "--template", template, "--from", "0200000000"];
  const { out } = await shell()([...words, "--sandbox", "-n"]);
  expect(out).toContain("19 won; more if a fallback message replaces it");
});

test("a ceiling covers what may go out in place of one Kakao message", async () => {
  const at = shell();
  const words = ["send", "--to", withoutTalk, "--template", template, "--from", "0200000000"];
  const send = [...words, "--fallback-text", "come", "--sandbox"];
  const shown = await at([...send, "-n"]);
  expect(shown.out).toContain("19 won, plus up to 20 won for fallback messages");
  const refused = await at([...send, "--max-cost", "38"]);
  expect([refused.code, refused.err]).toMatchObject([
    7,
    expect.stringMatching(/this would cost 39 won/),
  ]);
  expect((await at("message list --sandbox --json")).out).toBe("[]\n");
  expect((await at([...send, "--max-cost", "39"])).code).toBe(0);
});

test("what goes out in place of a row to another country is priced there, by a plan, too", async () => {
  const at = shell();
  const instead = { from: "0200000000", text: "come", country: "81" };
  const stdin = JSON.stringify([{ to: reachable, text: "come", replacements: [instead] }]);
  const words = ["send-many", "-", "--from", "0200000000", "--sandbox"];
  const refused = await at([...words, "--max-cost", "99"], { stdin });
  expect([refused.code, refused.err]).toMatchObject([
    7,
    expect.stringMatching(/this would cost 100 won/),
  ]);
  const plan = join(at.folder, "abroad.msgplan");
  expect((await at([...words, "--plan-out", plan], { stdin })).code).toBe(0);
  const sent = await at(["send-many", "--plan", plan, "--sandbox"]);
  expect(sent.code, sent.err).toBe(0);
});

test("what a group of Kakao messages costs says that others may follow", async () => {
  const at = shell();
  const { groupId } = JSON.parse((await at("group create --sandbox --json")).out);
  const { pfId } = JSON.parse((await at(`template get ${template} --sandbox --json`)).out);
  const messages = [
    { to: withoutTalk, from: "0200000000", kakaoOptions: { pfId, templateId: template } },
    { to: reachable, from: "0200000000", text: "plain" },
  ];
  const stdin = JSON.stringify(messages);
  const added = await at(`group add ${groupId} - --sandbox --json`, { stdin });
  expect(added.code, added.err).toBe(0);
  const { questions } = await at(`group send ${groupId} --sandbox`, { answers: ["n"] });
  expect(questions).toEqual([
    `Send group ${groupId}: 2 messages for 39 won; fallback messages for 1 message not included?`,
  ]);
});

test("what goes out in place of a row at a price that no one knows passes no ceiling", async () => {
  const stdin = JSON.stringify([
    { to: reachable, text: "a", replacements: [{ text: "b", type: "NSA" }] },
  ]);
  const at = shell();
  const words = ["send-many", "-", "--from", "0200000000", "--sandbox"];
  const shown = await at([...words, "--estimate"], { stdin, tty: 100 });
  expect(shown.err).toContain("cost      20 won; fallback messages not included\n");
  const refused = await at([...words, "--max-cost", "1000"], { stdin });
  expect([refused.code, refused.err]).toMatchObject([
    7,
    expect.stringMatching(/the price of a message is not known/),
  ]);
});
