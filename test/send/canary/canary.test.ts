/** A first handful, and the rest when it arrived: the books of the service are the judge, over both doors. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { envFor, numbersOf, rowsOf } from "../../faults/books.ts";
import { oneService } from "../../faults/one-service.ts";
import { hurriedWorld } from "../../support/clock.ts";
import { shell } from "../../support/msg.ts";

const clock = hurriedWorld();
const { opened: service, nextBatch } = oneService(clock.now);

const machine = () => shell({ ...clock, env: envFor(service()) });
const words = ["send-many", "-", "--from", "0200000000", "--text", "x", "--json"];
const judged = ["--canary-max-failed", "0"];

const list = (rows = 6) => {
  const first = nextBatch(rows);
  const sent = (): number[] => service().countsOf(numbersOf(rows, first));
  return { stdin: rowsOf(rows, first), numbers: numbersOf(rows, first), sent };
};

test("the canary goes out alone; when it was delivered the rest follows, in the same run", async () => {
  const { stdin, sent } = list();
  const ran = await machine()([...words, "--canary", "2", ...judged], { stdin });
  expect(ran.json(), ran.err).toMatchObject({ state: "done", accepted: 6, cost: 120 });
  expect(ran.err).toContain("2 messages first: 2 delivered, 0 failed");
  expect(sent()).toEqual([1, 1, 1, 1, 1, 1]);
  const { groups = [] }: { groups?: readonly string[] } = JSON.parse(ran.out);
  expect(groups).toHaveLength(2);
  const msg = machine();
  const fields: Record<string, string>[] = [];
  for (const id of groups)
    fields.push(JSON.parse((await msg(`group get ${id} --json`)).out).customFields);
  expect(fields.map((it) => it["msg.rows"]).sort()).toEqual(["1-2", "3-6"]);
  expect(new Set(fields.map((it) => it["msg.in"])).size).toBe(1);
});

test("too many failed: the rest is not sent (7), and --resume sends it without asking again", async () => {
  const { numbers, sent } = list(6);
  const msg = machine();
  const stdin = `to,from\n${numbers.map((to, at) => `${to},${at < 1 ? "0299999999" : "0200000000"}`).join("\n")}\n`;
  const line = ["send-many", "-", "--text", "x", "--json", "--canary", "2"];
  const ran = await msg([...line, "--canary-max-failed", "49%"], { stdin });
  expect(ran.code, ran.err).toBe(7);
  expect(ran.err).toContain("CanaryHeld");
  expect(ran.err).toContain("1 delivered, 1 failed, and at most 49% may fail");
  expect(ran.json()).toMatchObject({ accepted: 1, refused: 1, notSent: 4, state: "open" });
  expect(sent()).toEqual([0, 1, 0, 0, 0, 0]);
  const resumed = await msg("send-many --resume last --json");
  expect(resumed.json(), resumed.err).toMatchObject({ accepted: 5, refused: 1, notSent: 0 });
  expect(sent()).toEqual([0, 1, 1, 1, 1, 1]);
  expect(resumed.code).toBe(3);
});

test("as many as may fail: the rest goes out", async () => {
  const { numbers, sent } = list(4);
  const stdin = `to,from\n${numbers.map((to, at) => `${to},${at < 1 ? "0299999999" : "0200000000"}`).join("\n")}\n`;
  for (const most of ["50%"]) {
    const line = ["send-many", "-", "--text", "x", "--json", "--canary", "2"];
    const ran = await machine()([...line, "--canary-max-failed", most], { stdin });
    expect(ran.code, ran.err).toBe(3);
    expect(sent()).toEqual([0, 1, 1, 1]);
  }
});

test("a question decides: a no leaves the rest, a yes sends it; -y does not answer it", async () => {
  const { stdin, sent } = list();
  const msg = machine();
  const no = await msg([...words, "--canary", "2", "-y"], { stdin, tty: 100, answers: ["n"] });
  expect(no.code, no.err).toBe(7);
  expect(no.questions).toEqual([expect.stringContaining("Send the other 4 messages?")]);
  expect(sent()).toEqual([1, 1, 0, 0, 0, 0]);
  const resumed = await msg("send-many --resume last --json", { tty: 100, answers: ["y"] });
  expect(resumed.code, resumed.err).toBe(0);
  expect(sent()).toEqual([1, 1, 1, 1, 1, 1]);
  const other = list();
  const yes = await msg([...words, "--canary", "2", "-y"], {
    stdin: other.stdin,
    tty: 100,
    answers: ["y"],
  });
  expect(yes.code, yes.err).toBe(0);
  expect(other.sent()).toEqual([1, 1, 1, 1, 1, 1]);
});

test("the rest of a run that is held is on no way: watching ends, and what of the canary failed is retried", async () => {
  const first = nextBatch();
  const [reached = ""] = numbersOf(1, first);
  const stdin = `to\n${reached}\n01000003104\n${numbersOf(2, first + 1).join("\n")}\n`;
  const msg = machine();
  const ran = await msg([...words, "--canary", "2", ...judged], { stdin });
  expect(ran.code, ran.err).toBe(7);
  const watched = await msg("run watch last --within 10m --json");
  expect([watched.code, watched.err], watched.out).toMatchObject([
    8,
    expect.stringMatching(/no process is working on it/),
  ]);
  const shown = await msg("run show last --json");
  expect(shown.json()).toMatchObject({
    accepted: 2,
    notSent: 2,
    delivered: 1,
    failed: 1,
    pending: 0,
  });
  const retried = await msg("send-many --retry-failed last --json");
  expect(retried.json(), retried.err).toMatchObject({ total: 1, accepted: 1 });
  expect(service().countsOf([reached, ...numbersOf(2, first + 1)])).toEqual([1, 0, 0]);
});

test("each message of the canary that failed counts once, by its last code, however many there are", async () => {
  const first = nextBatch();
  const failing = Array.from({ length: 501 }, () => "01000003042");
  const stdin = `to\n01000003104\n${failing.join("\n")}\n${numbersOf(1, first).join()}\n`;
  const kakao = ["--template", "KA01TP260101000000000SANDBOX0004", "--fallback-text", "sms"];
  const values = ["--var", "name=A", "--dedupe", "off", "--canary", "502"];
  const ran = await machine()(
    [...words.filter((it) => !["--text", "x"].includes(it)), ...kakao, ...values, ...judged],
    { stdin },
  );
  expect(ran.code, ran.err).toBe(7);
  expect(ran.err).toContain("502 messages first: 1 delivered, 501 failed\n");
  expect(ran.err.match(/\d+ failed with \d+/g)).toEqual(["501 failed with 3042"]);
});

test("what is on the way when the time is over is waited for anew by --resume", async () => {
  const msg = shell({ ...hurriedWorld(), env: { MSG_PROFILE: "sandbox" } });
  await msg("sandbox set --tick 1h");
  const stdin = "to\n01000000001\n01000000002\n01000000003\n";
  const ran = await msg([...words, "--canary", "2", ...judged, "--canary-within", "1s"], { stdin });
  expect(ran.code, ran.err).toBe(7);
  expect(ran.err).toContain("2 on the way");
  expect(ran.err).toMatch(/--resume \S+ waits for the canary again/);
  const resume = "send-many --resume last --canary-within 1s --json -y";
  // Before a person, too: the limit was given so that no one is asked.
  await msg(resume, { tty: 100, answers: [] });
  const again = await msg(resume);
  expect(again.code, again.err).toBe(7);
  expect(again.json()).toMatchObject({ accepted: 2, notSent: 1 });
  await msg("sandbox clock advance 9h");
  const done = await msg("send-many --resume last --json");
  expect(done.json(), done.err).toMatchObject({ accepted: 3, notSent: 0 });
});

test("the first texts to numbers of one's own: the list is whole behind them, and stays the same list", async () => {
  const { numbers, sent } = list(3);
  const own = list(2);
  const msg = machine();
  const team = join(msg.folder, "team.csv");
  writeFileSync(team, `to\n${own.numbers.join("\n")}\n`);
  const stdin = `to,name\n${numbers.map((to, at) => `${to},손님${at}`).join("\n")}\n`;
  const line = ["send-many", "-", "--from", "0200000000", "--text", "#{name}님", "--json"];
  const no = await msg([...line, "--canary-to", team, "-y"], { stdin, tty: 100, answers: ["n"] });
  expect({ code: no.code, team: own.sent(), list: sent() }, no.err).toEqual({
    ...{ code: 7, team: [1, 1], list: [0, 0, 0] },
  });
  const texts = service().rows<{ text: string }>(
    `SELECT text FROM messages WHERE recipient IN ('${own.numbers.join("','")}') ORDER BY seq`,
  );
  expect(texts.map(({ text }) => text)).toEqual(["손님0님", "손님1님"]);
  // The same list without a canary is known to be in that run.
  const same = await msg(line, { stdin });
  expect(same.code, same.err).toBe(7);
  const resumed = await msg("send-many --resume last -y --json");
  expect({ list: sent(), team: own.sent() }, resumed.err).toEqual({
    list: [1, 1, 1],
    team: [1, 1],
  });
});

test("own numbers may have lost their zero, and are no rows of the list", async () => {
  const msg = machine();
  const team = join(msg.folder, "team.csv");
  writeFileSync(team, "1012340000\n1012340001\n");
  const line = ["send-many", "-", "--from", "0200000000", "--text", "x", "--canary-to", team];
  const stdin = "to\n01000000001\n01000000002\n";
  const advised = await msg([...line, "-n"], { stdin });
  expect([advised.code, advised.err]).toEqual([2, expect.stringContaining("--fix-leading-zero")]);
  const shown = await msg([...line, "-n", "--fix-leading-zero"], { stdin });
  expect(shown.out, shown.err).toContain("CSV in UTF-8, 2 rows\nto send\t4 (4 SMS)");
  const wrong = await msg([...line, "-n", "--fix-leading-zero"], { stdin: "to\n01000000001\nx\n" });
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("1 of 2 rows")]);
});

test("what is exported of failed rows is a source again: without those to numbers of one's own", async () => {
  const msg = shell(hurriedWorld());
  const team = join(msg.folder, "team.csv");
  writeFileSync(team, "to\n01000003104\n");
  const line = ["send-many", "-", "--sandbox", "--from", "0200000000", "--text", "#{name}"];
  const canary = ["--canary-to", team, "--canary-max-failed", "1", "--wait"];
  const stdin = "to,name\n01000000001,a\n01000003042,b\n";
  expect((await msg([...line, ...canary], { stdin })).code).toBe(3);
  const { out } = await msg("run export last --sandbox --status failed -o csv");
  expect(out.trim().split("\n").slice(1)).toEqual(["01000003042,b,failed,3042,out of coverage"]);
  expect((await msg([...line, "-n"], { stdin: out })).code).toBe(0);
});

const held = { tty: 100, answers: ["y", "n"] };

test("without a terminal it says what was sent, of a new run and of one whose canary is out", async () => {
  const { stdin, sent } = list();
  const one = machine();
  const line = [...words, "--canary", "2", "-y"];
  const none = await one(line, { stdin });
  expect([none.code, none.err]).toEqual([
    2,
    expect.stringContaining("nothing was sent; --canary-max"),
  ]);
  await one(line, { stdin, tty: 100, answers: [] });
  expect(sent()).toEqual([1, 1, 0, 0, 0, 0]);
  const rest = await one("send-many --resume last -y");
  expect([rest.code, rest.err]).toEqual([2, expect.stringContaining("2 accepted, 4 not sent")]);
  expect(rest.err).toContain("nothing more was sent; --canary-max");
});

test("taken over by another machine with the same command: the canary is not sent twice", async () => {
  const { stdin, sent } = list();
  const one = machine();
  const ran = await one([...words, "--canary", "2"], { stdin, ...held });
  expect({ code: ran.code, sent: sent() }, ran.err).toEqual({ code: 7, sent: [1, 1, 0, 0, 0, 0] });
  const two = await machine()([...words, "--canary", "2", ...judged], { stdin });
  expect({ code: two.code, sent: sent() }, two.err).toEqual({ code: 0, sent: [1, 1, 1, 1, 1, 1] });
  const rest = await one("send-many --resume last -y --json");
  expect({ sent: sent() }, rest.err).toEqual({ sent: [1, 1, 1, 1, 1, 1] });
}, 120_000);

test("taken over without a canary: numbers of one's own are no rows of the list", async () => {
  const [rows, own, one] = [list(3), list(2), machine()];
  const team = join(one.folder, "team.csv");
  writeFileSync(team, own.stdin);
  const line = [...words, "--canary-to", team];
  expect((await one(line, { stdin: rows.stdin, ...held })).code).toBe(7);
  const two = await machine()(words, { stdin: rows.stdin });
  expect({ code: two.code, list: rows.sent() }, two.err).toEqual({ code: 0, list: [1, 1, 1] });
  const rest = await one("send-many --resume last -y --json");
  expect({ list: rows.sent(), team: own.sent() }, rest.err).toEqual({
    ...{ list: [1, 1, 1], team: [1, 1] },
  });
}, 120_000);

test("a plan keeps its canary", async () => {
  const { stdin, sent } = list();
  const msg = machine();
  const file = join(msg.folder, "july.msgplan");
  const planned = await msg([...words, "--canary", "2", "--plan-out", file], { stdin });
  expect(planned.code, planned.err).toBe(0);
  expect((await msg(["run", "show", file, "--json"])).json()).toMatchObject({ canary: 2 });
  const alone = await msg(["send-many", "--plan", file, "--json"]);
  expect({ code: alone.code, sent: sent() }, alone.err).toEqual({
    code: 2,
    sent: [0, 0, 0, 0, 0, 0],
  });
  const ran = await msg(["send-many", "--plan", file, ...judged, "--json"]);
  expect({ code: ran.code, sent: sent() }, ran.err).toEqual({ code: 0, sent: [1, 1, 1, 1, 1, 1] });
});

test("--sandbox: the same in this process", async () => {
  const msg = shell(hurriedWorld());
  const line = [...words, "--sandbox", "--canary", "1", "--canary-max-failed", "0%"];
  const ran = await msg(line, { stdin: "to\n01000000001\n01000000002\n01000000003\n" });
  expect(ran.json(), ran.err).toMatchObject({ state: "done", accepted: 3 });
});

describe("flags that contradict each other", () => {
  test.each([
    ["--canary 2", "there is no terminal to ask on"],
    ["--canary 0 --canary-max-failed 0", "--canary"],
    ["--canary 2 --canary-to x.csv --canary-max-failed 0", "exclude each other"],
    ["--canary 2 --direct --canary-max-failed 0", "--direct and --canary exclude each other"],
    ["--canary 2 --canary-max-failed 120%", "neither a share nor a number"],
    ["--canary 2 --canary-max-failed half", "neither a share nor a number"],
    ["--canary-max-failed 5%", "need --canary"],
  ])("%s", async (flags, said) => {
    const { stdin, sent } = list(1);
    const ran = await machine()([...words, ...flags.split(" ")], { stdin });
    expect({ code: ran.code, sent: sent() }, ran.err).toEqual({ code: 2, sent: [0] });
    expect(ran.err).toContain(said);
  });
});
