/** A service behind a line that does harm, and calls of money that are made over it in two steps. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { onTestFinished } from "vitest";
import { freshFolder } from "../e2e/program.ts";
import { accountJson, cardJson, errorOf, lastCodeAt, visa } from "../support/money.ts";
import { type Options, type Ran, type Shell, shell } from "../support/msg.ts";
import { isOfToday, keep, layKept, laySandbox } from "../support/new-sandbox.ts";
import { envFor, openService, type Service } from "./books.ts";
import { type Harm, type LineOptions, openLine } from "./line.ts";

export interface World {
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
  readonly service: Service;
  /** Runs a command in two calls; the second one, which carries the code, suffers. */
  readonly run: (line: string, stdin: string | undefined, harms?: readonly Harm[]) => Promise<Ran>;
  readonly stop: () => Promise<void>;
}

/** What goes by clocks of the test: the machine's where they are left out. */
type Clocks = Pick<Options, "now" | "wait" | "ticks">;

/** What a line does beside its harm to writes. */
type More = Pick<LineOptions, "date" | "heard"> & {
  /** What happens to a read. */
  readonly reads?: LineOptions["harm"];
  /** How far the client's clock is ahead of the service's. */
  readonly aheadMs?: number;
};

/** A store with both is made once for each process, and copied: a second factor takes several calls. */
const store = "a card and a bank account";
const made: { card?: string } = {};

/** One that ends with its test: a server looks for due work five times a second as long as it is there. */
export const openWorld: typeof lastingWorld = async (...given) => {
  const world = await lastingWorld(...given);
  onTestFinished(world.stop);
  return world;
};

/** A service of its own with a card and a bank account, behind a line; for whoever stops it. */
export const lastingWorld = async (clocks: Clocks = {}, more: More = {}): Promise<World> => {
  const { aheadMs = 0, reads, ...hooks } = more;
  const isKept = made.card !== undefined && isOfToday(clocks.now);
  const service = await openService(
    freshFolder(),
    clocks.now,
    isKept ? (file) => layKept(store, file) : laySandbox,
  );
  const harms: (Harm | undefined)[] = [];
  const state = { breaks: false, broken: false };
  const line = await openLine({
    ...hooks,
    to: service.baseUrl,
    harm: (passing) => {
      if (state.broken) return "dropBefore";
      if (passing.method === "GET") return reads?.(passing);
      const harm = harms.shift();
      state.broken = state.breaks && harm !== undefined;
      return harm;
    },
  });
  const { now } = clocks;
  const ahead = now && { now: () => new Date(now().getTime() + aheadMs) };
  const msg = shell({ env: envFor(line), ...clocks, ...ahead });
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
  const register = async (): Promise<string> => {
    const added = await run("payment add --input - --confirm 1111", cardJson(visa));
    await run("payment bank add --input - --confirm 8901", accountJson());
    const { paymentId } = v.parse(v.object({ paymentId: v.string() }), added.json());
    await msg(`payment priority ${paymentId} -y`);
    if (isOfToday(clocks.now)) {
      keep(store, service.file);
      made.card = paymentId;
    }
    return paymentId;
  };
  const writes = (): number => line.requests.filter((it) => it.method !== "GET").length;
  return {
    msg,
    card: isKept ? (made.card ?? "") : await register(),
    harms,
    line: state,
    writes,
    last,
    codeNow,
    baseUrl: line.baseUrl,
    service,
    run,
    stop: async () => {
      await line.stop();
      await service.stop();
    },
  };
};

/** The account as it is afterwards, without what differs from world to world. */
export const stateOf = async ({ msg }: World): Promise<unknown> => {
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

/** Files of what is in doubt. */
export const doubtsIn = ({ folder }: Shell): string[] => {
  const path = join(folder, "state", "doubts");
  return existsSync(path) ? readdirSync(path).filter((name) => name.endsWith(".json")) : [];
};

export const charge = ({ card }: World): string =>
  `balance charge 10000 --payment ${card} --confirm 10000`;
