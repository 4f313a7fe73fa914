/** Calls behind a second factor over a line that does harm: done once, and told as they are. */
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freshFolder } from "../e2e/program.ts";
import { appOf, tokensFor } from "../sandbox/apps.ts";
import type { Door } from "../sandbox/doors.ts";
import { accountJson, cardJson, cvc, errorOf, lastCodeAt, master, visa } from "../support/money.ts";
import { type Ran, type Shell, shell } from "../support/msg.ts";
import { envFor, openService } from "./books.ts";
import { type Harm, openLine } from "./line.ts";

const stops: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const stop of stops) await stop();
});

interface World {
  readonly msg: Shell;
  /** The card that is registered from the start. */
  readonly card: string;
  /** What happens to the next writes, one after the other. */
  readonly harms: (Harm | undefined)[];
  /** Whether the line breaks for good once it has done harm, and whether it is broken. */
  readonly line: { breaks: boolean; broken: boolean };
  readonly writes: () => number;
  /** The code that was sent last. */
  readonly last: { code: string };
  readonly codeNow: () => Promise<string>;
  readonly baseUrl: string;
  /** Runs a command in two calls; the second one, which carries the code, suffers. */
  readonly run: (line: string, stdin: string | undefined, harms?: readonly Harm[]) => Promise<Ran>;
}

/** A service of its own with a card and a bank account, behind a line. */
const openWorld = async (now: () => Date = () => new Date()): Promise<World> => {
  const service = await openService(freshFolder(), now);
  const harms: (Harm | undefined)[] = [];
  const state = { breaks: false, broken: false };
  const line = await openLine({
    to: service.baseUrl,
    harm: ({ method }) => {
      if (state.broken) return "dropBefore";
      const harm = method === "GET" ? undefined : harms.shift();
      state.broken = state.breaks && harm !== undefined;
      return harm;
    },
  });
  stops.push(line.stop, service.stop);
  const msg = shell({ env: envFor(line), now });
  const last = { code: "" };
  const codeNow = () => lastCodeAt(line.baseUrl);
  const run: World["run"] = async (words, stdin, suffering = []) => {
    const input = stdin === undefined ? {} : { stdin };
    const { mfa } = errorOf(await msg(`${words} --otp-by email --json`, input));
    const code = await codeNow();
    last.code = code;
    harms.push(...suffering);
    return msg(`${words} --json --otp-transaction ${mfa?.transactionId} --otp ${code}`, input);
  };
  const card = await run("payment add --input - --confirm 1111", cardJson(visa));
  await run("payment bank add --input - --confirm 8901", accountJson());
  const { paymentId } = v.parse(v.object({ paymentId: v.string() }), card.json());
  await msg(`payment priority ${paymentId} -y`);
  const writes = (): number => line.requests.filter((it) => it.method !== "GET").length;
  return {
    msg,
    card: paymentId,
    harms,
    line: state,
    writes,
    last,
    codeNow,
    baseUrl: line.baseUrl,
    run,
  };
};

/** The account as it is afterwards, without what differs from world to world. */
const stateOf = async ({ msg }: World): Promise<unknown> => {
  const lines = [
    "balance --fields balance,autoRecharge,lowBalanceAlert",
    "balance history --limit 3 --fields type,balanceAmount,newBalance",
    "payment list --fields description,autoRecharge",
    "payment bank --fields bankCode,accountNumber,holderName",
    "payment withdraw list --limit 3 --fields totalAmount,status",
  ];
  const told: unknown[] = [];
  for (const line of lines) told.push((await msg(`${line} --json`)).json());
  return told;
};

const lines: readonly (readonly [string, string?])[] = [
  ["balance charge 10000 --payment CARD --confirm 10000"],
  ["balance transfer --to 26010500000002 --amount 500 --confirm 500"],
  ["payment withdraw request --amount 10000 --confirm 10000"],
  ["payment add --input - --confirm 4444", cardJson(master)],
  ["payment remove CARD --confirm 1111"],
  ["payment bank add --input - --confirm 5550", accountJson("110123455550")],
  ["payment bank remove --confirm 8901"],
  ["balance alert set --threshold 7000 --threshold 900 --channel EMAIL -y"],
  ["balance alert off -y"],
  ["payment auto-recharge on -y"],
];
const harms: readonly Harm[] = [
  "dropBefore",
  "dropAfter",
  "cut",
  "failBefore",
  "failAfter",
  "late",
];
const cases = lines.map(([template, stdin], at) => ({
  template,
  stdin,
  // The ways in which an answer gets lost differ little from call to call.
  suffered: at === 0 ? harms : harms.slice(0, 2),
}));

describe.each(cases)("$template", ({ template, stdin, suffered }) => {
  const seen: { calm?: unknown } = {};
  beforeAll(async () => {
    const world = await openWorld();
    const ran = await world.run(template.replace("CARD", world.card), stdin);
    expect(ran.code, ran.err).toBe(0);
    seen.calm = await stateOf(world);
  });

  test.each(suffered)("F04 %s: exit 0, done once, and nothing is left in doubt", async (harm) => {
    const world = await openWorld();
    const ran = await world.run(template.replace("CARD", world.card), stdin, [harm]);
    expect(ran.code, ran.err).toBe(0);
    expect(ran.json()).toBeTruthy();
    expect(await stateOf(world)).toEqual(seen.calm);
    expect(doubtsIn(world.msg)).toEqual([]);
  });
});

const doubtsIn = ({ folder }: Shell): string[] => {
  const path = join(folder, "state", "doubts");
  return existsSync(path) ? readdirSync(path) : [];
};

const charge = ({ card }: World): string =>
  `balance charge 10000 --payment ${card} --confirm 10000`;
const forever = Array<Harm>(50).fill("dropBefore");

describe("what cannot be settled", () => {
  test("F04 F08 stays unknown, is told at the next start, and is decided when it is certain", async () => {
    const clock = { aheadMs: 0 };
    const world = await openWorld(() => new Date(Date.now() + clock.aheadMs));
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
        /msg balance charge \(10,000 won\) of .* got no answer: nobody knows yet/,
      );
    expect((await msg("stats")).err).not.toContain("got no answer");
    clock.aheadMs = 17 * 60_000;
    expect((await msg("balance")).err).toContain("it was not done, and cannot be any more");
    expect((await msg("balance")).err).toBe("");
    expect([world.writes(), doubtsIn(msg)]).toEqual([before, []]);
  });

  test("F08 done although no answer came: the next start sees it, and another profile is told nothing", async () => {
    const world = await openWorld();
    const { msg } = world;
    world.line.breaks = true;
    const ran = await world.run(`${charge(world)} --settle 0`, undefined, ["dropAfter"]);
    expect(errorOf(ran)).toMatchObject({ exitCode: 11, outcome: "unknown" });
    expect((await msg("balance")).err).toContain("nobody knows yet");
    world.line.breaks = false;
    world.line.broken = false;
    expect((await msg("balance --sandbox")).err).toBe("");
    expect((await msg("balance")).err).toContain("it was done, as the account shows");
    expect(doubtsIn(msg)).toEqual([]);
  });

  test("F04 an older charge of the same amount is no evidence", async () => {
    const world = await openWorld();
    expect((await world.run(charge(world), undefined)).code).toBe(0);
    const ran = await world.run(`${charge(world)} --settle 1s`, undefined, forever);
    expect(ran.code).toBe(11);
  });

  test("F08 the same payment is not made a second time while the first is in doubt, but for --again", async () => {
    const world = await openWorld();
    const { msg } = world;
    await world.run(`${charge(world)} --settle 1s`, undefined, forever);
    world.harms.length = 0;
    const before = world.writes();
    const same = await msg(`${charge(world)} --otp-by voice --json`);
    expect(errorOf(same)).toMatchObject({ code: "InDoubt", exitCode: 7, outcome: "not_sent" });
    expect(errorOf(same).hint).toMatch(/decided after \d{4}-.*--again/);
    expect(world.writes()).toBe(before);
    const other = charge(world).replaceAll("10000", "20000");
    expect(errorOf(await msg(`${other} --json`)).code).toBe("MFARequired");
    expect(errorOf(await msg(`${charge(world)} --again --json`)).code).toBe("MFARequired");
    expect(doubtsIn(msg)).toEqual([]);
  });

  test("F04 the same payment is not made while another process is at work on it", async () => {
    const world = await openWorld();
    const { msg } = world;
    const { mfa } = errorOf(await msg(`${charge(world)} --otp-by email --json`));
    world.harms.push(...forever);
    const meanwhile: { same?: Promise<Ran> } = {};
    const factor = `--otp-transaction ${mfa?.transactionId} --otp ${await world.codeNow()}`;
    const first = await msg(`${charge(world)} --settle 1s --json ${factor}`, {
      wait: async (ms) => {
        meanwhile.same ??= msg(`${charge(world)} --otp-by voice --json`);
        const sent = world.writes();
        expect(errorOf(await meanwhile.same)).toMatchObject({
          code: "PaymentInUse",
          exitCode: 7,
          outcome: "not_sent",
        });
        expect(world.writes()).toBe(sent);
        await delay(ms);
      },
    });
    expect(first.code).toBe(11);
    expect(errorOf(await msg(`${charge(world)} --otp-by voice --json`)).code).toBe("InDoubt");
    expect(doubtsIn(msg)).toEqual([expect.stringMatching(/\.json$/)]);
  });

  test("F08 auth status names what is in doubt, and leaves it so", async () => {
    const world = await openWorld();
    const { msg } = world;
    await world.run(`${charge(world)} --settle 1s`, undefined, forever);
    const { err, json } = await msg("auth status --json");
    expect(err).toBe(
      "in doubt: msg balance charge (10,000 won); msg doctor looks at what became of it\n",
    );
    expect(json()).toMatchObject({
      inDoubt: [{ command: "balance charge", amount: "10,000 won" }],
    });
    expect(doubtsIn(msg)).toHaveLength(1);
  });

  test("F08 of two equal payments in doubt, one movement explains one", async () => {
    const clock = { aheadMs: 0 };
    const world = await openWorld(() => new Date(Date.now() + clock.aheadMs));
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
    expect(told.match(/nobody knows yet/g)).toHaveLength(1);
    expect((await msg("balance")).err).toContain("nobody knows yet");
    expect(doubtsIn(msg)).toHaveLength(1);
  });

  test("F08 C06 the record of a doubt holds no card number, no cvc and no code", async () => {
    const world = await openWorld();
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
    const world = await openWorld();
    const line = "balance transfer --to 26010500000002 --amount 900000000 --confirm 900000000";
    const ran = await world.run(line, undefined, ["dropBefore"]);
    expect(errorOf(ran)).toMatchObject({ code: "NotEnoughBalance", exitCode: 10 });
    expect(doubtsIn(world.msg)).toEqual([]);
  });
});

describe("on a terminal", () => {
  /** A person who confirms, asks for an e-mail, and types what came with it. */
  const person = (world: World) => {
    const answers = [async () => "10000", async () => "OTP", world.codeNow];
    return { tty: 100, paste: async () => (await answers.shift()?.()) ?? "" };
  };

  test.each<readonly [string, (Harm | undefined)[]]>([
    ["the first request", ["dropAfter"]],
    ["the request with the code, performed", [undefined, undefined, "dropAfter"]],
    ["the request with the code, lost", [undefined, undefined, "dropBefore"]],
  ])(
    "F04 %s gets no answer: the code is asked for once, and the charge is made once at most",
    async (_name, suffering) => {
      const world = await openWorld();
      const before = await stateOf(world);
      world.harms.push(...suffering);
      const ran = await world.msg(
        `${charge(world).replace(/ --confirm.*/, "")} --settle 2s`,
        person(world),
      );
      const isFirst = suffering.length === 1;
      // Without a code nobody knows whether the service would have asked for one.
      expect(ran.code, ran.err).toBe(isFirst ? 11 : 0);
      if (isFirst) expect(await stateOf(world)).toEqual(before);
      else expect(await stateOf(world)).not.toEqual(before);
      expect(doubtsIn(world.msg)).toHaveLength(isFirst ? 1 : 0);
    },
  );
});

/** A service behind an address as the helpers of OAuth2 reach it. */
const doorTo = (baseUrl: string): Door => ({
  clock: { now: new Date() },
  close: async () => undefined,
  call: async (method, target, { headers, body, bytes } = {}) => {
    const sent = bytes ? Buffer.from(bytes) : JSON.stringify(body);
    const told = await fetch(`${baseUrl}${target}`, {
      ...{ method, body: sent, redirect: "manual" },
      headers: { "content-type": "application/json", ...headers },
    });
    const { status } = told;
    return { status, headers: Object.fromEntries(told.headers), text: await told.text() };
  },
});

test.each<readonly [Harm, number, number]>([
  ["dropAfter", 0, 500],
  ["dropBefore", 11, 0],
])(
  "F04 a token carries no signature: %s is looked for and never repeated",
  async (harm, code, moved) => {
    const world = await openWorld();
    const { access_token } = await tokensFor(doorTo(world.baseUrl), "cash:read cash:write", {
      app: appOf(2),
    });
    const env = { MSG_API_KEY: "", MSG_API_SECRET: "", MSG_ACCESS_TOKEN: access_token };
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

describe("before a code was given", () => {
  test("F04 the first request gets lost: it is made again, and the code is asked for", async () => {
    const world = await openWorld();
    world.harms.push("dropBefore");
    const ran = await world.msg(`${charge(world)} --otp-by email --json`);
    expect(errorOf(ran)).toMatchObject({ code: "MFARequired", exitCode: 5 });
    expect(doubtsIn(world.msg)).toEqual([]);
  });

  test("F04 the request for a code gets lost: nothing was changed, exit 9", async () => {
    const world = await openWorld();
    world.harms.push(undefined, "dropAfter");
    const ran = await world.msg(`${charge(world)} --otp-by email --json`);
    expect(errorOf(ran)).toMatchObject({ exitCode: 9, outcome: "not_sent" });
    expect(doubtsIn(world.msg)).toEqual([]);
  });
});
