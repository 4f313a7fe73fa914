/** What is about to be sent, on standard error of a terminal. */

import type { Template } from "../../contract/kakao.ts";
import { quietly } from "../../durable/files.ts";
import { truncate } from "../../errors.ts";
import { memberOf } from "../../json/read-json.ts";
import { t, translated } from "../../locale/locale.ts";
import { bareVariables, fillTemplate } from "../../message/kakao-template.ts";
import {
  formatByteCount,
  formatCost,
  formatFigure,
  formatMessageCount,
  formatReplaceable,
  formatRowCount,
  formatWon,
} from "../../message/price.ts";
import { showTemplate } from "../../output/template-preview.ts";
import { timeText } from "../../output/text/cell.ts";
import { aligned, displayWidth } from "../../output/text/width.ts";
import type { Ports } from "../../ports.ts";
import { findOfSameFile } from "../claims/same-rows.ts";
import { priceOf } from "../guards/run-guard.ts";
import type { PlannedRun } from "../plan/plan-run.ts";
import type { Sample, Samples } from "../plan/samples.ts";
import { standardInput } from "../sources/rows.ts";
import { messagesOf, recipientOf, rowOutcomeOf } from "../store/row-outcomes.ts";
import { canaryRows, type RunFile } from "../store/run-file.ts";
import { type RunStore, storeOf } from "../store/run-folder.ts";
import { readState, type Summary, shownSummary } from "../store/summary.ts";
import { outcomeCounts } from "./ending.ts";

/** If standard error is no terminal, the guards decide; only what no guard refuses is said. */
export const showPanel = async (ctx: Ports, made: PlannedRun): Promise<void> => {
  const before = ctx.io.err.isTTY ? undefined : describeSentBefore(ctx, made.run);
  if (before !== undefined) await ctx.note(before);
  await showLines(ctx, () => planLines(ctx, made));
  const variables = made.samples?.first?.message.kakaoOptions?.variables;
  if (made.template && variables) await showTemplate(ctx, made.template, bareVariables(variables));
};

/** Lines under each other, their texts aligned; none are made if standard error is no terminal. */
export const showLines = async (ctx: Ports, lines: () => readonly Line[]): Promise<void> => {
  if (!ctx.io.err.isTTY) return;
  const shown = lines().map(([label, text]) => [translated(label), text] as const);
  const width = Math.max(10, ...shown.map(([label]) => displayWidth(label) + 2));
  for (const [label, text] of shown) await ctx.note(`${aligned(label, width)}${text}`);
};

/** What the panel says of a resumed run: what was sent of it, and what would be. */
export const remainingLines = (ctx: Ports, run: RunFile, rest: Summary): Line[] => {
  const { notSent, accepted, refused, unknown } = rest;
  return linesWithText([
    ["run", t`${run.run}, planned ${timeText(ctx.view)(run.started)}`],
    ["profile", run.profile],
    ["source", nameOfSource(run)],
    [labels.toSend, t`${formatFigure(notSent)} of ${formatFigure(run.messages)}`],
    ["before", outcomeCounts({ accepted, refused, unknown })],
    ["cost", costLine(run, notSent < run.messages ? rest : undefined)],
    ["at", run.scheduledDate && timeText(ctx.view)(run.scheduledDate)],
    ["pace", describePace(run)],
    ["first", describeFirst(storeOf(ctx), run)],
  ]);
};

/** Labels of two words; each is shown in the language of the operator. */
export const labels = { toSend: "to send", asLms: "as LMS", leftOut: "left out" } as const;

type Line = readonly [label: string, text: string];
type OptionalLine = readonly [label: string, text: string | undefined];

export const linesWithText = (lines: readonly OptionalLine[]): Line[] =>
  lines.flatMap(([label, text]) => (text === undefined ? [] : [[label, text]]));

/** What the panel says of a planned run. */
export const planLines = (ctx: Ports, made: PlannedRun): Line[] => {
  const { view } = ctx;
  const { run, money, quota, samples } = made;
  const { maxRecipients: ceiling } = run;
  return linesWithText([
    ["profile", `${run.profile}${money === undefined ? "" : `, ${formatWon(money)}`}`],
    ["source", describeSource(made)],
    ["to", made.recipient && t`column "${made.recipient}", recognized by its name`],
    ["part", describePart(run)],
    [labels.toSend, describeToSend(made)],
    [labels.asLms, describeGrown(run, samples)],
    [labels.leftOut, describeSkipped(made)],
    ["before", describeSentBefore(ctx, run)],
    ["cost", `${costLine(run, undefined)}${formatReplaceable(samples?.replaceable ?? 0)}`],
    [
      "quota",
      quota && t`${formatFigure(quota.left)} left of ${formatFigure(quota.daily)} messages a day`,
    ],
    ["ceiling", ceiling === undefined ? undefined : formatMessageCount(ceiling)],
    ["at", run.scheduledDate && timeText(view)(run.scheduledDate)],
    ["canary", describeCanaryOf(run)],
    ["pace", describePace(run)],
    ...(samples ? sampleLines(made, samples) : []),
  ]);
};

/** The rows of a file that someone has changed since are other rows: no guard refuses them. */
const describeSentBefore = (ctx: Ports, run: RunFile): string | undefined => {
  const store = storeOf(ctx);
  const isFile = run.source !== standardInput && run.retryOf === undefined;
  const other = isFile ? findOfSameFile(store, run, ctx.clock.now()) : undefined;
  const summary = other && shownSummary(store, other);
  if (!summary || summary.accepted + summary.unknown === 0) return undefined;
  const counts = outcomeCounts(summary) ?? "";
  return t`${counts} in run ${summary.run}, of this file with other rows, another text or another hour; none of them is left out`;
};

const describePart = ({ part }: RunFile): string | undefined =>
  part && t`${part.index} of ${part.of}, of ${formatMessageCount(part.messages)} in all`;

const describeCanaryOf = (run: RunFile): string | undefined => {
  const { canary } = run;
  if (canary === undefined) return undefined;
  const [first, share] = [formatMessageCount(canaryRows(run, canary)), canary.maxFailed];
  if (canary.isTeam)
    return share === undefined
      ? t`${first} to your own numbers first, then a question`
      : t`${first} to your own numbers first; at most ${share} may fail`;
  return share === undefined
    ? t`${first} first, then a question`
    : t`${first} first; at most ${share} may fail`;
};

const costLine = (run: RunFile, rest: Summary | undefined): string => {
  const price = priceOf(run, rest);
  const ceiling = run.maxCost === null ? "" : t`, ceiling ${formatWon(run.maxCost)}`;
  if (price === null) return t`unknown` + ceiling;
  const cost = formatCost(price, run.fallbackPrice);
  return (rest === undefined ? cost : t`at most ${cost}`) + ceiling;
};

const describePace = ({ rate }: RunFile): string | undefined =>
  rate === undefined ? undefined : t`at most ${formatFigure(rate)} a second`;

const describeSource = ({ run, planned, found }: PlannedRun): string => {
  const { format, encoding } = found;
  const name = encoding?.toUpperCase().replace("UTF", "UTF-");
  const kind = format && name ? [t`${format.toUpperCase()} in ${name}`] : [];
  const team = run.canary?.isTeam ? canaryRows(run, run.canary) : 0;
  return [nameOfSource(run), ...kind, formatRowCount(planned.total - team)].join(", ");
};

/** Translates what the run keeps in English. */
const nameOfSource = ({ source }: RunFile): string =>
  source === standardInput ? t`standard input` : source;

/** A part may have none. */
const describeToSend = (made: PlannedRun): string => {
  const count = formatFigure(made.run.messages);
  return made.planned.counts.size === 0 ? count : t`${count} (${describeTypes(made)})`;
};

const describeTypes = ({ planned }: PlannedRun): string =>
  [...planned.counts]
    .flatMap(([country, row]) =>
      [...row].map(([type, count]) =>
        country === "82"
          ? t`${formatFigure(count)} ${type.toUpperCase()}`
          : t`${formatFigure(count)} ${type.toUpperCase()} to +${country}`,
      ),
    )
    .join(", ");

/** Which rows cost more than the others because of their length; nothing if they all do. */
const describeGrown = (run: RunFile, samples: Samples | undefined): string | undefined => {
  if (!samples || samples.grownCount === 0 || samples.grownCount === run.messages) return undefined;
  const { grown, grownRows } = samples;
  const more = grownRows - grown.length;
  const named = grown.join(", ");
  if (more > 0) return t`rows ${named} and ${formatFigure(more)} more: longer than an SMS`;
  if (grownRows > 1) return t`rows ${named}: longer than an SMS`;
  return t`row ${named}: longer than an SMS`;
};

const describeSkipped = ({ planned }: PlannedRun): string | undefined => {
  const { duplicate, excluded } = planned.skipped;
  const parts = [
    planned.wrong > 0 && t`${formatFigure(planned.wrong)} invalid`,
    duplicate === 1 && t`1 duplicate`,
    duplicate > 1 && t`${formatFigure(duplicate)} duplicates`,
    excluded > 0 && t`${formatFigure(excluded)} excluded`,
  ];
  return parts.filter(Boolean).join(", ") || undefined;
};

/** The texts as they will be sent, each once. */
const sampleLines = (
  { run, template }: PlannedRun,
  { first, longest, shortest }: Samples,
): readonly OptionalLine[] => {
  if (template || run.messages === 1) return [["text", describeSample(first, template)]];
  const again = (sample: Sample | undefined): string | undefined =>
    sample === first ? t`same as the first` : describeSample(sample);
  return [
    ["first", describeSample(first)],
    ["longest", again(longest)],
    ["shortest", again(shortest)],
  ];
};

/** The first message that would leave; the run itself reports one that cannot be read. */
const describeFirst = (store: RunStore, run: RunFile): string | undefined => {
  const state = readState(store, run);
  const at = [...run.chunks.keys()].find((it) => rowOutcomeOf(state, it).type === "not-sent");
  const messages = at === undefined ? undefined : quietly(() => messagesOf(store, run, at));
  const [message] = messages ?? [];
  if (message === undefined) return undefined;
  const to = recipientOf(message) ?? "";
  const text = memberOf(message, "text");
  return typeof text === "string" ? t`to ${to}: ${truncate(text, maxShown)}` : t`to ${to}`;
};

/** At most this many characters of a text are shown. */
export const maxShown = 300;

const describeSample = (
  sample: Sample | undefined,
  template?: Template | undefined,
): string | undefined => {
  if (sample === undefined) return undefined;
  const { row, message, bytes } = sample;
  const { text, kakaoOptions } = message;
  const to = String(message.to);
  if (text) return t`row ${row} to ${to}, ${formatByteCount(bytes)}: ${truncate(text, maxShown)}`;
  const content = template
    ? fillTemplate(template, kakaoOptions?.variables ?? {}).text
    : t`template ${kakaoOptions?.templateId ?? "–"}`;
  return t`row ${row} to ${to}: ${content}`;
};
