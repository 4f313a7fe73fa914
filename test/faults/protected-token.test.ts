/** Calls of money with an access token: it carries no signature, so nothing may be repeated. */
import { expect, test } from "vitest";
import { hurried } from "../support/clock.ts";
import { errorOf } from "../support/money.ts";
import { shell } from "../support/msg.ts";
import { envFor } from "./books.ts";
import { type Harm, openLine } from "./line.ts";
import { openWorld } from "./protected.ts";
import { tokenEnv } from "./tokens.ts";

test.each<readonly [Harm, number, number]>([
  ["dropAfter", 0, 500],
  ["dropBefore", 11, 0],
])(
  "F04 a token carries no signature: %s is looked for and never repeated",
  async (harm, code, moved) => {
    const world = await openWorld(hurried());
    const env = await tokenEnv(world.baseUrl, "cash:read cash:write");
    const line =
      "balance transfer --to 26010500000002 --amount 500 --confirm 500 --settle 1s --json";
    const first = await world.msg(`${line} --otp-by email`, { env });
    const { mfa } = errorOf(first);
    const proof = `--otp-transaction ${mfa?.transactionId} --otp ${await world.codeNow()}`;
    const before = world.writes();
    world.harms.push(harm);
    const ran = await world.msg(`${line} ${proof}`, { env });
    expect([ran.code, world.writes() - before], ran.err).toEqual([code, 1]);
    if (code === 11) expect(errorOf(ran).hint).toContain("nothing proves that it was not done");
    const sums = await world.msg("balance history --limit 1 --fields balanceAmount");
    expect(sums.out.trim() === "-500").toBe(moved === 500);
  },
);

/** A service that asks for no code: nothing but a signature would have it refuse a copy. */
const openCopying = async () => {
  const world = await openWorld(hurried());
  await fetch(`${world.baseUrl}/_sandbox/settings`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ secondFactor: "off" }),
  });
  return { world, env: await tokenEnv(world.baseUrl, "cash:read cash:write") };
};

test("a gateway repeats a payment: the copy is reported, with --quiet, too", async () => {
  const { world, env } = await openCopying();
  const lines = [
    `balance charge 5000 --payment ${world.card} --confirm 5000`,
    "balance transfer --to 26010500000002 --amount 500 --confirm 500",
    "payment withdraw request --amount 10000 --confirm 10000",
  ];
  for (const line of lines) {
    world.harms.push("double");
    const ran = await world.msg(`${line} --quiet`, { env });
    expect(ran.code, ran.err).toBe(0);
    expect(ran.err).toMatch(/the account shows 2 such movements since: .*; msg (balance|payment) /);
  }
  const once = await world.msg("balance transfer --to 26010500000002 --amount 501 --confirm 501", {
    env,
  });
  expect([once.code, once.err]).toEqual([0, ""]);
});

test.each(["on", "off"])(
  "auto-recharge %s is undone by a copy of its call: exit 10, not a false answer",
  async (word) => {
    const { world, env } = await openCopying();
    const other = word === "on" ? "off" : "on";
    await world.msg(`payment auto-recharge ${other} -y`, { env });
    const line = await openLine({
      to: world.service.baseUrl,
      on: async ({ path }, moment) => {
        if (path !== "/cash/v1/recharge" || moment !== "performed") return;
        const copy = await world.msg("api PUT /cash/v1/recharge -y", { env });
        expect(copy.code, copy.err).toBe(0);
      },
    });
    const at = shell({ ...hurried(), env: { ...envFor(line), ...env } });
    const ran = await at(`payment auto-recharge ${word} -y --json`);
    await line.stop();
    expect([ran.code, ran.json()]).toEqual([10, { autoRecharge: word !== "on" }]);
    expect(errorOf(ran).code).toBe("ChangedMeanwhile");
  },
);

test("auto-recharge on is answered with the balance: what the account shows then counts", async () => {
  const { world, env } = await openCopying();
  await world.msg("payment auto-recharge off -y", { env });
  world.harms.push({ rewrite: () => '{"balance":1000000,"autoRecharge":0}' });
  const ran = await world.msg("payment auto-recharge on -y --json", { env });
  expect([ran.code, ran.json()], ran.err).toEqual([0, { autoRecharge: true }]);
});
