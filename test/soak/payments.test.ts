/**
 * `PAYMENTS` payments, 2,000 or as many, over a line that does harm to a share of all requests, by operators who run them
 * again, look, or wait: none is made more often than it was meant, and what each command claims is so. `SEED`
 * says where the search begins.
 */
import { expect, test } from "vitest";
import { envFor } from "../faults/books.ts";
import { contradictions } from "../faults/claims.ts";
import {
  type Harm,
  type LineOptions,
  openLine,
  type Passing,
  type Refused,
} from "../faults/line.ts";
import { openWorld, type World } from "../faults/protected.ts";
import { isOf, recordOf, strangers } from "../faults/strangers.ts";
import { type Dice, diceFor } from "../simulation/dice.ts";
import { hurriedWorld, type TestClock } from "../support/clock.ts";
import { errorOf } from "../support/money.ts";
import { type Ran, type Shell, shell } from "../support/msg.ts";

const count = Number(process.env.PAYMENTS ?? 2_000);
const from = Number(process.env.SEED ?? 1);
const minuteMs = 60_000;
/** An operator who never comes to an end is no finding. */
const mostSteps = 12;

const clock = hurriedWorld();

/** A way to pay, and the rows that it leaves. */
interface Payment {
  readonly line: string;
  readonly rows: () => number;
}

const paymentOf = (world: World, dice: Dice, amount: number): Payment => {
  const named = `${amount} --confirm ${amount}`;
  const [line, rows] = dice.pick([
    [`balance charge ${named} --payment ${world.card}`, `ledger WHERE balanceAmount = ${amount}`],
    [
      `balance transfer --to 26010500000002 --amount ${named}`,
      `ledger WHERE balanceAmount = ${-amount}`,
    ],
    [`payment withdraw request --amount ${named}`, `withdrawals WHERE totalAmount = ${amount}`],
  ]);
  const sql = `SELECT count(*) AS count FROM ${rows}`;
  const counted = () => world.service.rows<{ count: number }>(sql)[0]?.count ?? 0;
  const before = counted();
  return { line, rows: () => counted() - before };
};

/** Requests that are held back until their hour. */
interface Held {
  readonly atMs: number;
  readonly release: () => Promise<void>;
}

const signal = () => {
  const it = { resolve: (): void => undefined };
  const promise = new Promise<void>((resolve) => {
    it.resolve = resolve;
  });
  return { promise, resolve: () => it.resolve() };
};

const holding = (dice: Dice, held: Held[]): Harm => {
  const [until, arrived] = [signal(), signal()];
  const release = (): Promise<void> => {
    until.resolve();
    return arrived.promise;
  };
  held.push({ atMs: clock.now().getTime() + dice.span(5_000, 30 * minuteMs), release });
  return { until: until.promise, isCopy: dice.chance(0.5), done: arrived.resolve };
};

const harms = [
  ...(["dropAfter", "dropBefore", "cut", "failAfter", "failBefore", "double"] as const),
  ...(["held", "stranger", "other", "other"] as const),
] as const;

/** What the line does; no two answers in a row are those to other requests. */
const lineOf = (dice: Dice, share: number, held: Held[]): Pick<LineOptions, "harm" | "heard"> => {
  const answers = new Map<string, Refused[]>();
  const isOther = new Map<string, boolean>();
  const kindOf = ({ method, path }: Passing): string => `${method} ${path}`;
  const otherFor = (kind: string): Harm | undefined => {
    const [first, ...more] = answers.get(kind) ?? [];
    if (first === undefined || isOther.get(kind)) return undefined;
    isOther.set(kind, true);
    return { ...dice.pick([first, ...more]), performed: dice.chance(0.5) };
  };
  return {
    heard: (passing, { status, body }) => {
      const kind = kindOf(passing);
      answers.set(kind, [...(answers.get(kind) ?? []).slice(-9), { ...recordOf(body), status }]);
    },
    harm: (passing) => {
      const kind = kindOf(passing);
      const is = dice.chance(share) ? dice.pick(harms) : undefined;
      if (is === "other") return otherFor(kind);
      // What is lost or cut is no answer, between two that are not the right ones.
      if (is === undefined || is === "double" || is === "held") isOther.set(kind, false);
      if (is === "held") return passing.method === "GET" ? undefined : holding(dice, held);
      if (is !== "stranger") return is;
      const found = strangers(dice.between(0, 3))[dice.between(0, 14)];
      return found && { ...found.answer, performed: dice.chance(0.5) };
    },
  };
};

interface Scene {
  readonly dice: Dice;
  readonly payment: Payment;
  readonly at: Shell;
  /** Lets time pass, and what was held back until then arrive. */
  readonly pass: (ms: number) => Promise<void>;
  /** How many requests that pay have left. */
  readonly left: () => number;
  readonly history: string[];
}

/** Runs it once; what it claims is held against the books of this payment, or of this command where it sent none. */
const run = async (it: Scene, words: string, base: number): Promise<Ran> => {
  const [rows, left] = [it.payment.rows(), it.left()];
  const ran = await it.at(words);
  const last = ran.err.trim().split("\n").at(-1) ?? "";
  it.history.push(`${words}: exit ${ran.code}, ${it.payment.rows()} rows ${last}`);
  const since = it.left() > left ? base : rows;
  const wrong = contradictions(ran, { sent: [it.payment.rows() - since], before: [rows - since] });
  expect(wrong, it.history.join("\n")).toEqual([]);
  return ran;
};

/** An operator in doubt waits and looks: true once msg says that it was done. */
const isFoundDone = async (it: Scene, base: number): Promise<boolean> => {
  for (let look = 0; look < mostSteps; look += 1) {
    await it.pass(it.dice.pick([0, 1, 6, 17]) * minuteMs);
    const { err } = await it.at("balance --json");
    it.history.push(`balance: ${it.payment.rows()} rows ${err.trim()}`);
    const isDone = err.includes("it was done, as the account shows");
    const isOver = err.includes("it was not done, and can no longer be done");
    if (isDone || isOver)
      expect(it.payment.rows() - base, it.history.join("\n")).toBe(isDone ? 1 : 0);
    if (isDone) return true;
    if (isOver || !err.includes("got no answer")) return false;
  }
  return false;
};

/** One payment that is meant once: run until it is made, whatever that takes. */
const payOnce = async (it: Scene): Promise<void> => {
  const base = it.payment.rows();
  const settle = it.dice.pick(["", "", " --settle 1s", " --settle 0"]);
  const isReckless = it.dice.chance(0.3);
  for (let step = 0; step < mostSteps; step += 1) {
    const ran = await run(it, `${it.payment.line} --json${settle}`, base);
    if (ran.code === 0) break;
    if (errorOf(ran).code === "DoneBefore") {
      await it.at("balance --json");
      break;
    }
    if (!isReckless && (ran.code === 11 || ran.code === 7) && (await isFoundDone(it, base))) break;
    await it.pass(it.dice.pick([0, 0.2, 3]) * minuteMs);
  }
  expect(it.payment.rows() - base, it.history.join("\n")).toBeLessThanOrEqual(1);
};

const play = async (world: World, seed: number): Promise<void> => {
  const dice = diceFor(seed, "payments");
  const payment = paymentOf(world, dice, 100_000 + seed);
  const held: Held[] = [];
  const line = await openLine({
    to: world.service.baseUrl,
    date: clock.now,
    ...lineOf(dice, dice.roll() * 0.35, held),
  });
  const aheadMs = dice.pick([0, 0, 4, -4]) * minuteMs;
  const now: TestClock["now"] = () => new Date(clock.now().getTime() + aheadMs);
  const arrive = async (untilMs: number): Promise<void> => {
    for (const it of held.splice(0)) {
      if (it.atMs <= untilMs) await it.release();
      else held.push(it);
    }
  };
  const pass = (ms: number): Promise<void> => {
    clock.pass(ms);
    return arrive(clock.now().getTime());
  };
  const left = () => line.requests.filter((it) => isOf("pay", it)).length;
  const history = [`seed ${seed}, ahead ${aheadMs}`];
  const it: Scene = {
    dice,
    payment,
    at: shell({ ...clock, now, env: envFor(line) }),
    pass,
    left,
    history,
  };
  const meant = dice.between(1, 3);
  for (let times = 0; times < meant; times += 1) await payOnce(it);
  await arrive(Number.POSITIVE_INFINITY);
  await line.stop();
  expect(payment.rows(), history.join("\n")).toBeLessThanOrEqual(meant);
};

test(`${count} payments from seed ${from} on: none is made more often than it was meant, and no claim is false`, async () => {
  const world = await openWorld(clock);
  // A transaction of a second factor is used once: without one nothing but msg prevents a second call.
  const settings = JSON.stringify({ balance: 9_000_000_000, secondFactor: "off" });
  const headers = { "content-type": "application/json" };
  const address = `${world.baseUrl}/_sandbox/settings`;
  const answer = await fetch(address, { method: "PUT", headers, body: settings });
  expect(answer.status).toBe(200);
  for (let seed = from; seed < from + count; seed += 1) await play(world, seed);
});
