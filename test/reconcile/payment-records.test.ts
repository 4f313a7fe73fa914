/** The records of calls that may have moved money, when the folder that keeps them fails. */

import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { expect, test } from "vitest";
import { hurried } from "../support/clock.ts";
import { cardJson, visa } from "../support/money.ts";
import { type Shell, shell } from "../support/msg.ts";

const folderOf = (msg: Shell): string => join(msg.folder, "state", "doubts");

/** A sandbox with a card, and the words that charge it. */
const withCard = async () => {
  const msg = shell();
  await msg("sandbox set --second-factor off");
  const added = await msg("payment add --sandbox --input - --confirm 1111 --json", {
    stdin: cardJson(visa),
  });
  const { paymentId } = v.parse(v.object({ paymentId: v.string() }), added.json());
  return { msg, charge: `balance charge 1000 --sandbox --payment ${paymentId} --confirm 1000` };
};

test("a record that another process removes while they are listed is none", async () => {
  const msg = shell();
  mkdirSync(folderOf(msg), { recursive: true });
  symlinkSync(join(msg.folder, "gone"), join(folderOf(msg), "20260105-090000000-abcdef.json"));
  expect(await msg("balance --sandbox")).toMatchObject({ code: 0, err: "" });
});

test("a record that cannot be read keeps a payment from being made, but for --again, and nothing else", async () => {
  const { msg, charge } = await withCard();
  await msg('sandbox fault add --on "POST /cash/v1/balance" --do drop-before');
  expect((await msg(`${charge} --settle 0`)).code).toBe(11);
  await msg("sandbox fault clear");
  const [name = ""] = readdirSync(folderOf(msg)).filter((it) => it.endsWith(".json"));
  const file = join(folderOf(msg), name);
  const harms = [
    () => writeFileSync(file, readFileSync(file).subarray(0, 40)),
    () => rmSync(file),
    () => mkdirSync(file),
  ];
  for (const harm of [harms.slice(0, 1), harms.slice(1)]) {
    for (const it of harm) it();
    expect(await msg("balance --sandbox")).toMatchObject({ code: 0 });
    const { code, err } = await msg(`${charge} --settle 0`);
    expect([code, err]).toEqual([2, expect.stringContaining(file)]);
  }
  expect((await msg(`${charge} --settle 0 --again`)).code).toBe(0);
});

test("where the folder of the records cannot be read no payment is made, and the balance is shown", async () => {
  const { msg, charge } = await withCard();
  rmSync(folderOf(msg), { recursive: true, force: true });
  writeFileSync(folderOf(msg), "");
  expect(await msg(charge)).toMatchObject({ code: 2, err: expect.stringContaining("doubts") });
  expect(await msg("balance --sandbox")).toMatchObject({ code: 0, err: "" });
});

test("an outcome that is unknown stays 11 where its record cannot be written anew", async () => {
  const { msg, charge } = await withCard();
  await msg('sandbox fault add --on "POST /cash/v1/balance" --do drop-before');
  const clock = hurried();
  const breakFolder = async (ms: number): Promise<void> => {
    rmSync(folderOf(msg), { recursive: true, force: true });
    writeFileSync(folderOf(msg), "");
    await clock.wait(ms);
  };
  const { code, err } = await msg(`${charge} --settle 1s`, { ...clock, wait: breakFolder });
  expect([code, err]).toEqual([11, expect.stringContaining("msg --sandbox balance history")]);
});
