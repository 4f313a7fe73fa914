/** What must hold: no row twice, no false claim, and an end. */
import * as v from "valibot";
import { partOf } from "../../src/send/parts/part.ts";
import { contradictions, jsonOf } from "../faults/claims.ts";
import type { Ended, Fate } from "./machine.ts";
import type { Stage } from "./operator.ts";
import { hourOf } from "./scenario.ts";

/** A process that ended by itself, and the books before it. */
export interface Claim {
  readonly ended: Ended;
  /** Which of the machines it is, from 0. */
  readonly at: number;
  readonly before: readonly number[];
  readonly fate: Fate | undefined;
  /** A person did something to its groups while it worked. */
  readonly isTouched: boolean;
  /** Reconciling sends nothing. */
  readonly isSending: boolean;
  /** It begins a run, and goes on with none. */
  readonly isNew: boolean;
}

const reported = v.object({
  error: v.object({ code: v.string(), hint: v.nullable(v.string()), exitCode: v.number() }),
});

const counted = v.object({ accepted: v.number(), notSent: v.number() });

/** The error that a process ended with, as it says by itself. */
export const errorOf = ({ err }: Ended): { code: string; hint: string } => {
  const parsed = v.safeParse(reported, jsonOf(err.trim().split("\n").at(-1) ?? ""));
  const { code = "", hint = "" } = parsed.success ? parsed.output.error : {};
  return { code, hint: hint ?? "" };
};

/** One sentence for each claim that the books contradict. */
export const falseClaims = (stage: Stage, claim: Claim): readonly string[] => {
  const sent = stage.sent();
  const { machines, acts, isAgain } = stage.scenario.way;
  // Of what others do at the same time, or a run did whose folder is lost, the counts of one know nothing.
  const isAlone = machines === "one" && acts === undefined && !isAgain;
  const wrong = isAlone
    ? ofOne(claim, sent)
    : ofOthers(claim, ownOf(stage, claim.at, sent), acts !== undefined);
  const { blocked, shortHour } = stage.scenario;
  return [
    // What is reconciled may be one of several runs, and sends nothing.
    ...(isOutdated(stage, claim) ? [] : wrong).filter(
      (it) =>
        (claim.isSending || !/^(exit 0|\{)/.test(it)) &&
        // Of rows that others hold some may have been refused there, or failed at their hour: no retry has them all.
        !(blocked && /^exit 7/.test(it)) &&
        !(shortHour && /^exit 0/.test(it)),
    ),
    ...(stage.twice() ? [`twice: ${sent}`] : []),
    ...ofWay(stage, claim),
  ];
};

/** What was scheduled is only known to wait for its hour until a person takes it off: a look shows it. */
const isOutdated = (
  { scenario, byHand }: Stage,
  { isTouched, isSending, ended }: Claim,
): boolean => {
  const isLook = !isSending && ended.code === 0;
  return isTouched || (byHand.count > 0 && scenario.way.isLater && !isLook);
};

const ofOne = ({ ended, before, isNew }: Claim, sent: readonly number[]): readonly string[] => {
  // Of the run's folder, not of what was sent.
  const err = ended.err.replaceAll("nothing was changed in the run's folder", "");
  const once = (counts: readonly number[]): number[] => counts.map((it) => Math.min(it, 1));
  // A run that was never planned speaks of itself alone, unless another one has its rows.
  const isUnplanned = isNew && ended.code !== 7 && ended.out === "";
  const here = isUnplanned ? sent.map((it, at) => it - (before[at] ?? 0)) : sent;
  // Meanwhile a request of the run that has the rows may have arrived.
  const was = errorOf(ended).code === "SentBefore" ? here : before;
  return contradictions({ ...ended, err }, { sent: once(here), before: once(was) });
};

/** Of a machine that has a part of its own nobody else sends the rows. */
const ownOf = ({ scenario, numbers }: Stage, at: number, sent: readonly number[]) => {
  const of = scenario.machines.length;
  return scenario.way.hasParts
    ? sent.filter((_, row) => partOf(of, "82", numbers[row] ?? "") === at + 1)
    : sent;
};

const ofOthers = (
  { ended }: Claim,
  sent: readonly number[],
  isByHand: boolean,
): readonly string[] => {
  const reached = sent.filter((it) => it > 0).length;
  const { code, out } = ended;
  const summary = v.safeParse(counted, jsonOf(out));
  const { accepted, notSent } = summary.success ? summary.output : { accepted: 0, notSent: 0 };
  // A run is over, too, when a person has deleted what was left of it.
  const isOver = code === 0 && !(isByHand && notSent > 0);
  const isAll = isOver || (code === 7 && isSentElsewhere(ended));
  return [
    ...(isAll && reached < sent.length ? [`exit ${code}: ${sent}`] : []),
    ...(code === null || code === 1 ? [`exit ${code}`] : []),
    ...(accepted > reached ? [`accepted ${accepted}: ${sent}`] : []),
  ];
};

/** What can be wrong where all counts are right. */
const ofWay = ({ scenario, world }: Stage, { ended, fate, at }: Claim): readonly string[] => {
  const { code } = errorOf(ended);
  // A copy of an add that comes with a token is performed: such a group is rightly said to be touched.
  const isTouched = code === "GroupTouched" && scenario.tokenMs === undefined;
  const hour = new Date(world.beganMs + hourOf(scenario, at)).toISOString();
  const isOfAnother = isTouched || (isSentElsewhere(ended) && !ended.err.includes(hour));
  return [
    ...(scenario.way.hasHours && isOfAnother ? [`${code}, of another hour`] : []),
    ...(code === "LeaseLost" && fate?.is !== "pause" ? ["its lease was taken while it lived"] : []),
  ];
};

/** All of the rows are in groups of others. */
const isSentElsewhere = ({ err }: Ended): boolean =>
  errorOf({ code: 7, out: "", err }).code === "SentBefore" &&
  /same rows (were sent|are scheduled)/.test(err);
