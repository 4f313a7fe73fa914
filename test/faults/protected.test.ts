/** Calls behind a second factor over a line that does harm: done once, and told as they are. */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { hurried } from "../support/clock.ts";
import { accountJson, cardJson, errorOf, master } from "../support/money.ts";
import type { Harm, LineOptions } from "./line.ts";
import { charge, doubtsIn, lastingWorld, openWorld, stateOf, type World } from "./protected.ts";
import { isOf, ownWords } from "./strangers.ts";

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
    const world = await lastingWorld();
    const ran = await world.run(template.replace("CARD", world.card), stdin);
    expect(ran.code, ran.err).toBe(0);
    seen.calm = await stateOf(world);
    await world.stop();
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
      const world = await openWorld(hurried());
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

describe("the lock of a payment", () => {
  test("F04 lost while a person types the code: nothing is sent with it", async () => {
    const world = await openWorld(hurried());
    const before = { writes: 0 };
    const lose = async (): Promise<string> => {
      for (const name of readdirSync(join(world.msg.folder, "state", "doubts")))
        rmSync(join(world.msg.folder, "state", "doubts", name));
      before.writes = world.writes();
      return world.codeNow();
    };
    const answers = [async () => "10000", async () => "OTP", lose];
    const paste = async () => (await answers.shift()?.()) ?? "";
    const ran = await world.msg(charge(world).replace(/ --confirm.*/, ""), { tty: 100, paste });
    expect([ran.code, ran.err]).toEqual([7, expect.stringContaining("this msg lost its lock")]);
    expect(world.writes()).toBe(before.writes);
  });
});

test("F04 something else forbids one read of the account before the call: it is found all the same", async () => {
  const seen = { isRefused: false };
  const reads: LineOptions["harm"] = (passing) => {
    if (world.harms.length === 0 || seen.isRefused || !isOf("movements", passing)) return undefined;
    seen.isRefused = true;
    return ownWords(403, "Forbidden").answer;
  };
  const world = await openWorld(hurried(), { reads });
  const ran = await world.run(charge(world), undefined, ["dropAfter"]);
  expect([ran.code, seen.isRefused], ran.err).toEqual([0, true]);
});

test("P05 Ctrl-C while a charge is made: the account is read all the same, and it is shown as done", async () => {
  const stop = new AbortController();
  const heard: LineOptions["heard"] = ({ method, path }, { status }) => {
    if (method === "POST" && path.endsWith("/balance") && status === 200) stop.abort();
  };
  // By the machine's clocks: a stopped command gets ten seconds.
  const world = await openWorld({}, { heard });
  const { mfa } = errorOf(await world.msg(`${charge(world)} --otp-by email --json`));
  const code = await world.codeNow();
  const line = `${charge(world)} --otp-transaction ${mfa?.transactionId} --otp ${code} --json`;
  const ran = await world.msg(line, { signal: stop.signal });
  expect(errorOf(ran), ran.err).toMatchObject({ code: "Interrupted", outcome: "done" });
  expect([ran.code, doubtsIn(world.msg)]).toEqual([130, []]);
});

describe("before a code was given", () => {
  test("F04 the request for another code gets lost: nothing was changed, exit 9", async () => {
    const world = await openWorld(hurried());
    world.harms.push(undefined, undefined, "dropAfter");
    const line = `${charge(world)} --otp-by email --json`;
    const ran = await world.msg(line, { tty: 100, answers: ["r"] });
    expect(errorOf(ran)).toMatchObject({ exitCode: 9, outcome: "not_sent" });
    expect(doubtsIn(world.msg)).toEqual([]);
  });

  test("F04 the first request gets lost: it is made again, and the code is asked for", async () => {
    const world = await openWorld(hurried());
    world.harms.push("dropBefore");
    const ran = await world.msg(`${charge(world)} --otp-by email --json`);
    const mfa = { transactionId: expect.any(String) };
    expect(errorOf(ran)).toMatchObject({ code: "MFARequired", exitCode: 5, mfa });
    expect(doubtsIn(world.msg)).toEqual([]);
  });

  test("F04 the request for a code gets lost: nothing was changed, exit 9", async () => {
    const world = await openWorld(hurried());
    world.harms.push(undefined, "dropAfter");
    const ran = await world.msg(`${charge(world)} --otp-by email --json`);
    expect(errorOf(ran)).toMatchObject({ exitCode: 9, outcome: "not_sent" });
    expect(doubtsIn(world.msg)).toEqual([]);
  });
});
