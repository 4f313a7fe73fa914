/** `msg payment add` in a real terminal, from the first prompt to the stored card; what is looked at besides, in this process. */
import * as v from "valibot";
import { beforeAll, expect, test } from "vitest";
import { type AtHome, atHome } from "../faults/at-home.ts";
import { onTerminal, plain, type Step } from "./on-terminal.ts";

const codes = v.array(v.object({ code: v.string() }));
const codeIn = async (msg: AtHome): Promise<string> => {
  const { out } = await msg(["sandbox", "codes", "--json", "--limit", "1"]);
  return v.parse(codes, JSON.parse(out))[0]?.code ?? "";
};

const number = "4111111111111111";
const add = ["payment", "add", "--sandbox"];
const questions: readonly Step[] = [
  [/card number/, `${number}\r`],
  [/3 or 4 digits/, "739\r"],
  [/year of expiry/, "2031\r"],
  [/month of expiry/, "5\r"],
  [/Type 1111/, "1111\r"],
  [/How should we send/, "\r"],
  [/Code \(r sends/, "12345\r"],
];

const wrongCode = (right: string): string => (right === "000000" ? "000001" : "000000");

test("F01 F06 a card is stored, with two wrong codes on the way", async () => {
  const msg = atHome();
  const { code, screen } = await onTerminal(msg, add, {
    answers: [
      ...questions,
      [/a code is 6 digits/, async () => `\u0015${wrongCode(await codeIn(msg))}\r`],
      [/Wrong code. 4 attempts left/, async () => `${(await codeIn(msg)).split("").join(" ")}\r`],
    ],
  });
  expect(plain(screen)).toContain("[VISA] 1111 05/31");
  expect(code).toBe(0);
  expect(plain(screen)).not.toContain(number);
  expect(plain(screen)).not.toContain(await codeIn(msg));
  const list = await msg(["payment", "list", "--sandbox", "--fields", "description,expires"]);
  expect(list.out).toBe("[VISA] 1111 05/31\t2031/05\n");
});

test("F03 r within 30 seconds counts the wait down; Ctrl-C ends it", async () => {
  const { code, screen } = await onTerminal(atHome(), add, {
    answers: [
      ...questions.slice(0, -1),
      [/Code \(r sends/, "r\r"],
      [/Another code can be sent in \d+ s/, "\u0003"],
    ],
  });
  expect(plain(screen)).toMatch(/Another code can be sent in (30|2\d) s/);
  expect(plain(screen)).not.toContain("a request under way");
  expect(code).toBe(130);
});

const shared: { msg?: AtHome } = {};
beforeAll(() => {
  shared.msg = atHome();
});

test.each(questions.map(([question], at) => [String(question), at] as const))(
  "Ctrl-C at %s: 130, and nothing was changed",
  async (_question, at) => {
    const msg = shared.msg ?? atHome();
    const [question = /./] = questions[at] ?? [];
    const { code, screen } = await onTerminal(msg, add, {
      answers: [...questions.slice(0, at), [question, "\u0003"]],
    });
    expect(code).toBe(130);
    expect(plain(screen)).toContain("nothing was changed");
    expect((await msg(["payment", "list", "--sandbox", "--json"])).out.trim()).toBe("[]");
  },
);
