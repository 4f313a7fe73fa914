/**
 * Calls that move money, answered by a stranger, for another call or at a false hour: money moves once at most.
 * In `npm test` each stranger and each hour meets one of the payments, each payment a third of them; with
 * `EVERY=1` each meets all.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hurriedWorld } from "../support/clock.ts";
import { errorOf } from "../support/money.ts";
import { type Ran, shell } from "../support/msg.ts";
import { share } from "../support/share.ts";
import { envFor } from "./books.ts";
import { contradictions } from "./claims.ts";
import { type Harm, type LineOptions, openLine, type Refused } from "./line.ts";
import { lastingWorld, openWorld, type World } from "./protected.ts";
import {
  answeringForAnother,
  holdingBack,
  isOf,
  onKind,
  ownWords,
  recordOf,
  type Stranger,
  strangers,
} from "./strangers.ts";

const minuteMs = 60_000;
const clock = hurriedWorld();
const open: { world?: World; amount: number } = { amount: 10_000 };
const opened = (): World => {
  if (open.world) return open.world;
  throw new Error("a test begins behind beforeAll");
};

beforeAll(async () => {
  open.world = await lastingWorld(clock);
  // A transaction of a second factor is used once: without one nothing but msg prevents a second call.
  const answer = await fetch(`${opened().baseUrl}/_sandbox/settings`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ balance: 90_000_000, secondFactor: "off" }),
  });
  expect(answer.status).toBe(200);
});
afterAll(() => open.world?.stop());

interface Payment {
  readonly name: string;
  readonly line: (amount: number) => string;
  /** The rows that it leaves. */
  readonly rows: (amount: number) => string;
}

const payments: readonly Payment[] = [
  {
    name: "balance charge",
    line: (amount) => `balance charge ${amount} --payment ${opened().card} --confirm ${amount}`,
    rows: (amount) => `ledger WHERE balanceAmount = ${amount}`,
  },
  {
    name: "balance transfer",
    line: (amount) => `balance transfer --to 26010500000002 --amount ${amount} --confirm ${amount}`,
    rows: (amount) => `ledger WHERE balanceAmount = ${-amount}`,
  },
  {
    name: "payment withdraw request",
    line: (amount) => `payment withdraw request --amount ${amount} --confirm ${amount}`,
    rows: (amount) => `withdrawals WHERE totalAmount = ${amount}`,
  },
];

interface Scene extends Omit<LineOptions, "to"> {
  readonly aheadMs?: number;
  readonly more?: string;
  readonly amount?: number;
  readonly behind?: () => Promise<void>;
  /** Whatever the exit code says. */
  readonly isRunAgain?: boolean;
}

const nextAmount = (): number => {
  open.amount += 1;
  return open.amount;
};

/** Pays, and once more where the exit code lets one do so; each claim is held against the books. */
const pay = async (it: Payment, scene: Scene) => {
  const { aheadMs = 0, more = "", amount = nextAmount(), behind, isRunAgain, ...hooks } = scene;
  const { service } = opened();
  const line = await openLine({ to: service.baseUrl, date: clock.now, ...hooks });
  const now = (): Date => new Date(clock.now().getTime() + aheadMs);
  const at = shell({ ...clock, now, env: envFor(line) });
  const rows = (): number =>
    service.rows<{ count: number }>(`SELECT count(*) AS count FROM ${it.rows(amount)}`)[0]?.count ??
    0;
  const base = rows();
  const step = async (): Promise<Ran> => {
    const before = [rows() - base];
    const ran = await at(`${it.line(amount)} --json${more}`);
    await behind?.();
    const wrong = contradictions(ran, { sent: [rows() - base], before });
    // A command that is advised can be run as it stands.
    expect(ran.err).not.toContain("<since>");
    expect({ name: it.name, wrong }, ran.err).toEqual({ name: it.name, wrong: [] });
    return ran;
  };
  const first = await step();
  const codes = [first.code];
  if (isRunAgain || [4, 5, 6, 9, 10].includes(first.code)) codes.push((await step()).code);
  await line.stop();
  expect(rows() - base).toBeLessThanOrEqual(1);
  return { first, codes, moved: rows() - base };
};

/** As a cache says how old an answer is (RFC 9111, 5.1). */
const aged = (harm: Harm | undefined): Harm | undefined =>
  typeof harm === "object" && "status" in harm
    ? { ...harm, headers: { ...harm.headers, age: "30" } }
    : harm;

describe.each(payments.map((it, turn) => ({ it, turn, name: it.name })))(
  "$name",
  ({ it, turn }) => {
    /** Nothing but a read says what became of it: it is found there. */
    const isFoundOut = async ({ name, answer }: Stranger): Promise<void> => {
      const { codes, moved, first } = await pay(it, {
        harm: onKind("pay", answer, (number) => number === 0),
      });
      expect({ name, code: codes[0], moved }, first.err).toEqual({ name, code: 0, moved: 1 });
    };

    test("performed, and a stranger answers: exit 0, made once", async () => {
      // That the service's own word for too many requests comes from something else is told by nothing.
      const own = "429 TooManyRequests";
      for (const stranger of share(strangers(turn), 3, turn))
        if (stranger.name !== own) await isFoundOut(stranger);
    });

    test("a firewall answers every request: no claim is false, and it is made once at most", async () => {
      const every3rd = strangers(turn + 1)
        .slice(0, -1)
        .filter((_, at) => at % 3 === 0);
      for (const { answer } of share(every3rd, 3, turn))
        for (const performed of [true, false])
          await pay(it, { harm: onKind("pay", { ...answer, performed }) });
    });

    test("a signature that is called a duplicate was performed, or not: no claim is false", async () => {
      for (const performed of [true, false]) {
        const { answer } = ownWords(403, "DuplicatedSignature");
        await pay(it, { harm: onKind("pay", { ...answer, performed }) });
      }
    });

    test.each([true, false])(
      "answered with the answer of an earlier one of the same amount, performed: %s: no claim is false",
      async (performed) => {
        for (const times of [1, Number.POSITIVE_INFINITY]) {
          const amount = nextAmount();
          const { arm, ...scene } = answeringForAnother("pay", performed, 0);
          expect((await pay(it, { ...scene, amount })).codes).toEqual([0]);
          clock.pass(minuteMs);
          arm(times);
          const { moved, codes } = await pay(it, { ...scene, amount });
          if (times === 1) expect([codes[0], moved]).toEqual([0, 1]);
        }
      },
    );

    test("the list before it and its answer are those of an earlier one, and it is not made: no exit 0", async () => {
      const amount = nextAmount();
      const paid = answeringForAnother("pay", false, 0);
      const listed = answeringForAnother("movements", true, 0);
      const scene: Scene = {
        amount,
        heard: (...it) => [paid.heard(...it), listed.heard(...it)],
        harm: (passing) => paid.harm(passing) ?? listed.harm(passing),
      };
      expect((await pay(it, scene)).codes).toEqual([0]);
      clock.pass(minuteMs);
      paid.arm(1);
      listed.arm(1);
      await pay(it, scene);
    });

    test("a cache gives the list of before it in place of every later one: no claim is false", async () => {
      const cached = answeringForAnother("movements", false, Number.POSITIVE_INFINITY);
      const [limited] = strangers(turn).slice(-1);
      const answer = limited && { ...limited.answer, performed: true };
      await pay(it, {
        heard: cached.heard,
        harm: (passing) => (isOf("pay", passing) ? answer : aged(cached.harm(passing))),
      });
    });

    test("the account may not be read, and no answer comes: the same payment is not made once more", async () => {
      const { answer } = ownWords(403, "Forbidden");
      const unread = onKind("movements", answer, (number) => number < 2);
      const lost = onKind("pay", "failAfter", (number) => number === 0);
      const { codes, moved } = await pay(it, {
        harm: (passing) => unread(passing) ?? lost(passing),
        isRunAgain: true,
      });
      expect([codes, moved]).toEqual([[11, 7], 1]);
    });

    test("limited behind the execution, and the account cannot be read: exit 11", async () => {
      const [limited] = strangers(turn).slice(-1);
      const seen = { isPaid: false };
      const paid = await pay(it, {
        harm: (passing) => {
          if (!isOf("pay", passing))
            return isOf("movements", passing) && seen.isPaid ? "cut" : undefined;
          seen.isPaid = true;
          return limited?.answer;
        },
      });
      expect(paid).toMatchObject({ codes: [11], moved: 1 });
    });

    test("limited behind the execution, and a list is another's: no claim is false", async () => {
      const [limited] = strangers(turn).slice(-1);
      const seen: { list?: Refused; isPaid: boolean } = { isPaid: false };
      await pay(it, {
        heard: (passing, { status, body }) => {
          if (isOf("movements", passing)) seen.list ??= { ...recordOf(body), status };
        },
        harm: (passing) => {
          if (isOf("pay", passing)) {
            seen.isPaid = true;
            return limited?.answer;
          }
          if (!isOf("movements", passing) || !seen.isPaid) return undefined;
          seen.isPaid = false;
          return seen.list;
        },
      });
    });

    test("under a false Date: exit 0, made once", async () => {
      for (const minutes of share([20, -30, 1_440], 3, turn)) {
        const date = (): Date => new Date(clock.now().getTime() + minutes * minuteMs);
        const { codes, moved, first } = await pay(it, { date });
        expect([codes[0], moved], first.err).toEqual([0, 1]);
      }
    });

    test("held back under a false Date: no claim is false, and it is made once at most", async () => {
      for (const minutes of share([0, 20, -12], 3, turn))
        for (const late of [0, 17]) {
          const date = (): Date => new Date(clock.now().getTime() + minutes * minuteMs);
          await held(it, { date }, late);
        }
    });

    test.each([4, -4, 14].map((ahead, at) => ({ ahead, at })))(
      "a clock that is $ahead minutes ahead of the service's: a copy that was held back is dead",
      async ({ ahead, at }) => {
        for (const late of share([15, 17, 19], 3, turn + at))
          await held(it, { aheadMs: ahead * minuteMs }, late);
      },
    );

    test("every read arrives twice: no claim is false", async () => {
      await pay(it, { harm: onKind("read", "double") });
    });

    test("it arrives twice, and the refusal of the second copy comes back: exit 0, made once", async () => {
      const { codes, moved, first } = await pay(it, { harm: onKind("pay", "double") });
      expect([codes[0], moved], first.err).toEqual([0, 1]);
    });
  },
);

/** The first request is held back, and arrives so many minutes behind the first command. */
const held = async (it: Payment, scene: Scene, minutes: number): Promise<void> => {
  const { harm, release } = holdingBack("pay");
  await pay(it, {
    ...scene,
    harm,
    behind: async () => {
      clock.pass(minutes * minuteMs);
      await release();
    },
  });
};

test("a code that was used is not asked for again, whoever answers the request that carried it", async () => {
  const world = await openWorld(clock, { date: clock.now });
  const line = `balance charge 12345 --payment ${world.card} --confirm 12345`;
  const [html] = strangers(0).filter(({ name }) => name.startsWith("403"));
  const ran = await world.run(line, undefined, html ? [html.answer] : []);
  const count = world.service.rows("SELECT seq FROM ledger WHERE balanceAmount = 12345").length;
  expect([ran.code, count], ran.err).toEqual([0, 1]);
  clock.pass(minuteMs);
  const again = await world.msg(`${line} --json --otp-by email`);
  expect(errorOf(again).code).toBe("MFARequired");
});
