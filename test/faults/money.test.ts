/** A process that is killed while a call that moves money is under way: no start repeats it. */
import * as v from "valibot";
import { afterAll, expect, test } from "vitest";
import { ended, freshFolder } from "../e2e/program.ts";
import { type AtHome, atHome } from "./at-home.ts";
import { envFor, openService } from "./books.ts";
import { type Line, type Moment, openLine } from "./line.ts";

const path = "/cash/v1/transfer";
const words =
  "balance transfer --to 26010500000002 --amount 500 --confirm 500 --json --otp-by email";
const transfer = words.split(" ");

const stops: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const stop of stops) await stop();
});

/** A service of its own behind a line; once it is armed, the next transfer ends the process. */
const openWorld = async (at: Moment) => {
  const service = await openService(freshFolder());
  const armed: { kill?: (() => void) | undefined } = {};
  const isMeant = (passing: { readonly path: string }) => armed.kill && passing.path === path;
  const line = await openLine({
    to: service.baseUrl,
    harm: (passing) => (at === "arrived" && isMeant(passing) ? "dropBefore" : undefined),
    on: (passing, moment) => {
      if (moment !== at || !isMeant(passing)) return;
      armed.kill?.();
      armed.kill = undefined;
    },
  });
  stops.push(line.stop, service.stop);
  return { line, armed, msg: atHome(), env: envFor(line) };
};

const failed = v.object({ error: v.object({ mfa: v.object({ transactionId: v.string() }) }) });
const codes = v.array(v.object({ code: v.string() }));

/** The words that finish the transfer, with the code that was sent for it. */
const withCode = async (msg: AtHome, line: Line): Promise<readonly string[]> => {
  const first = await msg(transfer, { env: envFor(line) });
  const { transactionId } = v.parse(failed, JSON.parse(first.err)).error.mfa;
  const listed = await fetch(`${line.baseUrl}/_sandbox/codes?limit=1`);
  const [sent] = v.parse(codes, await listed.json());
  return [...transfer, "--otp-transaction", transactionId, "--otp", sent?.code ?? ""];
};

const transfers = ({ requests }: Line): number => requests.filter((it) => it.path === path).length;

test.each<readonly [string, Moment, number, number, string]>([
  ["before it was performed", "arrived", 0, 0, "its outcome is still unknown"],
  ["after it was performed", "performed", 1, 5, "it was done, as the account shows"],
])(
  "F08 killed between code and answer, %s: the next start tells, none repeats it, and the code moves money once",
  async (_when, at, moved, codeAgain, told) => {
    const { line, armed, msg, env } = await openWorld(at);
    const balances = async (): Promise<number> => {
      const { out } = await msg(["balance", "--json", "--fields", "balance"], { env });
      return v.parse(v.object({ balance: v.number() }), JSON.parse(out)).balance;
    };
    const before = await balances();
    const finish = await withCode(msg, line);
    const child = msg.start(finish, { env });
    armed.kill = () => child.kill("SIGKILL");
    expect((await ended(child)).code).toBeNull();
    const asked = transfers(line);

    const start = await msg(["balance", "--quiet"], { env });
    expect(start.err).toContain(told);
    expect(start.err).toContain("msg balance transfer (500 won)");
    expect(await balances()).toBe(before - 500 * moved);
    await msg(["balance", "history", "--json"], { env });
    await msg(["run", "list"], { env });
    expect(transfers(line)).toBe(asked);

    expect((await msg(finish, { env })).code).toBe(codeAgain);
    expect(await balances()).toBe(before - 500);
  },
  60_000,
);
