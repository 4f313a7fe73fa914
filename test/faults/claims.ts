/** What a command claims, held against the books: who contradicts them is found here. */
import * as v from "valibot";
import type { Ended } from "../e2e/program.ts";

const failed = v.object({ error: v.object({ outcome: v.string(), exitCode: v.number() }) });
/** What a run says of its rows. */
export const counted = v.object({
  total: v.number(),
  accepted: v.number(),
  refused: v.number(),
  skipped: v.number(),
  notSent: v.number(),
  unknown: v.number(),
});

export interface Truth {
  /** How often each recipient is in the books now. */
  readonly sent: readonly number[];
  /** Before the command began. */
  readonly before: readonly number[];
}

/** Codes of what was never begun: they speak of this command alone. */
const guarded: readonly (number | null)[] = [2, 7];

/** One sentence for each claim that the books contradict; the command was run with --json. */
export const contradictions = (told: Ended, { sent, before }: Truth): string[] => {
  const reached = sent.filter((it) => it > 0).length;
  const isGuarded = guarded.includes(told.code);
  const here = isGuarded ? sent.filter((it, at) => it !== before[at]).length : reached;
  return [
    ...(sent.some((it) => it > 1) ? [`twice: ${sent}`] : []),
    ...(told.code === 0 && reached < sent.length ? [`exit 0: ${sent}`] : []),
    ...(told.code === 0 && jsonOf(told.out) === undefined ? ["exit 0 without a result"] : []),
    ...(told.code === null || told.code === 1 ? [`exit ${told.code}`] : []),
    ...ofError(told, { here, reached, all: sent.length }),
    ...falseCounts(told.out, reached, sent.length),
  ];
};

/** `here`: what this command reached; an outcome may be that of its run. */
const ofError = (
  { code, err }: Ended,
  { here, reached, all }: { here: number; reached: number; all: number },
): string[] => {
  const parsed = v.safeParse(failed, jsonOf(err.trim().split("\n").at(-1) ?? ""));
  if (code === 0) return [];
  if (!parsed.success) return [`exit ${code} without an error`];
  const { outcome, exitCode } = parsed.output.error;
  const isKept = !/nothing was (sent|changed|done)(?! now)/.test(err) || here === 0;
  const isTrue = [here, reached].some((it) => outcomes[outcome]?.(it, all));
  return [
    ...(isTrue ? [] : [`${outcome}: ${here} of ${all}`]),
    ...(isKept ? [] : [`nothing was sent: ${here} of ${all}`]),
    ...(exitCode === code ? [] : [`exit ${code}, and exitCode ${exitCode}`]),
    ...((code === 11) === (outcome === "unknown") || code === 130
      ? []
      : [`exit ${code}, and ${outcome}`]),
  ];
};

const outcomes: Readonly<Record<string, (reached: number, all: number) => boolean>> = {
  not_sent: (reached) => reached === 0,
  refused: (reached) => reached === 0,
  partial: (reached, all) => reached > 0 && reached < all,
  done: (reached, all) => reached === all,
  unknown: () => true,
};

/** The counts of a run add up, and each is true: what is called accepted is there, what is not sent is not. */
export const falseCounts = (out: string, reached: number, all: number): string[] => {
  const parsed = v.safeParse(counted, jsonOf(out));
  if (!parsed.success) return [];
  const { total, accepted, refused, skipped, notSent, unknown } = parsed.output;
  const text = `${JSON.stringify(parsed.output)}: ${reached} of ${all}`;
  const sum = accepted + refused + skipped + notSent + unknown;
  const isTrue = accepted <= reached && reached <= accepted + unknown;
  return sum === total && total === all && isTrue ? [] : [text];
};

/** What a text holds; undefined where it is no JSON. */
export const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
