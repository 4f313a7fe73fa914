/** What is about to be sent, on standard error of a terminal (sending.md 3, "Panel"). */
import type { RunFile } from "../../bulk/run-file.ts";
import type { Sample, Samples } from "../../bulk/samples.ts";
import type { Encoding, Format } from "../../bulk/sniff.ts";
import type { Context } from "../../context.ts";
import { tableText } from "../../output/cell.ts";
import { atMost } from "../../output/safe.ts";
import type { View } from "../../output/view.ts";
import type { PlannedRun } from "./plan.ts";

/** Nobody reads it where standard error is no terminal: there the guards decide. */
export const showPanel = async (ctx: Context, made: PlannedRun): Promise<void> => {
  if (!ctx.err.isTTY) return;
  for (const [label, text] of linesOf(ctx, made)) await ctx.note(`${label.padEnd(10)}${text}`);
};

/** Long numbers are read in groups of three. */
const figures = new Intl.NumberFormat("en-US", { maximumFractionDigits: 4 });
const figure = (value: number): string => figures.format(value);

type Line = readonly [label: string, text: string];

const linesOf = ({ view }: Context, made: PlannedRun): Line[] => {
  const { run, money, quota, samples } = made;
  const ceiling = run.maxCost === null ? "" : `, ceiling ${figure(run.maxCost)} won`;
  const cost = run.price === null ? "not known" : `${figure(run.price)} won`;
  return [
    ["profile", `${run.profile}${money === undefined ? "" : `, ${figure(money)} won`}`],
    ["source", sourceWords(made)],
    ["to send", `${figure(run.messages)} (${typeWords(made)})`],
    ...line("as LMS", grownWords(run, samples)),
    ...line("left out", leftOutWords(made)),
    ["cost", `${cost}${ceiling}`],
    ...line(
      "quota",
      quota && `${figure(quota.left)} left of ${figure(quota.daily)} messages a day`,
    ),
    ...line("at", run.scheduledDate && hourIn(view, run.scheduledDate)),
    ...(samples ? sampleLines(samples, run.messages) : []),
  ];
};

const line = (label: string, text: string | undefined): Line[] =>
  text === undefined ? [] : [[label, text]];

/** As a person typed it, or would: by the zone that dates are read in. */
const hourIn = (view: View, at: string): string => `${tableText(view)(at)} ${view.timeZone}`;

const formatWords: Readonly<Record<Format, string>> = {
  csv: "CSV",
  tsv: "TSV",
  json: "JSON",
  jsonl: "JSONL",
};
const encodingWords: Readonly<Record<Encoding, string>> = {
  utf8: "UTF-8",
  cp949: "CP949",
  utf16le: "UTF-16LE",
  utf16be: "UTF-16BE",
};

const sourceWords = ({ run, planned, found }: PlannedRun): string => {
  const { format, encoding } = found;
  const kind = format && encoding ? `, ${formatWords[format]} in ${encodingWords[encoding]}` : "";
  return `${run.source}${kind}, ${counted(planned.total, "row")}`;
};

const counted = (count: number, word: string): string =>
  `${figure(count)} ${word}${count === 1 ? "" : "s"}`;

const typeWords = ({ planned }: PlannedRun): string =>
  [...planned.counts]
    .flatMap(([country, row]) =>
      [...row].map(
        ([type, count]) =>
          `${figure(count)} ${type.toUpperCase()}${country === "82" ? "" : ` to +${country}`}`,
      ),
    )
    .join(", ");

/** Which rows cost more than the others because of their length; nothing where they all do. */
const grownWords = (run: RunFile, samples: Samples | undefined): string | undefined => {
  if (!samples || samples.grownCount === 0 || samples.grownCount === run.messages) return undefined;
  const { grown, grownCount } = samples;
  const more = grownCount - grown.length;
  return `${grownCount === 1 ? "row" : "rows"} ${grown.join(", ")}${more > 0 ? ` and ${figure(more)} more` : ""}: longer than an SMS`;
};

const leftOutWords = ({ planned }: PlannedRun): string | undefined => {
  const { duplicate, excluded } = planned.skipped;
  const reasons = [
    { count: planned.wrong, word: "wrong" },
    { count: duplicate, word: duplicate === 1 ? "duplicate" : "duplicates" },
    { count: excluded, word: "excluded" },
  ].filter((it) => it.count > 0);
  if (reasons.length === 0) return undefined;
  return reasons.map((it) => `${figure(it.count)} ${it.word}`).join(", ");
};

/** The texts as they will be sent, each once. */
const sampleLines = ({ first, longest, shortest }: Samples, messages: number): Line[] => {
  if (messages === 1) return line("text", sampleWords(first));
  const again = (sample: Sample | undefined): string | undefined =>
    sample === first ? "the first" : sampleWords(sample);
  return [
    ...line("first", sampleWords(first)),
    ...line("longest", again(longest)),
    ...line("shortest", again(shortest)),
  ];
};

/** Characters of a text that are shown. */
const mostShown = 300;

const sampleWords = (sample: Sample | undefined): string | undefined => {
  if (sample === undefined) return undefined;
  const { row, message, bytes } = sample;
  const { text, kakaoOptions } = message;
  const content =
    text === undefined || text === ""
      ? `template ${kakaoOptions?.templateId ?? "without a text"}`
      : atMost(text, mostShown);
  return `row ${row} to ${String(message.to)}, ${counted(bytes, "byte")}: ${content}`;
};
