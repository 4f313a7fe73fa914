/** Calls of money that cannot be settled: told at every start until they are decided, and not made twice. */
import { copyFileSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { hurried } from "../support/clock.ts";
import { accountJson, cardJson, cvc, errorOf, master } from "../support/money.ts";
import type { Ran } from "../support/msg.ts";
import { secretOf } from "../support/signer.ts";
import type { Harm, LineOptions } from "./line.ts";
import { charge, doubtsIn, openWorld } from "./protected.ts";
import { isOf } from "./strangers.ts";

const forever = Array<Harm>(50).fill("dropBefore");

describe("what cannot be settled", () => {
  test("F04 F08 stays unknown, is told at the next start, and is decided when it is certain", async () => {
    const clock = { aheadMs: 0 };
    const world = await openWorld({
      ...hurried(),
      now: () => new Date(Date.now() + clock.aheadMs),
    });
    const { msg } = world;
    const ran = await world.run(`${charge(world)} --settle 1s`, undefined, forever);
    expect(errorOf(ran)).toMatchObject({ exitCode: 11, outcome: "unknown" });
    expect(errorOf(ran).hint).toMatch(/msg balance history --since .*after \d{4}-.*was not done/);
    world.harms.length = 0;
    const [file = ""] = doubtsIn(msg);
    const path = join(msg.folder, "state", "doubts", file);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, "utf8")).not.toContain("SANDBOXSECRET");

    const before = world.writes();
    for (const line of ["balance -q", "payment list", "doctor"])
      expect((await msg(line)).err).toMatch(
        /msg balance charge \(10,000 won\) of .* got no answer: its outcome is still unknown/,
      );
    expect((await msg("stats")).err).not.toContain("got no answer");
    clock.aheadMs = 17 * 60_000;
    const env = { MSG_API_KEY: "SANDBOXKEY000002", MSG_API_SECRET: secretOf(2) };
    expect((await msg("balance", { env })).err).toContain("its outcome is still unknown");
    expect((await msg("balance")).err).toContain("it was not done, and can no longer be done");
    expect((await msg("balance")).err).toBe("");
    expect([world.writes(), doubtsIn(msg)]).toEqual([before, []]);
  });

  test("F08 that a card is gone does not mean that it was not removed", async () => {
    const world = await openWorld(hurried());
    const line = `payment remove ${world.card} --confirm 1111 --settle 1s`;
    const { hint } = errorOf(await world.run(line, undefined, forever));
    expect(hint).toMatch(/msg payment list; if it is not shown as done after .*, it was not done/);
  });

  test("F08 done although no answer came: the next start sees it, and another profile is told nothing", async () => {
    const world = await openWorld(hurried());
    const { msg } = world;
    world.line.breaks = true;
    const ran = await world.run(`${charge(world)} --settle 0`, undefined, ["dropAfter"]);
    expect(errorOf(ran)).toMatchObject({ exitCode: 11, outcome: "unknown" });
    expect((await msg("balance")).err).toContain("its outcome is still unknown");
    world.line.breaks = false;
    world.line.broken = false;
    expect((await msg("balance --sandbox")).err).toBe("");
    expect((await msg("balance")).err).toContain("it was done, as the account shows");
    expect(doubtsIn(msg)).toEqual([]);
  });

  test("F08 done although no answer came, and run again behind a new name of the profile: not made", async () => {
    const world = await openWorld(hurried());
    const { msg } = world;
    expect((await msg("profile set from 0200000000")).code).toBe(0);
    world.line.breaks = true;
    await world.run(`${charge(world)} --settle 0`, undefined, ["dropAfter"]);
    world.line.breaks = false;
    world.line.broken = false;
    expect((await msg("profile rename default work")).code).toBe(0);
    const before = world.writes();
    const again = await msg(`${charge(world)} --otp-by email --json`);
    expect([errorOf(again).code, world.writes()]).toEqual(["DoneBefore", before]);
    expect((await msg("balance")).err).toContain("it was done, as the account shows");
  });

  test("F08 done although no answer came, and run again: the same payment is not made until that was read", async () => {
    const world = await openWorld(hurried());
    const { msg } = world;
    world.line.breaks = true;
    await world.run(`${charge(world)} --settle 0`, undefined, ["dropAfter"]);
    world.line.breaks = false;
    world.line.broken = false;
    const before = world.writes();
    for (const _ of [1, 2]) {
      const again = await msg(`${charge(world)} --otp-by voice --json`);
      expect(again.err).toContain("it was done, as the account shows");
      expect(errorOf(again)).toMatchObject({
        ...{ code: "DoneBefore", exitCode: 7, outcome: "not_sent" },
      });
    }
    expect(world.writes()).toBe(before);
    expect((await msg("balance")).err).toContain("it was done, as the account shows");
    expect(doubtsIn(msg)).toEqual([]);
    expect(errorOf(await msg(`${charge(world)} --otp-by voice --json`)).code).toBe("MFARequired");
  });

  test.each([
    ["the first list after it is an older one", [1], "it was done, as the account shows"],
    ["the second one is", [2], "it was done, as the account shows"],
    ["each is from before an earlier payment", [1, 2, 3, 4], "its outcome is still unknown"],
  ])("F08 done, and %s: the next start does not call it not done", async (_, older, verdict) => {
    const clock = { aheadMs: 0 };
    const now = (): Date => new Date(Date.now() + clock.aheadMs);
    const seen = { first: "", lists: Number.NEGATIVE_INFINITY };
    const rewrite = (body: string): string => {
      seen.first ||= body;
      seen.lists += 1;
      return older.includes(seen.lists) ? seen.first : body;
    };
    const reads: LineOptions["harm"] = (passing) =>
      isOf("movements", passing) ? { rewrite } : undefined;
    const world = await openWorld({ ...hurried(), now }, { reads });
    if (older.length > 1) expect((await world.run(charge(world), undefined)).code).toBe(0);
    world.line.breaks = true;
    const ran = await world.run(`${charge(world)} --settle 0`, undefined, ["dropAfter"]);
    expect(errorOf(ran)).toMatchObject({ exitCode: 11, outcome: "unknown" });
    world.line.breaks = false;
    world.line.broken = false;
    clock.aheadMs = 17 * 60_000;
    seen.lists = 0;
    expect((await world.msg("balance")).err).toContain(verdict);
  });

  test("F04 an older charge of the same amount is no evidence", async () => {
    const world = await openWorld(hurried());
    expect((await world.run(charge(world), undefined)).code).toBe(0);
    const ran = await world.run(`${charge(world)} --settle 1s`, undefined, forever);
    expect(ran.code).toBe(11);
  });

  test("F04 another movement of the same amount is no evidence: one by bank, of messages, or to another account", async () => {
    const row = { historyId: "", accountId: "", pointAmount: 0, oldPoint: 0, newPoint: 0 };
    const seen = { row: {} };
    const rewrite = (body: string): string => JSON.stringify([seen.row, ...JSON.parse(body)]);
    const reads: LineOptions["harm"] = (passing) =>
      isOf("movements", passing) && world.harms.length % 50 > 0 ? { rewrite } : undefined;
    const world = await openWorld(hurried(), { reads });
    const to = "26010500000002";
    const cases = [
      [10_001, { rechargeMethod: "CARD" }, 0],
      [10_002, { rechargeMethod: "ACCOUNT-TRANSFER" }, 11],
      [10_003, { rechargeMethod: "CARD", groupId: "G4V20260101000000AAAAAAAAAAAAAAA" }, 11],
      [10_004, { rechargeMethod: "CARD", serviceMethod: "MT" }, 11],
      [-501, { memo: to }, 0],
      [-502, { memo: "26010500000099" }, 11],
    ] as const;
    for (const [balanceAmount, changes, code] of cases) {
      const none = { groupId: null, memo: null, rechargeMethod: null, serviceMethod: null };
      seen.row = { ...row, ...none, balanceAmount, ...changes };
      const amount = String(Math.abs(balanceAmount));
      const line =
        balanceAmount > 0
          ? charge(world).replaceAll("10000", amount)
          : `balance transfer --to ${to} --amount ${amount} --confirm ${amount}`;
      world.harms.length = 0;
      const ran = await world.run(`${line} --settle 1s`, undefined, forever);
      expect(ran.code, JSON.stringify(changes)).toBe(code);
    }
  });

  test("F04 another card, and an account that was there before, are no evidence", async () => {
    const rewrite = (body: string): string => {
      const { payments, ...rest } = JSON.parse(body);
      const [card] = payments;
      return JSON.stringify({ ...rest, payments: [...payments, { ...card, _id: "CD2" }] });
    };
    const reads: LineOptions["harm"] = ({ path }) =>
      path === "/cash/v1/payment" && world.harms.length % 50 > 0 ? { rewrite } : undefined;
    const world = await openWorld(hurried(), { reads });
    const card = cardJson(master, { expMonth: "06" });
    const added = await world.run(
      "payment add --input - --confirm 4444 --settle 1s",
      card,
      forever,
    );
    expect([added.code, world.harms.length < 50], added.err).toEqual([11, true]);
    world.harms.length = 0;
    const bank = "payment bank add --input - --confirm 8901 --settle 1s";
    const moved = await world.run(bank, accountJson("1112345678901"), forever);
    expect(moved.code, moved.err).toBe(11);
  });

  test("F08 the same payment is not made a second time while the first is in doubt, but for --again", async () => {
    const world = await openWorld(hurried());
    const { msg } = world;
    await world.run(`${charge(world)} --settle 1s`, undefined, forever);
    world.harms.length = 0;
    const before = world.writes();
    const same = await msg(`${charge(world)} --otp-by voice --json`);
    expect(errorOf(same)).toMatchObject({ code: "InDoubt", exitCode: 7, outcome: "not_sent" });
    expect(errorOf(same).hint).toMatch(/certain after \d{4}-.*--again/);
    expect(world.writes()).toBe(before);
    const other = charge(world).replaceAll("10000", "20000");
    expect(errorOf(await msg(`${other} --json`)).code).toBe("MFARequired");
    expect(errorOf(await msg(`${charge(world)} --again --json`)).code).toBe("MFARequired");
    expect(doubtsIn(msg)).toEqual([]);
  });

  test.each([
    ["the service", { host: "https://api.example.test", key: "A1B2" }, "MFARequired", ""],
    ["another account of it", { key: "0009" }, "InDoubt", "it was made with another key, or"],
    ["another port", { host: "http://127.0.0.1:9" }, "InDoubt", "or at another host; remove"],
  ])(
    "F08 a payment that %s is known to have made is not called done here, nor forgotten",
    async (_, its, code, said) => {
      const world = await openWorld(hurried());
      const { msg } = world;
      await world.run(`${charge(world)} --settle 1s`, undefined, forever);
      world.harms.length = 0;
      const [file = ""] = doubtsIn(msg);
      const path = join(msg.folder, "state", "doubts", file);
      const record = { ...JSON.parse(readFileSync(path, "utf8")), ...its, done: true };
      writeFileSync(path, JSON.stringify(record));
      const same = await msg(`${charge(world)} --json`);
      expect(errorOf(same).code, same.err).toBe(code);
      expect(same.err).not.toContain("was done, as");
      for (const words of ["balance", "doctor"]) {
        const { err } = await msg(words);
        expect([err.includes("got no answer"), err]).toEqual([
          said !== "",
          expect.stringContaining(said),
        ]);
      }
      expect(errorOf(await msg(`${charge(world)} --again --json`)).code).toBe("MFARequired");
      expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(record);
    },
  );

  test("F04 the same payment is not made while another process is at work on it, for another profile with its key", async () => {
    const world = await openWorld(hurried());
    const { msg } = world;
    expect((await msg("profile set from 0200000000")).code).toBe(0);
    const { mfa } = errorOf(await msg(`${charge(world)} --otp-by email --json`));
    world.harms.push(...forever);
    const meanwhile: { same?: Promise<Ran> } = {};
    const factor = `--otp-transaction ${mfa?.transactionId} --otp ${await world.codeNow()}`;
    const first = await msg(`${charge(world)} --settle 1s --json ${factor}`, {
      wait: async (ms) => {
        meanwhile.same ??= msg("profile rename default work").then(() =>
          msg(`${charge(world)} --otp-by voice --json`),
        );
        await meanwhile.same;
        await delay(ms);
      },
    });
    // Not within the wait: an error there would end the wait, and no test.
    const refused = { code: "PaymentInUse", exitCode: 7, outcome: "not_sent" };
    expect(meanwhile.same && errorOf(await meanwhile.same)).toMatchObject(refused);
    expect(first.code).toBe(11);
    expect(errorOf(await msg(`${charge(world)} --otp-by voice --json`)).code).toBe("InDoubt");
    expect(doubtsIn(msg)).toEqual([expect.stringMatching(/\.json$/)]);
    // Its code was not used yet: with it the payment is the same one.
    world.harms.length = 0;
    expect((await msg(`${charge(world)} --json ${factor}`)).code).toBe(0);
    expect(doubtsIn(msg)).toEqual([]);
  });

  test("F08 auth status names what is in doubt, and leaves it so", async () => {
    const world = await openWorld(hurried());
    const { msg } = world;
    await world.run(`${charge(world)} --settle 1s`, undefined, forever);
    const { err, json } = await msg("auth status --json");
    expect(err).toBe("outcome unknown: msg balance charge (10,000 won); check with msg doctor\n");
    expect(json()).toMatchObject({
      inDoubt: [{ command: "balance charge", amount: "10,000 won" }],
    });
    const elsewhere = "--base-url http://127.0.0.1:9";
    const named = await msg(`auth status ${elsewhere}`);
    expect(named.err).toContain(`check with msg ${elsewhere} doctor`);
    expect(doubtsIn(msg)).toHaveLength(1);
  });

  test("F08 of two equal payments in doubt, one movement explains one", async () => {
    const clock = { aheadMs: 0 };
    const world = await openWorld({
      ...hurried(),
      now: () => new Date(Date.now() + clock.aheadMs),
    });
    const { msg } = world;
    await world.run(`${charge(world)} --settle 1s`, undefined, forever);
    world.harms.length = 0;
    // Another code for the same operation is sent after half a minute.
    clock.aheadMs = 31_000;
    const folder = join(msg.folder, "state", "doubts");
    const [first = ""] = doubtsIn(msg);
    copyFileSync(join(folder, first), join(folder, first.replace(".json", "-second.json")));
    renameSync(folder, `${folder}-aside`);
    expect((await world.run(charge(world), undefined)).code).toBe(0);
    rmSync(folder, { recursive: true });
    renameSync(`${folder}-aside`, folder);
    const told = (await msg("balance")).err;
    expect(told.match(/it was done, as/g)).toHaveLength(1);
    expect(told.match(/its outcome is still unknown/g)).toHaveLength(1);
    expect((await msg("balance")).err).toContain("its outcome is still unknown");
    expect(doubtsIn(msg)).toHaveLength(1);
  });

  test("F08 C06 the record of a doubt holds no card number, no cvc and no code", async () => {
    const world = await openWorld(hurried());
    const line = "payment add --input - --confirm 4444 --settle 0";
    const ran = await world.run(line, cardJson(master), forever);
    expect(ran.code).toBe(11);
    const [file = ""] = doubtsIn(world.msg);
    const kept = readFileSync(join(world.msg.folder, "state", "doubts", file), "utf8");
    const { code } = world.last;
    for (const secret of [master, `"${cvc}"`, `"${code}"`, Buffer.from(master).toString("base64")])
      expect(`${kept}${ran.err}`).not.toContain(secret);
  });

  test("F04 refused behind the fence: what the service says, and no doubt", async () => {
    const world = await openWorld(hurried());
    const line = "balance transfer --to 26010500000002 --amount 900000000 --confirm 900000000";
    const ran = await world.run(line, undefined, ["dropBefore"]);
    expect(errorOf(ran)).toMatchObject({ code: "NotEnoughBalance", exitCode: 10 });
    expect(doubtsIn(world.msg)).toEqual([]);
  });
});
