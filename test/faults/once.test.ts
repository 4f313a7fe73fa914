/** A key is the identity of a run: whichever machine runs the command how often, its rows go out once. */
import { expect, test } from "vitest";
import { ended, program } from "../e2e/program.ts";
import { shell } from "../support/msg.ts";
import { envFor, numbersOf, rowsOf, sending } from "./books.ts";
import { openLine } from "./line.ts";
import { oneService } from "./one-service.ts";

const { opened, nextBatch } = oneService();
const rows = 6;
const once = Array.from({ length: rows }, () => 1);
const keys = { next: 0 };

/** A list of its own, and a key for it. */
const keyed = (...more: readonly string[]) => {
  const first = nextBatch();
  keys.next += 1;
  const key = `key-${keys.next}`;
  const words = sending("--chunk", "2", "--group-size", "2", "--json", "--once", key, ...more);
  const sent = (): number[] => opened().countsOf(numbersOf(rows, first));
  return { words, stdin: rowsOf(rows, first), sent, key };
};

/** Whoever was at work before has stopped by then. */
const inTwoMinutes = (): Date => new Date(Date.now() + 120_000);

const errorOf = (err: string): unknown => JSON.parse(err.trim().split("\n").at(-1) ?? "{}").error;
const totalsOf = (out: string) => {
  const { run: _run, elapsedMs: _elapsed, groups, ...totals } = JSON.parse(out);
  return { ...totals, groups: [...groups].sort() };
};

test("sent on one machine: every other one shows the same totals, exit 0, and sends nothing", async () => {
  const { words, stdin, sent } = keyed();
  const env = envFor(opened());
  const msg = shell();
  const first = await msg(words, { stdin, env });
  expect(first.code, first.err).toBe(0);
  for (const at of [shell(), msg, msg]) {
    const again = await at(words, { stdin, env });
    expect([again.code, sent()], again.err).toEqual([0, once]);
    expect(totalsOf(again.out)).toEqual(totalsOf(first.out));
    expect(again.err).toMatch(/already sent at .*; not sent again/);
  }
});

test("a row was refused: exit 3 with the same totals, on this machine and on others", async () => {
  const first = nextBatch();
  const [good = ""] = numbersOf(1, first);
  const stdin = `to,from\n${good},0200000000\n${numbersOf(1, first + 1)[0]},0299999999\n`;
  const words = [...sending("--json", "--once", `refused-${first}`)];
  const env = envFor(opened());
  const msg = shell();
  const told = await msg(words, { stdin, env });
  expect(told.code, told.err).toBe(3);
  for (const at of [shell(), msg]) {
    const again = await at(words, { stdin, env });
    expect([again.code, totalsOf(again.out)], again.err).toEqual([3, totalsOf(told.out)]);
  }
  expect(opened().countsOf([good])).toEqual([1]);
});

test("other messages under the key: exit 2, and nothing is sent, on this machine and on others", async () => {
  const { words, stdin, sent } = keyed();
  const env = envFor(opened());
  const msg = shell();
  expect((await msg(words, { stdin, env })).code).toBe(0);
  const first = nextBatch();
  for (const at of [msg, shell()]) {
    // Nobody is asked first.
    const asked = { tty: 100, answers: [] };
    const other = await at(words, { stdin: rowsOf(rows + 1, first), env, ...asked });
    expect([other.code, other.out], other.err).toEqual([2, ""]);
    expect(errorOf(other.err)).toMatchObject({ code: "OtherContent" });
    expect((await at(["run", "list", "--json"], { env })).out.includes('"open"')).toBe(false);
  }
  expect(sent()).toEqual(once);
  expect(
    opened()
      .countsOf(numbersOf(rows + 1, first))
      .every((count) => count === 0),
  ).toBe(true);
});

test("the same rows under another key are another sending; without a key they were sent before", async () => {
  const { words, stdin, sent } = keyed();
  const env = envFor(opened());
  const msg = shell();
  expect((await msg(words, { stdin, env })).code).toBe(0);
  const other = words.map((it, at) => (words[at - 1] === "--once" ? `${it}-other` : it));
  const told = await msg(other, { stdin, env });
  expect([told.code, sent()], told.err).toEqual([0, once.map(() => 2)]);
  const plain = await msg(sending("--json"), { stdin, env });
  expect([plain.code, sent()], plain.err).toEqual([7, once.map(() => 2)]);
});

test("two processes of one machine, and one of another, at once: all three end with 0", async () => {
  const { words, stdin, sent } = keyed();
  const env = envFor(opened());
  const msg = program();
  const told = await Promise.all([msg, msg, program()].map((it) => it(words, { stdin, env })));
  const errors = told.map(({ err }) => err).join("\n");
  expect([told.map(({ code }) => code), sent()], errors).toEqual([[0, 0, 0], once]);
}, 120_000);

test.each([2, 3])(
  "stands still behind list %i of others, while another machine sends all: it sends nothing more",
  async (at) => {
    const { words, stdin, sent } = keyed();
    const still = { lists: 0, stop: (): void => undefined, said: (): void => undefined };
    const reached = new Promise<void>((done) => {
      still.said = done;
    });
    const line = await openLine({
      to: opened().baseUrl,
      on: ({ method, path }, moment) => {
        if (method !== "GET" || path !== "/messages/v4/groups" || moment !== "performed") return;
        still.lists += 1;
        if (still.lists !== at + 1) return;
        still.stop();
        still.said();
      },
    });
    const child = program().start(words, { stdin, env: envFor(line) });
    still.stop = () => child.kill("SIGSTOP");
    const end = ended(child);
    await reached;
    const later = await openLine({ to: opened().baseUrl, date: inTwoMinutes });
    const told = await shell()(words, { stdin, env: envFor(later) });
    child.kill("SIGCONT");
    const woken = await end;
    for (const it of [line, later]) await it.stop();
    expect([told.code, woken.code, sent()], `${told.err}\n${woken.err}`).toEqual([0, 0, once]);
  },
);
