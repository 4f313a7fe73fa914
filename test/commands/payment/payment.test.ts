/** Cards, automatic recharge, bank account and withdrawals from the command line. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import {
  accountJson,
  cardJson,
  cvc,
  errorOf,
  inTwoCalls,
  lastCode,
  master,
  visa,
  withCard,
} from "../../support/money.ts";
import { type Shell, shell } from "../../support/msg.ts";

const add = "payment add --sandbox --input -";

describe("F05 without a terminal, in two calls", () => {
  const msg = shell();
  const seen: Record<string, string> = {};
  beforeAll(async () => {
    seen.card = await withCard(msg);
    const { second } = await inTwoCalls(
      msg,
      "payment bank add --sandbox --input - --confirm 8901",
      accountJson(),
    );
    expect(second.code).toBe(0);
    expect(await msg(`payment priority ${seen.card} --sandbox -y`)).toMatchObject({ code: 0 });
  });

  const lines = [
    "balance alert off --sandbox -y",
    "balance alert on --sandbox -y",
    "balance alert set --threshold 5000 --channel SMS --sandbox -y",
    "balance charge 10000 --payment CARD --sandbox --confirm 10000",
    "balance transfer --to 26010500000002 --amount 500 --sandbox --confirm 500",
    "payment withdraw request --amount 20000 --sandbox --confirm 20000",
    "payment auto-recharge on --sandbox -y",
    "payment auto-recharge off --sandbox -y",
    "payment bank remove --sandbox --confirm 8901",
    "payment remove CARD --sandbox --confirm 1111",
  ];

  test.each(lines)("%s", async (template) => {
    const line = template.replace("CARD", seen.card ?? "");
    const bare = await msg(`${line} --json`);
    expect(errorOf(bare)).toMatchObject({ code: "MFARequired", exitCode: 5, outcome: "refused" });
    const { first, second } = await inTwoCalls(msg, line);
    const error = errorOf(first);
    expect([first.code, first.out]).toEqual([5, ""]);
    expect(error.mfa).toMatchObject({ authType: "OTP", destination: "o***@example.com" });
    expect(error.hint).toContain(
      `--otp-by email --otp-transaction ${error.mfa?.transactionId} --otp -`,
    );
    expect(second).toMatchObject({ code: 0 });
  });

  test("what the commands report afterwards is what they did", async () => {
    expect((await msg("payment list --sandbox --json")).json()).toEqual([]);
    expect((await msg("payment bank --sandbox --json")).json()).toEqual({});
    const [alert] = (await msg("balance alert --sandbox")).out.split("\t");
    expect(alert).toBe("true");
    const { out } = await msg("payment withdraw list --sandbox --limit 1 --fields fee,amount");
    expect(out).toBe("1500\t18500\n");
  });
});

describe("a card", () => {
  test.each([
    ["cardNumber", "4111111111111112", "mistyped"],
    ["cardNumber", "378282246310005", "Visa or MasterCard"],
    ["cvc", visa, "3 or 4 digits"],
    ["expiry", visa, "expired"],
  ])(
    "%s of %s is refused before anything is sent, in words without it",
    async (what, number, words) => {
      const msg = shell();
      const more =
        what === "cvc" ? { cvc: "12" } : what === "expiry" ? { expYear: 20, expMonth: 1 } : {};
      const ran = await msg(`${add} --confirm ${number.slice(-4)}`, {
        stdin: cardJson(number, more),
      });
      expect(ran).toMatchObject({ code: 2, out: "" });
      expect(ran.err).toContain(words);
      expect(ran.err).not.toContain(number);
      expect((await msg("sandbox requests --json")).out).not.toContain("/cash/v1/payment");
    },
  );

  test.each([
    [`{"cardNumber":${visa},"cvc":739,"expYear":31,"expMonth":5}`, "cardNumber: must be a text"],
    [`x${visa}`, "not JSON"],
    [`{"cardNumber":"${visa}" "cvc"`, "not JSON: line 1, column"],
    [`["${visa}"]`, "not one JSON object"],
    [`"${visa}"`, "not one JSON object"],
  ])("what is no card object is refused in words without it: %s", async (stdin, words) => {
    const ran = await shell()(`${add} --confirm 1111`, { stdin });
    expect(ran).toMatchObject({ code: 2, out: "" });
    expect(ran.err).toContain(words);
    expect(ran.err).not.toMatch(/4111|739/);
  });

  test("help names what is no flag: it goes into the file", async () => {
    const help = (await shell()("payment add --help")).out.replace(/\s+/g, " ");
    expect(help).toContain("standard input; also cardNumber, cvc, which a terminal asks for");
  });

  test("its last four digits must be typed", async () => {
    const msg = shell();
    const ran = await msg(`${add} --confirm 9999`, { stdin: cardJson() });
    expect(ran).toMatchObject({ code: 7 });
    expect((await msg(add, { stdin: cardJson() })).err).toContain("--confirm '1111'");
  });

  test("it is taken to the last millisecond of its month in Korea", async () => {
    const at = (now: string) =>
      shell()(`${add} -n`, { stdin: cardJson(), now: () => new Date(now) });
    expect((await at("2031-05-31T14:59:59.999Z")).code).toBe(0);
    const late = await at("2031-05-31T15:00:00.000Z");
    expect([late.code, late.err]).toEqual([2, expect.stringContaining("the card has expired")]);
  });

  test("within 60 days of its end it is marked", async () => {
    const msg = shell();
    await withCard(msg);
    const list = (now: string) => msg("payment list --sandbox", { now: () => new Date(now) });
    expect((await list("2031-03-31T00:00:00Z")).out).toContain("\t2031/05\t");
    expect((await list("2031-04-02T00:00:00Z")).out).toContain("2031/05 (expires soon)");
    expect((await list("2031-05-31T16:00:00Z")).out).toContain("2031/05 (expired)");
  });

  test("the order keeps the amounts, the amounts keep the order", async () => {
    const msg = shell();
    const withoutCard = await msg("payment auto-recharge on --sandbox -y");
    expect(withoutCard.err).toContain("register one: msg --sandbox payment add");
    const [one, two] = [await withCard(msg), await withCard(msg, master)];
    const amounts = "payment auto-recharge set --sandbox --below 4000 --to 60000 --confirm 60000";
    for (const line of [amounts, "payment auto-recharge on --sandbox -y"]) {
      const none = await msg(line);
      expect(none).toMatchObject({ code: 6 });
      expect(none.err).toContain("msg --sandbox payment priority");
    }
    expect((await msg(`payment priority ${two} ${one} --sandbox -y --json`)).json()).toEqual({
      paymentIds: [two, one],
      minimumCash: 3000,
      rechargeTo: 50_000,
    });
    expect((await msg(`${amounts} --json`)).json()).toEqual({
      paymentIds: [two, one],
      minimumCash: 4000,
      rechargeTo: 60_000,
    });
    const again = await msg(`payment priority ${one} --sandbox -y --json`);
    expect(again.json()).toMatchObject({ minimumCash: 4000, rechargeTo: 60_000 });
    expect((await msg(`payment remove ${one} --sandbox`)).err).toContain("the last card");
  });

  test("what another operator changes while the question is open is not overwritten: exit 7", async () => {
    const msg = shell();
    const [one, two] = [await withCard(msg), await withCard(msg, master)];
    await msg(`payment priority ${one} --sandbox -y`);
    const asking = (line: string, changed: string, answer: string) =>
      msg(`${line} --sandbox`, {
        tty: 100,
        paste: async () => {
          expect(await msg(`${changed} --sandbox`)).toMatchObject({ code: 0 });
          return answer;
        },
      });
    const set = "payment auto-recharge set --below 4000 --to 60000";
    const ordered = await asking(`payment priority ${two}`, `${set} --confirm 60000`, "y");
    expect(ordered, ordered.err).toMatchObject({ code: 7 });
    const amounts = await asking(
      "payment auto-recharge set --below 5000 --to 70000",
      `payment priority ${two} -y`,
      "70000",
    );
    expect([amounts.code, amounts.err]).toEqual([
      7,
      expect.stringContaining("someone else changed automatic recharge since it was asked"),
    ]);
    const shown = await msg(`payment priority ${one} ${two} --sandbox -y --json`);
    expect(shown.json()).toMatchObject({ minimumCash: 4000, rechargeTo: 60_000 });
  });

  test("automatic recharge: on twice leaves it on, and asks for no second code", async () => {
    const msg = shell();
    const card = await withCard(msg);
    await msg(`payment priority ${card} --sandbox -y`);
    await inTwoCalls(msg, "payment auto-recharge on --sandbox -y");
    const twice = await msg("payment auto-recharge on --sandbox");
    expect(twice).toMatchObject({ code: 0, out: "true\n" });
    expect(twice.err).toContain("already");
    expect((await msg("payment auto-recharge --sandbox")).out).toMatch(/^on\t/);
    // What is recharged by itself stops no send.
    await msg("sandbox set --balance 10000 --point 0");
    const rows = Array.from({ length: 600 }, (_, it) => `0102000${String(it).padStart(4, "0")}`);
    const stdin = ["to", ...rows].join("\n");
    const sent = await msg("send-many - -n --sandbox --from 0200000000 --text x", { stdin });
    expect(sent.code, sent.err).toBe(0);
  });
});

describe("the bank account", () => {
  const line = "payment bank add --sandbox --input - --confirm 8901";

  test("keeps its leading zeros, and is shown masked", async () => {
    const msg = shell();
    const { second } = await inTwoCalls(msg, line, accountJson("0012345-678901"));
    expect(second.json()).toMatchObject({ accountNumber: "0012345678901", success: true });
    const { out } = await msg("payment bank --sandbox");
    expect(out).toContain("004 KB국민은행\t*********8901\t홍길동");
  });

  test("-n shows the call and makes no request", async () => {
    const msg = shell();
    const { json } = await msg(`${line} -n --json`, { stdin: accountJson() });
    expect(json()).toMatchObject({ method: "POST" });
    expect((await msg("sandbox requests --json")).json()).toEqual([]);
  });

  test("a number without quotes is refused: its zeros would be lost", async () => {
    const ran = await shell()(line, { stdin: accountJson(12_345_678_901) });
    expect(ran).toMatchObject({ code: 2 });
    expect(ran.err).toContain("leading zeros");
  });

  test("a bank without a code and a holder without a name are refused before a code is sent", async () => {
    const msg = shell();
    const stdin = JSON.stringify({ accountNumber: "0012345678901", bankCode: "", holderName: " " });
    const ran = await msg(`${line} --otp-by email`, { stdin });
    expect(ran).toMatchObject({ code: 2 });
    expect(ran.err).toMatch(/--bank-code: [\s\S]*--holder-name: /);
    expect((await msg("sandbox codes --json")).out.trim()).toBe("[]");
  });

  test("nothing to remove is exit 6", async () => {
    expect(await shell()("payment bank remove --sandbox --confirm 1")).toMatchObject({ code: 6 });
  });
});

describe("on a terminal", () => {
  const msg = shell({ tty: 100 });
  test("F01 F06 a wrong code, then the right one as people paste it", async () => {
    const answers = ["4111-1111-1111-1111", cvc, "2031", "5", "1111", "OTP", "000000"];
    // The code is not known before it is sent: the first dialogue ends at the second question for it.
    const short = await msg("payment add --sandbox", { answers: [...answers, "1", "2"] });
    expect(short.questions.at(-1)).toMatch(/digits/);
    expect(short.hidden.at(-1)).toContain("Code (r sends another):");
    expect((await msg("payment list --sandbox --json")).json()).toEqual([]);
  });

  test("an answer that is wrong is asked for again at once, before the next question", async () => {
    const at = (line: string, answers: readonly string[]) => shell()(line, { tty: 100, answers });
    const sum = await at("payment withdraw request --sandbox", ["5000", "abc", "10000"]);
    expect(sum.questions).toHaveLength(3);
    expect(sum.questions[1]).toContain("must be 10,000 or more");
    expect(sum.questions[2]).toContain("'abc' is not a number");
    const card = [visa.replace("41", "42"), visa, "12", cvc, "1931", "31", "13", "5", "no"];
    const { questions, code, err } = await at("payment add --sandbox", card);
    expect([questions.length, code]).toEqual([9, 7]);
    expect(err).toContain("--exp-year 31 --exp-month 5 --input -");
  });

  test("a card number is asked for first, hidden; typed as a confirmation it is not repeated", async () => {
    const answers = [visa, cvc, "2031", "5", "4111 1111 1111 1111"];
    const { questions, hidden, code, err } = await msg("payment add --sandbox", { answers });
    expect(questions[0]).toMatch(/^card number/);
    expect([hidden, code]).toEqual([questions.slice(0, 2), 7]);
    expect(err).toContain("confirmation did not match");
    expect(err).not.toContain("4111");
  });

  test("--input and --otp cannot both be standard input; a code alone says nothing", async () => {
    const both = await msg(`${add} --otp-transaction T --otp -`, { stdin: cardJson() });
    expect(both).toMatchObject({ code: 2 });
    expect(both.err).toContain("--otp @code.txt");
    const alone = await msg(`${add} --otp 123456`, { stdin: cardJson() });
    expect(alone).toMatchObject({ code: 2 });
  });
});

test("the line that sends a code can be run as it stands: no shell takes a part of it for a pipe", async () => {
  const msg = shell();
  const { err } = await msg("balance alert off --sandbox -y");
  const [, advised = ""] = /email or voice: msg (.*)/.exec(err) ?? [];
  expect(advised).toBe("balance alert off --sandbox --yes --otp-by email");
  expect((await msg(`${advised} --json`)).err).toContain('"transactionId":"MFA');
});

test("F06 a code in full-width digits with spaces is read as it was meant", async () => {
  const msg = shell();
  const line = "balance alert off --sandbox -y";
  const first = await msg(`${line} --otp-by voice --json`);
  const code = await lastCode(msg);
  const wide = [...code].map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join(" ");
  const transaction = `--otp-transaction ${errorOf(first).mfa?.transactionId}`;
  expect(await msg(`${line} ${transaction} --otp 12`)).toMatchObject({ code: 2 });
  expect(await msg(`${line} ${transaction} --otp "${wide}"`)).toMatchObject({ code: 0 });
});

describe("who may", () => {
  test.each([
    ["developer", "Forbidden"],
    ["member", "Forbidden"],
    ["unverified", "AccountNotAuthenticated"],
    ["inactive", "InactiveAccount"],
    ["member-unverified", "UnverifiedMember"],
    ["member-inactive", "InactiveMember"],
  ])("sandbox:%s is told %s, exit 5", async (caller, code) => {
    const ran = await shell()(`payment add -p sandbox:${caller} --input - --confirm 1111 --json`, {
      stdin: cardJson(),
    });
    expect(errorOf(ran)).toMatchObject({ code, exitCode: 5 });
  });

  test.each([
    ["developer", "Forbidden"],
    ["member", "Forbidden"],
    ["unverified", "AccountNotAuthenticated"],
    ["inactive", "InactiveAccount"],
    ["deleted", "DeletedAccount"],
    ["member-unverified", "UnverifiedMember"],
    ["member-inactive", "InactiveMember"],
  ])("on a terminal sandbox:%s is told %s before any question", async (caller, code) => {
    const msg = shell({ tty: 100, answers: [] });
    const lines = [
      ...["payment add", "balance charge 10000", "payment bank add", "balance alert off"],
      ...["payment priority P", "payment auto-recharge set --below 3000 --to 50000"],
    ];
    for (const line of lines) {
      const ran = await msg(`${line} -p sandbox:${caller} --json`);
      expect([line, errorOf(ran).code, ran.code]).toEqual([line, code, 5]);
      expect(ran.questions).toEqual([]);
    }
    expect((await msg("sandbox requests --json")).out).not.toContain("/cash/v1");
  });

  test.each(["payment priority P", "balance charge 10000 --payment P", "payment auto-recharge on"])(
    "a developer without a terminal is told of the right before the confirmation: %s",
    async (line) => {
      const ran = await shell()(`${line} -p sandbox:developer --json`);
      expect(errorOf(ran)).toMatchObject({ code: "Forbidden", exitCode: 5 });
    },
  );

  test("a token that lacks the scope is told before any question", async () => {
    const claims = Buffer.from('{"exp":4102444800,"scope":"cash:read"}').toString("base64url");
    const ran = await shell()("payment add --base-url http://127.0.0.1:9 --json", {
      env: { MSG_ACCESS_TOKEN: `e30.${claims}.x` },
      tty: 100,
      answers: [],
    });
    expect(errorOf(ran)).toMatchObject({ code: "Unauthorized", exitCode: 5 });
    expect(ran.questions).toEqual([]);
  });
});

/** Every file below a folder, as bytes in latin1. */
const filesOf = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesOf(path) : [readFileSync(path, "latin1")];
  });

/** What of a text in base64 does not depend on the bytes around it, for each of its three positions. */
const inBase64 = (secret: string): string[] =>
  [0, 1, 2].map((before) => {
    const text = Buffer.from(`${" ".repeat(before)}${secret}`)
      .toString("base64")
      .replace(/=+$/, "");
    return text.slice(before === 0 ? 0 : before + 1, -1);
  });

const forms = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  JSON.stringify(secret).slice(1, -1),
  ...inBase64(secret),
  Buffer.from(secret).toString("hex"),
  Buffer.from(secret, "utf16le").toString("latin1"),
];

test("card number, cvc and code are in no file, log, trace or error, in any form", async () => {
  const msg: Shell = shell();
  const line = `${add} --confirm 1111 --debug`;
  const { first, second, code } = await inTwoCalls(msg, line, cardJson());
  expect(second.code).toBe(0);
  const refused = await msg(`${line} --otp-transaction NONE --otp ${code}`, { stdin: cardJson() });
  const dry = await msg(`${line} -n --json`, { stdin: cardJson() });
  const told = [first, second, refused, dry].flatMap((it) => [it.out, it.err]);
  const requests = await msg("sandbox requests --all --json");
  const kept = filesOf(msg.folder);
  for (const form of [...forms(visa), ...forms(`"${cvc}"`), ...forms(code)])
    expect([...told, requests.out, ...kept].filter((it) => it.includes(form))).toEqual([]);
  expect(await lastCode(msg)).toBe(code);
});
