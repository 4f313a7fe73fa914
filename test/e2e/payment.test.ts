/** `msg payment add` in a real terminal, from the first prompt to the stored card. */
import { stripVTControlCharacters } from "node:util";
import { spawn } from "@lydell/node-pty";
import * as v from "valibot";
import { beforeAll, expect, test } from "vitest";
import { entry, type Program, program } from "./program.ts";

type Answer = string | (() => Promise<string>);
type Step = readonly [RegExp, Answer];

/** Types each answer when its question has appeared. */
const onTerminal = (
  msg: Program,
  args: readonly string[],
  steps: readonly Step[],
): Promise<{ readonly code: number; readonly screen: string }> =>
  new Promise((resolve) => {
    const terminal = spawn(process.execPath, [...entry, ...args], {
      cols: 120,
      rows: 40,
      env: { ...msg.env, TERM: "xterm-256color" },
      cwd: msg.folder,
    });
    const waiting = [...steps];
    const seen = { all: "", since: 0 };
    const type = async (answer: Answer): Promise<void> =>
      terminal.write(typeof answer === "string" ? answer : await answer());
    terminal.onData((chunk) => {
      seen.all += chunk;
      const [question, answer = ""] = waiting[0] ?? [];
      if (!question?.test(stripVTControlCharacters(seen.all.slice(seen.since)))) return;
      seen.since = seen.all.length;
      waiting.shift();
      void type(answer);
    });
    terminal.onExit(({ exitCode }) =>
      resolve({ code: exitCode, screen: stripVTControlCharacters(seen.all) }),
    );
  });

const codes = v.array(v.object({ code: v.string() }));
const codeIn = async (msg: Program): Promise<string> => {
  const { out } = await msg(["sandbox", "codes", "--json", "--limit", "1"]);
  return v.parse(codes, JSON.parse(out))[0]?.code ?? "";
};

const number = "4111111111111111";
const add = ["payment", "add", "--sandbox"];
const questions: readonly Step[] = [
  [/year of expiry/, "2031\r"],
  [/month of expiry/, "5\r"],
  [/card number/, `${number}\r`],
  [/3 or 4 digits/, "739\r"],
  [/Type 1111/, "1111\r"],
  [/How should we send/, "\r"],
  [/Code \(r sends/, "12345\r"],
];

const wrongCode = (right: string): string => (right === "000000" ? "000001" : "000000");

test("F01 F06 a card is stored, with two wrong codes on the way", async () => {
  const msg = program();
  const { code, screen } = await onTerminal(msg, add, [
    ...questions,
    [/a code is 6 digits/, async () => `\u0015${wrongCode(await codeIn(msg))}\r`],
    [/Wrong code. 4 attempts left/, async () => `${(await codeIn(msg)).split("").join(" ")}\r`],
  ]);
  expect(screen).toContain("[VISA] 1111 05/31");
  expect(code).toBe(0);
  expect(screen).not.toContain(number);
  expect(screen).not.toContain(await codeIn(msg));
  const list = await msg(["payment", "list", "--sandbox", "--fields", "description,expires"]);
  expect(list.out).toBe("[VISA] 1111 05/31\t2031/05\n");
});

test("F03 r within 30 seconds counts the wait down; Ctrl-C ends it", async () => {
  const { code, screen } = await onTerminal(program(), add, [
    ...questions.slice(0, -1),
    [/Code \(r sends/, "r\r"],
    [/Another code can be sent in \d+ s/, "\u0003"],
  ]);
  expect(screen).toMatch(/Another code can be sent in (30|29) s/);
  expect(code).toBe(130);
});

const shared: { msg?: Program } = {};
beforeAll(() => {
  shared.msg = program();
});

test.each(questions.map(([question], at) => [String(question), at] as const))(
  "Ctrl-C at %s: 130, and nothing was changed",
  async (_question, at) => {
    const msg = shared.msg ?? program();
    const [question = /./] = questions[at] ?? [];
    const { code, screen } = await onTerminal(msg, add, [
      ...questions.slice(0, at),
      [question, "\u0003"],
    ]);
    expect(code).toBe(130);
    expect(screen).toContain("nothing was changed");
    expect((await msg(["payment", "list", "--sandbox", "--json"])).out.trim()).toBe("[]");
  },
);
