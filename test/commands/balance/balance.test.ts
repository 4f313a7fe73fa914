/** Balance from the command line: history, alert, charge, transfer and papers. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { errorOf, inTwoCalls, master, withCard } from "../../support/money.ts";
import { shell } from "../../support/msg.ts";

describe("history", () => {
  const msg = shell();
  const rows = async (flags: string): Promise<string[]> =>
    (await msg(`balance history --sandbox ${flags}`)).out.split("\n").filter((it) => it !== "");

  test("newest first, 20 rows, and how it goes on", async () => {
    const { out, err } = await msg("balance history --sandbox --fields dateCreated");
    const dates = out.trim().split("\n");
    expect(dates).toEqual([...dates].sort().reverse());
    expect(dates.length).toBe(20);
    expect(err).toContain("--offset 20");
    expect((await rows("--all")).length).toBeGreaterThan(20);
  });

  test.each(["balance history --type GIFT", "payment withdraw list --status PAID"])(
    "%s is the service's to refuse: which words it has is not published",
    async (line) => {
      const { code, err } = await msg(`${line} --sandbox`);
      expect([code, err]).toEqual([10, expect.stringContaining("must be one of")]);
    },
  );

  test("every filter of the specification narrows it", async () => {
    const all = await rows("--all");
    const filters = [
      "--type DEDUCT",
      "--recharge-method CARD",
      "--service-method MT",
      "--balance-recharge",
      "--balance-deduct",
      "--point-recharge",
      "--point-deduct",
      "--balance-amount 10000",
      "--since 2d",
      "--until 2d",
      "--group-id G4V0",
    ];
    for (const filter of filters) {
      const some = await rows(`--all ${filter}`);
      expect(some.length, filter).toBeLessThan(all.length);
      expect(some.filter((row) => !all.includes(row))).toEqual([]);
    }
  });
});

describe("charge and transfer", () => {
  test("a charge names the card, takes the typed amount, and prints the receipt", async () => {
    const msg = shell();
    const card = await withCard(msg);
    const line = `balance charge 10000 --payment ${card} --sandbox`;
    const asked = await msg(line);
    expect(asked).toMatchObject({ code: 2 });
    expect(asked.err).toContain("Charge 10,000 won to [VISA] 1111 05/31.");
    expect(await msg(`${line} --confirm 1000`)).toMatchObject({ code: 7 });
    expect(await msg(`${line} --confirm 1000 -n`)).toMatchObject({ code: 7, out: "" });
    expect(await msg(`${line} --confirm 10000 -n`)).toMatchObject({ code: 0 });
    const { second } = await inTwoCalls(msg, `${line} --confirm 10000`);
    expect(second.json()).toMatchObject({ type: "RECHARGE", balanceAmount: 10_000 });
    const { out } = await msg("balance history --sandbox --limit 1 --fields amount,method");
    expect(out).toBe("10000\tCARD\n");
  });

  test("without --payment a person chooses a card, and a single one is taken; a script is told of the flag", async () => {
    const msg = shell();
    const line = "balance charge 10000 --sandbox";
    const person = { tty: 100, answers: ["10000"] };
    const none = await msg(line, person);
    expect(none).toMatchObject({ code: 6, questions: [] });
    expect(none.err).toContain("msg --sandbox payment add");
    await withCard(msg);
    const one = await msg(`${line} --otp-transaction T --otp 123456`, person);
    expect(one.err).toContain("card to charge: [VISA] 1111 05/31");
    expect(one.questions).toEqual([
      "Charge 10,000 won to [VISA] 1111 05/31. Type 10000 to confirm:",
    ]);
    const other = await withCard(msg, master);
    const two = await msg(line, { tty: 100, answers: [other, "1"] });
    expect(two.questions[0]).toBe("card to charge:");
    expect(two.questions[1]).toContain("[MASTERCARD] 4444");
    const script = await msg(line);
    expect(script).toMatchObject({ code: 2 });
    expect(script.err).toContain("--payment");
  });

  test("a card that declines leaves the balance as it was", async () => {
    const msg = shell();
    const card = await withCard(msg, "4000000000000002");
    const before = (await msg("balance --sandbox")).out;
    const line = `balance charge 10000 --payment ${card} --sandbox --confirm 10000`;
    const { second } = await inTwoCalls(msg, line);
    expect(errorOf(second)).toMatchObject({ code: "BalanceInsufficient", exitCode: 10 });
    expect((await msg("balance --sandbox")).out).toBe(before);
  });

  test("F02 a code is good once, and for its own operation", async () => {
    const msg = shell();
    const line = "balance transfer --to 26010500000002 --amount 500 --sandbox --confirm 500";
    const { first, second, code } = await inTwoCalls(msg, line);
    expect(second.json()).toBe("Success");
    const proof = `--otp-transaction ${errorOf(first).mfa?.transactionId} --otp ${code} --json`;
    for (const again of [line, "balance alert off --sandbox -y"])
      expect(errorOf(await msg(`${again} ${proof}`))).toMatchObject({
        code: "InvalidMFATransaction",
        exitCode: 5,
      });
  });

  test("a dry run shows the request and asks for no code", async () => {
    const msg = shell();
    const line = "balance transfer --to 26010500000002 --amount 500 --sandbox -n --json";
    expect((await msg(line)).json()).toEqual({
      method: "POST",
      path: "/cash/v1/transfer",
      body: { targetAccountId: "26010500000002", amount: 500 },
    });
    expect((await msg("sandbox codes --json")).out.trim()).toBe("[]");
  });

  test.each([
    ["balance charge 999 --payment 1", "<amount>: must be 1,000 or more"],
    ["balance charge 1.5 --payment 1", "<amount>: must be a whole number"],
    ["balance charge 0x2710 --payment 1", "<amount>: '0x2710' is not a number"],
    ["balance charge 5000,900 --payment 1", "<amount>: '5000,900' is not a number"],
    ["payment priority a a -y", "<payment-ids>: must have no duplicates"],
    ["balance transfer --to 2 --amount 0", "--amount"],
    ["payment withdraw request --amount 9999", "--amount"],
    ["balance alert set --threshold 100 --channel SMS", "--threshold"],
    ["balance alert set --threshold 500 --channel FAX", "--channel"],
  ])("%s is refused here, with its flag", async (line, flag) => {
    const ran = await shell()(`${line} --sandbox`);
    expect(ran).toMatchObject({ code: 2, out: "" });
    expect(ran.err).toContain(flag);
  });
});

test("on a terminal the alert's channel is chosen from a list, and the line to repeat is shown", async () => {
  const msg = shell();
  const ran = await msg("balance alert set --sandbox -n", { tty: 100, answers: ["8000", "EMAIL"] });
  expect(ran.questions).toHaveLength(2);
  expect(ran.code, ran.err).toBe(0);
  expect(ran.err).toContain(
    "msg balance alert set --sandbox --dry-run --threshold 8000 --channel EMAIL",
  );
});

describe("papers", () => {
  test("a quote adds the tax; a file is written once", async () => {
    const msg = shell();
    const path = join(msg.folder, "quote.json");
    const line = `balance quote --company Example --type SMS --qty 1000 --sandbox --json --out ${path}`;
    expect((await msg(line)).json()).toMatchObject({ taxTotal: 2000, totalAmount: 22_000 });
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ totalAmount: 22_000 });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(await msg(line)).toMatchObject({ code: 2 });
  });

  test("a statement is one movement; an unknown one is exit 6", async () => {
    const msg = shell();
    const { out } = await msg("balance history --sandbox --limit 1 --fields historyId");
    const ran = await msg(`balance statement ${out.trim()} --sandbox --json`);
    expect(ran.json()).toMatchObject({ historyId: out.trim() });
    const none = join(msg.folder, "none.json");
    expect(await msg(`balance statement nope --sandbox --out ${none}`)).toMatchObject({ code: 6 });
    expect(existsSync(none)).toBe(false);
  });
});
