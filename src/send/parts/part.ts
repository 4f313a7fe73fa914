/**
 * `--part i/n`, or what a job scheduler says in the environment: which part of a source this worker sends, and
 * which of n workers sends to a recipient.
 */

import { hash } from "node:crypto";
import { exclusive, invalidValue } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import type { Ports } from "../../ports.ts";
import type { RunFlags } from "../start/run-flags.ts";
import type { RunFile } from "../store/run-file.ts";

/** One of several workers on the same source. */
export type Part = Pick<NonNullable<RunFile["part"]>, "index" | "of">;

/** More workers than an account has requests at once. */
export const maxParts = 1_000;

/**
 * Undefined for a whole source, as for the only worker of one. Throws MsgError (usage) for an invalid part,
 * and for flags that cannot be split among workers.
 */
export const readPart = (
  { environment: { env } }: Pick<Ports, "environment">,
  flags: RunFlags,
): Part | undefined => {
  const named = namedPart(env, flags.part);
  if (named === undefined) return undefined;
  const part = parsePart(named.text);
  if (!part) throw noPartError(named);
  if (part.of === 1) return undefined;
  const { direct, tag, canary, canaryTo, planOut, plan } = flags;
  const others = {
    "--direct": direct,
    "--no-tag": tag === false || undefined,
    "--canary": canary,
    "--canary-to": canaryTo,
    "--plan-out": planOut,
    "--plan": plan,
  };
  const other = Object.entries(others).find(([, value]) => value !== undefined && value !== false);
  if (other !== undefined)
    throw exclusive(other[0], named.from, t`nothing was sent; one worker sends it, without a part`);
  return part;
};

interface Named {
  readonly from: string;
  readonly text: string;
}

const namedPart = (
  env: Ports["environment"]["env"],
  flag: string | undefined,
): Named | undefined => {
  const { MSG_PART, MSG_PARTS, JOB_COMPLETION_INDEX: index } = env;
  if (flag !== undefined) return { from: "--part", text: flag };
  if (MSG_PART) return { from: "MSG_PART", text: MSG_PART };
  if (!index && !MSG_PARTS) return undefined;
  if (!MSG_PARTS) throw halfOfPairError("JOB_COMPLETION_INDEX", "MSG_PARTS");
  if (!index) throw halfOfPairError("MSG_PARTS", "JOB_COMPLETION_INDEX");
  const from = `JOB_COMPLETION_INDEX=${index} MSG_PARTS=${MSG_PARTS}`;
  // The index of a job counts from 0.
  return { from, text: `${/^\d{1,4}$/.test(index) ? Number(index) + 1 : index}/${MSG_PARTS}` };
};

/** `3/8`; undefined for a text that names no part. */
const parsePart = (text: string): Part | undefined => {
  const [, first = "", second = ""] = /^(\d{1,4})\/(\d{1,4})$/.exec(text.trim()) ?? [];
  const [index, of] = [Number(first), Number(second)];
  return index >= 1 && index <= of && of <= maxParts ? { index, of } : undefined;
};

const noPartError = ({ from, text }: Named): Error =>
  invalidValue(
    t`${from} names no part of a source: '${text}'`,
    t`nothing was sent; the third of 8 workers has --part 3/8, or MSG_PART=3/8: msg help many-machines`,
  );

const halfOfPairError = (given: string, missing: string): Error =>
  invalidValue(
    t`${given} is set, ${missing} is not: which part to send is not known`,
    t`nothing was sent; set MSG_PARTS to the number of workers of an Indexed Job, or give --part i/n: msg help many-machines`,
  );

/** `3/8`, as groups carry it. */
export const partName = (part: Part | undefined): string | undefined =>
  part && `${part.index}/${part.of}`;

/** The share of a worker in what all of them may do at once, or in one second: at least 1. */
export const shareFor = (whole: number, part: Part | undefined): number =>
  part ? Math.max(Math.min(1, whole), whole / part.of) : whole;

/** Requests at once and rows a second of a run: those it was made with, unless the command line says otherwise. */
export const paceFor = (
  { concurrency, rate, part }: Pick<RunFile, "concurrency" | "rate" | "part">,
  typed: Pick<RunFlags, "concurrency" | "rate">,
) => ({
  concurrency:
    typed.concurrency === undefined ? concurrency : Math.floor(shareFor(typed.concurrency, part)),
  rate: typed.rate === undefined ? rate : shareFor(typed.rate, part),
});

/** What ceilings and consent apply to: the whole source, whatever part of it a run sends. */
export const wholeSource = (run: RunFile): Pick<RunFile, "messages" | "price" | "fallbackPrice"> =>
  run.part ?? run;

/** The most won, with what may go out in place of its messages; undefined if a price is not known. */
export const highestCost = (run: RunFile): number | undefined => {
  const { price, fallbackPrice = 0 } = wholeSource(run);
  return price === null || fallbackPrice === null ? undefined : price + fallbackPrice;
};

/** The worker of a recipient, from 1: `country` and `to` are digits. The hash is the same on every machine. */
export const partOf = (of: number, country: string, to: string): number =>
  (Number.parseInt(hash("sha256", `${country}${to}`).slice(0, 8), 16) % of) + 1;
