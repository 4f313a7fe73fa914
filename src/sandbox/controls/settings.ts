/** Puts the sandbox back, and changes how it behaves. */
import { readDuration } from "../../contract/durations.ts";
import type { Input, Reply } from "../../contract/endpoint.ts";
import type { Controls } from "../../contract/sandbox.ts";
import { accountA } from "../fixtures/accounts.ts";
import { reset } from "../fixtures/index.ts";
import { movePurses } from "../rules/purses.ts";
import { Refusal } from "../service.ts";
import type { Bench } from "./bench.ts";
import { showClock } from "./clock.ts";
import { written } from "./written.ts";

type Status = Reply<Controls["changeSettings"]>;

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
  // Not read off the clock, which has gone on since: the same seed makes the same ids.
  const now = seed === undefined ? clock.read().business : seededStart;
  reset(store, { now, ...(seed !== undefined && { seed }) });
  return statusOf(bench);
};

/** Changes what the body names. Money moves through the ledger, as everywhere. */
export const changeSettings = (
  { body }: Input<Controls["changeSettings"]>,
  bench: Bench,
): Status => {
  const { settings } = bench.store;
  changeAccount(body, bench);
  if (body.tick !== undefined) settings.set("tickMs", written(readDuration, body.tick));
  if (body.rateLimit !== undefined) settings.set("rateLimit", body.rateLimit || null);
  if (body.secondFactor !== undefined) settings.set("secondFactor", body.secondFactor);
  return statusOf(bench);
};

const changeAccount = (
  body: Input<Controls["changeSettings"]>["body"],
  { store, now }: Bench,
): void => {
  const { accountId = accountA, balance, point, quota, sender } = body;
  const account = store.accounts.read(accountId);
  if (account === undefined)
    throw new Refusal(400, "ValidationError", `There is no account '${accountId}'.`);
  const moved = {
    balance: (balance ?? account.balance) - account.balance,
    point: (point ?? account.point) - account.point,
  };
  if (moved.balance !== 0 || moved.point !== 0)
    movePurses(store, accountId, { type: "MANUAL", ...moved, at: now.getTime() });
  if (quota !== undefined) store.quotas.set(accountId, quota, now.getTime());
  if (sender !== undefined)
    store.callers.addSender({ accountId, phoneNumber: sender.replaceAll("-", "") });
};
