/** Questions asked in a real terminal. */
import { afterAll, describe, expect, test } from "vitest";
import { MsgError } from "../../src/errors.ts";
import { createAsk } from "../../src/prompt/prompt.ts";
import { sink } from "../output/sink.ts";
import { type Program, program } from "./terminal.ts";

const programs: Program[] = [];
afterAll(() => {
  for (const built of programs) built.remove();
});
const asking = async (body: string, env?: Readonly<Record<string, string>>) => {
  const built = await program(body);
  programs.push(built);
  return built.run(env ? { env } : {});
};

const ctrlC = "\u0003";
const ctrlD = "\u0004";
const ctrlZ = "\u001a";

test("a text is asked for on standard error, and standard output holds data only", async () => {
  const person = await asking('return ask.text("Sender?");');
  await person.see("Sender?");
  person.type("안녕 02\r");
  const { code, stdout, screen } = await person.end();
  expect({ code, stdout }).toEqual({ code: 0, stdout: '"안녕 02"' });
  expect(screen).toContain("Sender?");
});

test("a wrong answer is explained and asked again", async () => {
  const person = await asking(`
    const check = (answer) => /^\\d+$/.test(answer) ? undefined : "digits\\u001b[2J only";
    return ask.text("To?", { check });
  `);
  await person.see("To?");
  person.type("abc\r");
  await person.see("digits\\x1b[2J only");
  person.type("\u007f\u007f\u007f010\r");
  expect((await person.end()).stdout).toBe('"010"');
});

test("a hidden answer shows a dot for each character, and never itself", async () => {
  for (const secret of ["s3cr3t", "S".repeat(300), "한글비밀번호"]) {
    const person = await asking('return ask.hidden("API secret?");');
    await person.see("API secret?");
    person.type(`${secret}\r`);
    const { stdout, screen, raw } = await person.end();
    expect(JSON.parse(stdout)).toBe(secret);
    expect(raw).not.toContain(secret.slice(0, 3));
    expect(raw).not.toContain("*");
    // The question and dots, drawn at each key, are all that is ever on the screen;
    // of so many dots the terminal may cut one in two.
    expect(screen.replaceAll(/[?✔] API secret\?|[•\ufffd]|\s/g, "")).toBe("");
    expect(screen).toContain("••");
  }
});

test("a confirmation is no unless a person says yes", async () => {
  for (const [keys, answer] of [
    ["\r", false],
    ["y\r", true],
    ["n\r", false],
    ["ㅛ\r", true],
    ["예\r", true],
    ["YES \r", true],
    ["yarn install\r", false],
    ["ㅜ\r", false],
    ["아니요\r", false],
    ["ny\r", false],
  ] as const) {
    const person = await asking('return ask.confirm("Send 3 messages?");');
    await person.see("y/N");
    person.type(keys);
    expect((await person.end()).stdout).toBe(String(answer));
  }
});

test("what was typed before a question does not answer it", async () => {
  const person = await asking(`
    const gone = new Promise((resolve) => process.once("SIGUSR2", resolve));
    const alive = setInterval(() => undefined, 60_000);
    process.stderr.write("working");
    await gone;
    clearInterval(alive);
    return ask.confirm("Send 3 messages?");
  `);
  await person.see("working");
  person.type("y\r");
  await person.see("y\r\n");
  person.signal("SIGUSR2");
  await person.see("y/N");
  person.type("\r");
  expect((await person.end()).stdout).toBe("false");
});

test("one of several is chosen with the arrow keys and answers its value", async () => {
  const person = await asking(`
    const options = [{ value: "a", label: "First" }, { value: "b", label: "Sec\\u202eond" }];
    return ask.choose("Which?", options);
  `);
  await person.see("Sec<U+202E>ond");
  person.type("\u001b[B");
  await person.see("❯ Sec");
  person.type("\r");
  expect((await person.end()).stdout).toBe('"b"');
});

test("a list grows shorter as a person types, and says where nothing matches", async () => {
  const person = await asking(`
    const banks = ["국민은행", "신한은행", "신한투자증권", "우리은행"];
    return ask.choose("Bank?", banks.map((label, at) => ({ value: String(at), label })));
  `);
  await person.see("우리은행");
  person.type("하나");
  await person.see("nothing matches");
  person.type("\r\u007f\u007f\u007f신한 증권");
  await person.see("❯ 신한투자증권");
  person.type("\r");
  expect((await person.end()).stdout).toBe('"2"');
});

test("a long conversation leaves nothing behind that Node warns of", async () => {
  const person = await asking(`
    for (let at = 1; at <= 12; at += 1) await ask.confirm("Question " + at + "?");
  `);
  for (let at = 1; at <= 12; at += 1) {
    await person.see(`Question ${at}?`);
    person.type("\r");
  }
  const { screen } = await person.end();
  expect(screen).not.toContain("Warning");
});

test("T01 T02 labels cannot touch the terminal", async () => {
  const person = await asking(`
    return ask.text("Name\\u001b]0;owned\\u0007\\u202e\\u001b[2J?");
  `);
  await person.see("Name\\x1b]0;owned\\x07<U+202E>\\x1b[2J?");
  person.type("\r");
  const { raw, stdout } = await person.end();
  expect(raw).not.toContain("\u001b]0");
  expect(raw).not.toContain("\u001b[2J");
  expect(stdout).toBe('""');
});

describe("leaving a question", () => {
  const leave = async (
    body: string,
    seen: string,
    act: (person: Awaited<ReturnType<typeof asking>>) => void,
  ) => {
    const person = await asking(body);
    await person.see(seen);
    act(person);
    const { code, stdout } = await person.end();
    expect(JSON.parse(stdout)).toEqual({
      kind: "interrupted",
      message: "interrupted: nothing was changed",
    });
    expect(code).toBe(130);
  };

  test("Ctrl-C ends with 130 and changes nothing, in every kind of question", async () => {
    const ctrl = (person: Awaited<ReturnType<typeof asking>>) => person.type(ctrlC);
    await leave('return ask.text("Q?");', "Q?", ctrl);
    await leave('return ask.hidden("Q?");', "Q?", ctrl);
    await leave('return ask.confirm("Q?");', "y/N", ctrl);
    await leave('return ask.choose("Q?", [{ value: "a", label: "A" }]);', "A", ctrl);
  });

  test("Ctrl-D is no silent success, and no endless wait beside an open connection", async () => {
    const body = `
      const connection = setInterval(() => undefined, 1_000);
      return ask.text("Q?").finally(() => clearInterval(connection));
    `;
    await leave(body, "Q?", (person) => person.type(ctrlD));
  });

  test.each([
    ["an answer is taken", "2\r", '"2"'],
    [
      "Ctrl-D leaves it",
      ctrlD,
      '{"kind":"interrupted","message":"interrupted: nothing was changed"}',
    ],
  ])("fg after Ctrl-Z asks again, as often as that happens: %s", async (_what, last, answer) => {
    const person = await asking(`
      process.on("SIGTSTP", () => process.stderr.write("[stopped]"));
      return ask.text("Q?");
    `);
    for (const typed of ["4", "3"]) {
      await person.see("Q?");
      person.type(`${typed}${ctrlZ}`);
      await person.see("[stopped]");
      person.signal("SIGCONT");
    }
    await person.see("Q?");
    person.type(last);
    expect((await person.end()).stdout).toBe(answer);
  });

  test("a signal ends the question", async () => {
    await leave('return ask.text("Q?");', "Q?", (person) => person.signal("SIGTERM"));
  });

  test("no question is asked once the program is stopping", async () => {
    const output = sink();
    const ask = createAsk({
      input: process.stdin,
      output: output.stream,
      signal: AbortSignal.abort(),
      clean: String,
      colour: false,
    });
    await expect(ask.text("Q?")).rejects.toBeInstanceOf(MsgError);
    expect(output.text()).toBe("");
  });
});

test("T05 without colours a question has no style, whatever the environment says", async () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escapes are what is looked for
  const styled = /\u001b\[[0-9;]+m/;
  for (const [colour, expected] of [
    ["no", false],
    ["yes", true],
  ] as const) {
    const person = await asking('return ask.text("Q?");', { COLOUR: colour, FORCE_COLOR: "1" });
    await person.see("Q?");
    person.type("a\r");
    expect(styled.test((await person.end()).raw)).toBe(expected);
  }
});
