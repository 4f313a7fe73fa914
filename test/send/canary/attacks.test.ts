/** What could get a run past its canary, or send it twice: loops, other machines, refusals; the books are the judge. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { envFor, numbersOf } from "../../faults/books.ts";
import { openLine, type Passing } from "../../faults/line.ts";
import { oneService } from "../../faults/one-service.ts";
import { hurriedWorld } from "../../support/clock.ts";
import { shell } from "../../support/msg.ts";

const clock = hurriedWorld();
const { opened: service, nextBatch } = oneService(clock.now);

const machine = () => shell({ ...clock, env: envFor(service()) });
const words = ["send-many", "-", "--text", "x", "--json"];
const canary = ["--canary", "2", "--canary-max-failed", "0"];

/** Six rows, the first `bad` of them from a number that is not registered. */
const list = (bad: number) => {
  const numbers = numbersOf(6, nextBatch(6));
  const rows = numbers.map((to, at) => `${to},${at < bad ? "0299999999" : "0200000000"}`);
  const sent = (): number[] => service().countsOf(numbers);
  return { stdin: `to,from\n${rows.join("\n")}\n`, sent };
};
const none = [0, 0, 0, 0, 0, 0];
const held = [0, 1, 0, 0, 0, 0];
const whole = [0, 1, 1, 1, 1, 1];

test("a loop that repeats a line with --once does not get past a canary that failed", async () => {
  const { stdin, sent } = list(1);
  const msg = machine();
  for (const turn of [1, 2, 3]) {
    const ran = await msg([...words, "--once", "july", ...canary, "-y"], { stdin });
    expect({ turn, code: ran.code, sent: sent() }, ran.err).toEqual({ turn, code: 7, sent: held });
  }
  const bare = await msg([...words, "--once", "july", "--canary", "2"], { stdin });
  expect({ code: bare.code, sent: sent() }, bare.err).toEqual({ code: 2, sent: held });
  const named = await msg("send-many --resume last --json");
  expect({ code: named.code, sent: sent() }, named.err).toEqual({ code: 3, sent: whole });
});

test("with --once on a machine that knows nothing of it the canary is judged by its messages", async () => {
  const { stdin, sent } = list(1);
  for (const _ of ["one machine", "another"]) {
    const ran = await machine()([...words, "--once", "august", ...canary], { stdin });
    expect({ code: ran.code, sent: sent() }, ran.err).toEqual({ code: 7, sent: held });
  }
});

test("resumed where its folder is not: with the same --canary it stays held", async () => {
  const { stdin, sent } = list(1);
  const ran = await machine()([...words, ...canary], { stdin });
  const { run = "" }: { run?: string } = JSON.parse(ran.out);
  const again = await machine()([...words, ...canary, "--resume", run], { stdin });
  expect({ code: again.code, sent: sent() }, again.err).toEqual({ code: 7, sent: held });
});

test("one plan on two machines, after each other: the canary goes out once, and stays held", async () => {
  const { stdin, sent } = list(1);
  const [one, other] = [machine(), machine()];
  const file = join(one.folder, "july.msgplan");
  expect((await one([...words, ...canary, "--plan-out", file], { stdin })).code).toBe(0);
  for (const msg of [one, other]) {
    const ran = await msg(["send-many", "--plan", file, "--json"]);
    expect({ code: ran.code, sent: sent() }, ran.err).toEqual({ code: 7, sent: held });
  }
  for (const msg of [one, other]) {
    const ran = await msg("send-many --resume last --json");
    expect({ code: ran.code, sent: sent() }, ran.err).toEqual({ code: 3, sent: whole });
  }
});

test("one plan on two machines at once: no row goes out twice", async () => {
  const { stdin, sent } = list(0);
  const both = [machine(), machine()];
  const file = join(both[0]?.folder ?? "", "july.msgplan");
  expect((await both[0]?.([...words, ...canary, "--plan-out", file], { stdin }))?.code).toBe(0);
  await Promise.all(both.map((msg) => msg(["send-many", "--plan", file, "--json"])));
  expect(Math.max(...sent())).toBeLessThanOrEqual(1);
  for (const msg of both) await msg(["send-many", "--resume", "last", "--json"]);
  expect(sent()).toEqual([1, 1, 1, 1, 1, 1]);
});

test("a canary that was refused as a whole is not waited for", async () => {
  const { stdin, sent } = list(2);
  const before = clock.now().getTime();
  const ran = await machine()([...words, ...canary, "--canary-within", "5h"], { stdin });
  expect({ code: ran.code, sent: sent() }, ran.err).toEqual({ code: 7, sent: [0, 0, 0, 0, 0, 0] });
  expect(ran.err).toContain("2 messages first: 0 delivered, 2 failed, and at most 0 may fail");
  expect(clock.now().getTime() - before).toBeLessThan(3_600_000);
});

test.each([
  ["--canary", "2"],
  ["--canary-to", "team.csv"],
])(
  "workers cannot judge a canary together: %s and --part exclude each other",
  async (flag, value) => {
    const { stdin, sent } = list(0);
    const line = [...words, "--part", "1/2", flag, value, "--canary-max-failed", "0"];
    const ran = await machine()(line, { stdin });
    expect({ code: ran.code, sent: sent() }, ran.err).toEqual({ code: 2, sent: list(0).sent() });
    expect(ran.err).toContain(`${flag} and --part exclude each other`);
  },
);

test("another machine sent the canary in a group with more rows: all of them are judged", async () => {
  const { stdin, sent } = list(1);
  const sends = { count: 0 };
  const harm = ({ path }: Passing) => {
    if (path.endsWith("/send")) sends.count += 1;
    return path.endsWith("/send") && sends.count > 1 ? "dropBefore" : undefined;
  };
  const line = await openLine({ to: service().baseUrl, harm });
  const parts = ["--chunk", "2", "--group-size", "4", "--settle", "1s"];
  const one = await shell({ ...clock, env: envFor(line) })([...words, ...parts], { stdin });
  await line.stop();
  expect({ code: one.code, sent: sent() }, one.err).toEqual({ code: 11, sent: [0, 1, 1, 1, 0, 0] });
  const judged = ["--canary", "1", "--canary-max-failed", "25%"];
  const other = await machine()([...words, ...judged], { stdin });
  expect(other.err).toContain("4 messages first: 3 delivered, 1 failed\n");
  expect({ code: other.code, sent: sent() }, other.err).toEqual({ code: 3, sent: whole });
});

test("the flags of a canary beside a plan, a key or a run without one are refused: nothing goes out", async () => {
  const planned = list(0);
  const msg = machine();
  const file = join(msg.folder, "june.msgplan");
  expect((await msg([...words, "--plan-out", file], { stdin: planned.stdin })).code).toBe(0);
  const limited = await msg(["send-many", "--plan", file, "--canary-max-failed", "0", "--json"]);
  expect(limited.err).toContain("was made without a canary");
  expect({ code: limited.code, sent: planned.sent() }).toEqual({ code: 2, sent: none });
  expect((await msg(["send-many", "--plan", file, "--json"])).code).toBe(0);
  const keyed = list(0);
  const line = await openLine({
    to: service().baseUrl,
    harm: ({ method }) => (method === "PUT" ? "failBefore" : undefined),
  });
  const env = envFor(line);
  const cut = await msg([...words, "--once", "june"], { stdin: keyed.stdin, env });
  await line.stop();
  for (const again of [
    [...words, "--once", "june", ...canary],
    ["send-many", "--resume", "last", ...canary.slice(2)],
  ]) {
    const { code, err } = await msg(again, { stdin: keyed.stdin });
    expect([cut.code, code, keyed.sent()], err).toEqual([10, 2, none]);
  }
  const whole = await msg([...words, "--once", "june"], { stdin: keyed.stdin });
  expect([whole.code, keyed.sent()], whole.err).toEqual([0, [1, 1, 1, 1, 1, 1]]);
});
