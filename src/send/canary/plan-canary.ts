/** Plans a canary: its flags and its rows, the first of the list or its first texts once more, to own numbers. */

import * as v from "valibot";
import { readDuration } from "../../config/settings.ts";
import { type MessageInput, messageInput } from "../../contract/message-records.ts";
import { exclusive, invalidValue, type MsgError, usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { formatFigure } from "../../message/price.ts";
import type { Ports } from "../../ports.ts";
import { readNumbers } from "../messages/number-list.ts";
import type { RunFlags } from "../start/run-flags.ts";
import type { Canary, PlannedChunk } from "../store/run-file.ts";

export type CanaryFlags = Pick<
  RunFlags,
  "canary" | "canaryTo" | "canaryWithin" | "canaryMaxFailed"
>;

/** As long as a carrier usually takes. */
const defaultWithinMs = 10 * 60_000;

/** Throws MsgError (usage) for flags that contradict each other, and for a canary that no one would judge. */
export const checkCanary = (ctx: Ports, flags: RunFlags): void => {
  const { canary, canaryTo, canaryWithin, canaryMaxFailed, direct, at, resume, plan } = flags;
  if (canaryWithin !== undefined) readDuration(canaryWithin, "--canary-within");
  if (canaryMaxFailed !== undefined) shareOf(canaryMaxFailed);
  if (canary !== undefined && canaryTo !== undefined)
    throw exclusive("--canary", "--canary-to", t`nothing was sent; ${t`use one of them`}`);
  const isWanted = (canary ?? canaryTo) !== undefined;
  if (isWanted && (direct || at !== undefined))
    throw exclusive(
      direct ? "--direct" : "--at",
      canaryTo === undefined ? "--canary" : "--canary-to",
      t`nothing was sent; ${t`a canary is a group that is sent now`}`,
    );
  const isOfRun = resume !== undefined || plan !== undefined;
  if (!isWanted && !isOfRun && (canaryWithin ?? canaryMaxFailed) !== undefined)
    throw usageError(t`--canary-within and --canary-max-failed need --canary or --canary-to`, {
      todo: t`nothing was sent; ${t`add --canary <n> or --canary-to <file>`}`,
    });
  const isSent = !flags.planOut && !flags.estimate && !ctx.consent.dryRun;
  const undecidable = isWanted && isSent ? undecidableError(ctx, canaryMaxFailed) : undefined;
  if (undecidable) throw undecidable;
};

/** The error (usage) if neither a person nor a limit can decide whether the rest is sent. */
export const undecidableError = (
  { ask }: Ports,
  maxFailed: string | undefined,
): MsgError | undefined => {
  if (ask || maxFailed !== undefined) return undefined;
  return usageError(t`a canary asks before sending the rest, and there is no terminal to ask on`, {
    code: "ConfirmationNeeded",
    todo: ({ nothing = t`nothing was sent` }) =>
      t`${nothing}; ${t`--canary-max-failed 5% sends the rest without a question when no more than that fail`}`,
  });
};

/** What run.json keeps of it. */
export const plannedCanary = (
  flags: CanaryFlags,
  chunks: ReturnType<typeof canaryChunks>,
): Canary =>
  overrideCanary(
    { ...chunks, isTeam: flags.canaryTo !== undefined, withinMs: defaultWithinMs },
    flags,
  );

/** The same with the flags of this command line. */
export const overrideCanary = (canary: Canary, flags: CanaryFlags): Canary => ({
  ...canary,
  ...(flags.canaryWithin !== undefined && {
    withinMs: readDuration(flags.canaryWithin, "--canary-within"),
  }),
  ...(flags.canaryMaxFailed !== undefined && { maxFailed: flags.canaryMaxFailed }),
});

/** How many of `messages` may fail: `5%`, or a number of messages. Throws MsgError (usage). */
export const maxFailedOf = (typed: string, messages: number): number => {
  const { figure, isShare } = shareOf(typed);
  return isShare ? (messages * figure) / 100 : figure;
};

const shareOf = (typed: string): { readonly figure: number; readonly isShare: boolean } => {
  const [, digits, percent] = /^(\d{1,6}(?:\.\d{1,3})?)(%?)$/.exec(typed.trim()) ?? [];
  const figure = Number(digits);
  const isShare = percent === "%";
  if (digits !== undefined && (isShare ? figure <= 100 : Number.isInteger(figure)))
    return { figure, isShare };
  throw invalidValue(
    t`--canary-max-failed: '${typed}' is neither a share nor a number of messages`,
    t`nothing was sent; write it like 5% or 2`,
  );
};

/** One of the two. */
export interface CanaryRows {
  readonly rows?: number | undefined;
  readonly team?: readonly string[] | undefined;
}

/** At most this many own numbers: people look at a canary. */
const maxTeam = 1_000;

/** Undefined if a run is sent all at once. */
export const readCanary = async (ctx: Ports, flags: RunFlags): Promise<CanaryRows | undefined> => {
  const { canary: rows, canaryTo, fixLeadingZero } = flags;
  if (canaryTo !== undefined) return { team: await readTeam(ctx, canaryTo, fixLeadingZero) };
  return rows === undefined ? undefined : { rows };
};

/** The numbers of `--canary-to`, each once. Throws MsgError (usage). */
const readTeam = async (
  ctx: Ports,
  file: string,
  fixLeadingZero: boolean | undefined,
): Promise<readonly string[]> => {
  const numbers = [...(await readNumbers(ctx.io.read(file), file, fixLeadingZero))];
  const wrong = (what: string) =>
    usageError(`--canary-to: ${what}`, {
      code: "InvalidRows",
      where: file,
      todo: t`nothing was sent`,
    });
  if (numbers.length === 0) throw wrong(t`the file has no numbers`);
  if (numbers.length > maxTeam) throw wrong(t`takes at most ${formatFigure(maxTeam)} numbers`);
  const abroad = numbers.find((it) => !/^\d+$/.test(it));
  if (abroad !== undefined) throw wrong(t`${abroad} is not a number of this country`);
  return numbers;
};

/** The first texts, one for each number; starts over if there are fewer. `kept`: these messages as JSON. */
export const teamMessages = (
  canary: CanaryRows | undefined,
  kept: readonly string[],
): readonly MessageInput[] =>
  (canary?.team ?? []).flatMap((to, at) => {
    const json = kept[at % Math.max(1, kept.length)];
    if (json === undefined) return [];
    const { country: _, ...message } = v.parse(messageInput, JSON.parse(json));
    return [{ ...message, to }];
  });

/** The bodies of a canary: the first ones, or those after the list, which has `listed`. */
export const canaryChunks = (
  { rows = 0, team }: CanaryRows,
  chunks: readonly PlannedChunk[],
  listed: number,
) => {
  if (team) return { from: listed, to: chunks.length };
  let to = 0;
  for (let sum = 0; to < chunks.length && sum < rows; to += 1) sum += chunks[to]?.rows ?? 0;
  return { from: 0, to };
};
