/** Puts the sandbox back, and changes how it behaves. */
import type { Input, Reply } from "../../contract/endpoint.ts";
import type { Controls } from "../../contract/sandbox.ts";
import { accountA } from "../fixtures/accounts.ts";
import { reset } from "../fixtures/index.ts";
import { movePurses } from "../rules/purses.ts";
import { Refusal } from "../service.ts";
import type { Bench } from "./bench.ts";
import { durationOf, showClock } from "./clock.ts";

type Status = Reply<Controls["changeSettings"]>;

/** Money, counts and milliseconds stay far below what a number holds exactly. */
const most = 1_000_000_000_000;
/** Business time of a seeded sandbox (sandbox.md 5). */
const seededStart = new Date("2026-01-05T09:00:00.000Z");

export const showStatus = (_input: unknown, bench: Bench): Reply<Controls["showStatus"]> => ({
  ...statusOf(bench),
  load: bench.load() ?? null,
});

const statusOf = (bench: Bench): Status => {
  const { settings } = bench.store;
  return {
    ...showClock({}, bench),
    tickMs: settings.get("tickMs"),
    rateLimit: settings.get("rateLimit"),
    secondFactor: settings.get("secondFactor"),
    seed: settings.get("seed"),
    store: bench.file,
  };
};

export const resetSandbox = (
  { body: { seed } }: Input<Controls["resetSandbox"]>,
  bench: Bench,
): Status => {
  const { store, clock } = bench;
  store.settings.clear();
  if (seed !== undefined) clock.set(seededStart);
  reset(store, { now: clock.read().business, ...(seed !== undefined && { seed }) });
  return statusOf(bench);
};

/** Changes what the body names. Money moves through the ledger, as everywhere. */
export const changeSettings = (
  { body }: Input<Controls["changeSettings"]>,
  bench: Bench,
): Status => {
  const { settings } = bench.store;
  changeAccount(body, bench);
  if (body.tick !== undefined) settings.set("tickMs", whole("tick", durationOf("tick", body.tick)));
  if (body.rateLimit !== undefined) {
    settings.set("rateLimit", whole("rateLimit", body.rateLimit) || null);
  }
  if (body.secondFactor !== undefined) settings.set("secondFactor", body.secondFactor);
  return statusOf(bench);
};

const changeAccount = (
  body: Input<Controls["changeSettings"]>["body"],
  { store, now }: Bench,
): void => {
  const { accountId = accountA, balance, point, quota, sender } = body;
  const account = store.accounts.read(accountId);
  if (account === undefined) throw invalid(`There is no account '${accountId}'.`);
  if (balance !== undefined || point !== undefined) {
    movePurses(store, accountId, {
      type: "MANUAL",
      balance: whole("balance", balance ?? account.balance) - account.balance,
      point: whole("point", point ?? account.point) - account.point,
      at: now.getTime(),
    });
  }
  if (quota !== undefined) store.quotas.set(accountId, whole("quota", quota), now.getTime());
  if (sender === undefined) return;
  const phoneNumber = sender.replaceAll("-", "");
  if (!/^\d{8,12}$/.test(phoneNumber)) throw invalid(`'sender' is no phone number: '${sender}'.`);
  store.callers.addSender({ accountId, phoneNumber });
};

const whole = (name: string, value: number): number => {
  if (Number.isInteger(value) && value >= 0 && value <= most) return value;
  throw invalid(`'${name}' must be a whole number from 0 to ${most}, not ${value}.`);
};

const invalid = (message: string): Refusal => new Refusal(400, "ValidationError", message);
