/** What must hold: no row twice, no false claim, and an end. */
import * as v from "valibot";
import { contradictions } from "../faults/claims.ts";
import type { Ended } from "./machine.ts";
import type { Way } from "./scenario.ts";

/** A process that ended by itself, and the books before and behind it. */
export interface Claim {
  readonly ended: Ended;
  readonly before: readonly number[];
}

const reported = v.object({
  error: v.object({ code: v.string(), hint: v.nullable(v.string()), exitCode: v.number() }),
});

const counted = v.object({ total: v.number(), accepted: v.number(), unknown: v.number() });

/** The error that a process ended with, as it says by itself. */
export const errorOf = ({ err }: Ended): { code: string; hint: string } => {
  const parsed = v.safeParse(reported, jsonOf(err.trim().split("\n").at(-1) ?? ""));
  const { code = "", hint = "" } = parsed.success ? parsed.output.error : {};
  return { code, hint: hint ?? "" };
};

/** One sentence for each claim that the books contradict. */
export const falseClaims = (
  { machines }: Way,
  { ended, before }: Claim,
  sent: readonly number[],
): readonly string[] => {
  // Of the run's folder, not of what was sent.
  const err = ended.err.replaceAll("nothing was changed in the run's folder", "");
  if (machines === "one") return contradictions({ ...ended, err }, { sent, before });
  const reached = sent.filter((it) => it > 0).length;
  const { code, out } = ended;
  const summary = v.safeParse(counted, jsonOf(out));
  const accepted = summary.success ? summary.output.accepted : 0;
  const isAll = code === 0 || (code === 7 && isSentElsewhere(ended));
  return [
    ...(sent.some((it) => it > 1) ? [`twice: ${sent}`] : []),
    ...(isAll && reached < sent.length ? [`exit ${code}: ${sent}`] : []),
    ...(code === null || code === 1 ? [`exit ${code}`] : []),
    ...(accepted > reached ? [`accepted ${accepted}: ${sent}`] : []),
  ];
};

/** All of the rows are in groups of others. */
const isSentElsewhere = ({ err }: Ended): boolean =>
  errorOf({ code: 7, out: "", err }).code === "SentBefore" &&
  /same rows (were sent|are scheduled)/.test(err);

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
