/** What is about to be sent, on standard error of a terminal. */

import type { Template } from "../../contract/kakao-templates.ts";
import { truncate } from "../../errors.ts";
import { bareVariables, fillTemplate } from "../../message/kakao-template.ts";
import { formatFigure, formatWon } from "../../message/price.ts";
import { showTemplate } from "../../output/template-preview.ts";
import { tableText } from "../../output/text/cell.ts";
import type { View } from "../../output/view.ts";
import type { Ports } from "../../ports.ts";
import { priceOf } from "../guards/guards.ts";
import type { PlannedRun } from "../plan/plan-run.ts";
import type { Sample, Samples } from "../plan/samples.ts";
import { messagesOf, recipientOf, rowOutcomeOf } from "../store/row-outcomes.ts";
import type { RunFile } from "../store/run-file.ts";
import type { RunStore } from "../store/run-folder.ts";
import { readState } from "../store/run-state.ts";
import type { Summary } from "../store/summary.ts";

/** Where standard error is no terminal the guards decide. */
export const showPanel = async (ctx: Ports, made: PlannedRun): Promise<void> => {
  await show(ctx, () => planLines(ctx, made));
  const { template, samples } = made;
  const variables = samples?.first?.message.kakaoOptions?.variables ?? {};
  if (template) await showTemplate(ctx, template, bareVariables(variables));
};

const show = async (ctx: Ports, lines: () => readonly Line[]): Promise<void> => {
  if (!ctx.io.err.isTTY) return;
  for (const [label, text] of lines()) await ctx.note(`${label.padEnd(10)}${text}`);
};

/** The same of a run that is gone on with: what was sent of it, and what would be. */
export const showRest = (
  ctx: Ports,
  store: RunStore,
  run: RunFile,
  rest: Summary,
): Promise<void> => {
  return show(ctx, () => restLines(ctx, store, run, rest));
};

/** The same as lines. */
export const restLines = (ctx: Ports, store: RunStore, run: RunFile, rest: Summary): Line[] => {
  const { notSent, accepted, refused, unknown } = rest;
  return [
    ["run", `${run.run}, planned ${tableText(ctx.view)(run.started)}`],
    ["profile", run.profile],
    ["source", run.source],
    ["to send", `${formatFigure(notSent)} of ${formatFigure(run.messages)}`],
    ...line("before", listOf({ accepted, refused, "in doubt": unknown })),
    ["cost", costLine(run, notSent < run.messages ? rest : undefined)],
    ...line("at", run.scheduledDate && hourIn(ctx.view, run.scheduledDate)),
    ...line("pace", describePace(run)),
    ...line("first", describeFirst(store, run)),
  ];
};

export type Line = readonly [label: string, text: string];

/** What the panel says of a planned run. */
export const planLines = ({ view }: Ports, made: PlannedRun): Line[] => {
  const { run, money, quota, samples } = made;
  return [
    ["profile", `${run.profile}${money === undefined ? "" : `, ${formatFigure(money)} won`}`],
    ["source", describeSource(made)],
    ...line("to", made.recipient && `column "${made.recipient}", by its name`),
    ["to send", `${formatFigure(run.messages)} (${describeTypes(made)})`],
    ...line("as LMS", describeGrown(run, samples)),
    ...line("left out", describeSkipped(made)),
    ["cost", `${costLine(run, undefined)}${describeReplaceable(samples)}`],
    ...line(
      "quota",
      quota && `${formatFigure(quota.left)} left of ${formatFigure(quota.daily)} messages a day`,
    ),
    ...line(
      "ceiling",
      run.maxRecipients === undefined ? undefined : counted(run.maxRecipients, "message"),
    ),
    ...line("at", run.scheduledDate && hourIn(view, run.scheduledDate)),
    ...line("canary", describeCanaryOf(run)),
    ...line("pace", describePace(run)),
    ...(samples ? sampleLines(made, samples) : []),
  ];
};

/** What goes out before the rest, and what lets the rest follow. */
const describeCanaryOf = ({ canary, chunks }: RunFile): string | undefined => {
  if (canary === undefined) return undefined;
  const rows = chunks.slice(canary.from, canary.to).reduce((sum, it) => sum + it.rows, 0);
  const whom = canary.isTeam ? " to numbers of your own" : "";
  const then = canary.maxFailed === undefined ? "a question" : `${canary.maxFailed} may fail`;
  return `${counted(rows, "message")}${whom} first, then ${then}`;
};

const costLine = (run: RunFile, rest: Summary | undefined): string => {
  const price = priceOf(run, rest);
  const ceiling = run.maxCost === null ? "" : `, ceiling ${formatFigure(run.maxCost)} won`;
  if (price === null) return `not known${ceiling}`;
  const { fallbackPrice = 0 } = run;
  if (fallbackPrice > 0)
    return `${formatWon(price)}, and up to ${formatWon(fallbackPrice)} for what Kakao cannot deliver${ceiling}`;
  return `${formatFigure(price)} won${rest === undefined ? "" : " at most"}${ceiling}`;
};

const describePace = ({ rate }: RunFile): string | undefined =>
  rate === undefined ? undefined : `at most ${formatFigure(rate)} a second`;

const line = (label: string, text: string | undefined): Line[] =>
  text === undefined ? [] : [[label, text]];

/** As a person typed it, or would: by the zone that dates are read in. */
const hourIn = (view: View, at: string): string => `${tableText(view)(at)} ${view.timeZone}`;

const describeSource = ({ run, planned, found }: PlannedRun): string => {
  const { format, encoding } = found;
  const name = encoding?.toUpperCase().replace("UTF", "UTF-");
  const kind = format && name ? `, ${format.toUpperCase()} in ${name}` : "";
  return `${run.source}${kind}, ${counted(planned.total, "row")}`;
};

const counted = (count: number, word: string): string =>
  `${formatFigure(count)} ${word}${count === 1 ? "" : "s"}`;

const describeTypes = ({ planned }: PlannedRun): string =>
  [...planned.counts]
    .flatMap(([country, row]) =>
      [...row].map(
        ([type, count]) =>
          `${formatFigure(count)} ${type.toUpperCase()}${country === "82" ? "" : ` to +${country}`}`,
      ),
    )
    .join(", ");

/** Which rows cost more than the others because of their length; nothing where they all do. */
const describeGrown = (run: RunFile, samples: Samples | undefined): string | undefined => {
  if (!samples || samples.grownCount === 0 || samples.grownCount === run.messages) return undefined;
  const { grown, grownCount } = samples;
  const more = grownCount - grown.length;
  return `${grownCount === 1 ? "row" : "rows"} ${grown.join(", ")}${more > 0 ? ` and ${formatFigure(more)} more` : ""}: longer than an SMS`;
};

/** Whether others are sent in place of these is not known before. */
const describeReplaceable = (samples: Samples | undefined): string => {
  if (!samples || samples.replaceable === 0) return "";
  return `; more where others go out in place of ${counted(samples.replaceable, "message")} that may fail`;
};

const describeSkipped = ({ planned }: PlannedRun): string | undefined => {
  const { duplicate, excluded } = planned.skipped;
  const duplicates = duplicate === 1 ? "duplicate" : "duplicates";
  return listOf({ wrong: planned.wrong, [duplicates]: duplicate, excluded });
};

/** Nothing where all of them are nothing. */
const listOf = (counts: Readonly<Record<string, number>>): string | undefined => {
  const shown = Object.entries(counts).filter(([, count]) => count > 0);
  return shown.map(([word, count]) => `${formatFigure(count)} ${word}`).join(", ") || undefined;
};

/** The texts as they will be sent, each once. */
const sampleLines = (
  { run, template }: PlannedRun,
  { first, longest, shortest }: Samples,
): Line[] => {
  if (template || run.messages === 1) return line("text", describeSample(first, template));
  const again = (sample: Sample | undefined): string | undefined =>
    sample === first ? "the first" : describeSample(sample);
  return [
    ...line("first", describeSample(first)),
    ...line("longest", again(longest)),
    ...line("shortest", again(shortest)),
  ];
};

/** The first message that would leave; the run itself reports one that cannot be read. */
const describeFirst = (store: RunStore, run: RunFile): string | undefined => {
  const state = readState(store, run);
  const at = [...run.chunks.keys()].find((it) => rowOutcomeOf(state, it).type === "not-sent");
  try {
    const [message] = at === undefined ? [] : messagesOf(store, run, at);
    if (message === undefined) return undefined;
    const text = "text" in message && typeof message.text === "string" ? message.text : undefined;
    return `to ${recipientOf(message)}${text === undefined ? "" : `: ${truncate(text, maxShown)}`}`;
  } catch {
    return undefined;
  }
};

/** Characters of a text that are shown. */
const maxShown = 300;

const describeSample = (
  sample: Sample | undefined,
  template?: Template | undefined,
): string | undefined => {
  if (sample === undefined) return undefined;
  const { row, message, bytes } = sample;
  const { text, kakaoOptions } = message;
  const content =
    text === undefined || text === ""
      ? template
        ? fillTemplate(template, kakaoOptions?.variables ?? {}).text
        : `template ${kakaoOptions?.templateId ?? "without a text"}`
      : truncate(text, maxShown);
  const size = text ? `, ${counted(bytes, "byte")}` : "";
  return `row ${row} to ${String(message.to)}${size}: ${content}`;
};
