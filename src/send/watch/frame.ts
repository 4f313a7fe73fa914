/** What a watched run looks like in a window of any size. Pure. */
import { t, translated } from "../../locale/locale.ts";
import { formatFigure, formatWon } from "../../message/price.ts";
import { statusTodo } from "../../message/status.ts";
import { tableText } from "../../output/text/cell.ts";
import { sanitize } from "../../output/text/safe.ts";
import { styles } from "../../output/text/style.ts";
import {
  aligned,
  displayWidth,
  drawBar,
  formatSeconds,
  formatShare,
  truncateToWidth,
} from "../../output/text/width.ts";
import type { View } from "../../output/view.ts";
import type { Snapshot } from "./reader.ts";

export interface Window {
  readonly columns: number;
  readonly rows: number;
  readonly colour: boolean;
}

export interface Shown {
  /** Undefined until the first answer. */
  readonly snapshot: Snapshot | undefined;
  /** Why the last look at the service brought nothing. */
  readonly problem: string | undefined;
  /** The list of failures alone. */
  readonly isFailures: boolean;
  readonly view: Pick<View, "timeZone">;
}

/** Lines that fit into the window. */
export const frameOf = (run: string, shown: Shown, { columns, rows, colour }: Window): string[] => {
  const { dim, red } = styles(colour);
  // The last column stays free: behind a full line terminals disagree on where the next one begins.
  const width = Math.max(1, columns - 1);
  const clip = (text: string): string => truncateToWidth(sanitize(text), width);
  const { snapshot, problem } = shown;
  const state = translated(snapshot?.state ?? "reading");
  const keys = shown.isFailures ? t`q quit  f overview` : t`q quit  f failures`;
  const head = spread(t`run ${run} ${state}`, keys, width).map(clip);
  const trouble = problem === undefined ? [] : [red(clip(t`cannot read: ${problem}`))];
  const body = snapshot === undefined ? [] : bodyOf(snapshot, shown, width).map(clip);
  const lines = [...head, ...trouble, "", ...body];
  if (lines.length <= rows) return lines;
  const left = Math.max(0, rows - 1);
  return [...lines.slice(0, left), dim(clip(t`… ${lines.length - left} more lines`))];
};

/** Both on one line where they fit, else one below the other. */
const spread = (left: string, right: string, width: number): string[] => {
  const gap = width - displayWidth(left) - displayWidth(right);
  return gap < 2 ? [left, right] : [left + " ".repeat(gap) + right];
};

const bodyOf = (snapshot: Snapshot, shown: Shown, width: number): string[] =>
  shown.isFailures
    ? failureLines(snapshot)
    : [...figureLines(snapshot, width), ...codeLines(snapshot), ...lastLines(snapshot, shown.view)];

const figureLines = (snapshot: Snapshot, width: number): string[] => {
  const { total, filled, accepted, delivered, failed, pending, refused } = snapshot;
  const { unknown, notSent, skipped, rate, secondsLeft, cost } = snapshot;
  const isFilling = accepted === 0 && filled > 0;
  const rows: readonly Measured[] = isFilling
    ? [[t`filled`, filled, total]]
    : [
        [t`sent`, accepted, total],
        [t`delivered`, delivered, accepted],
        [t`failed`, failed, accepted],
        [t`on the way`, pending, accepted],
      ];
  const others: readonly (readonly [name: string, count: number])[] = [
    [t`refused`, refused],
    [t`unknown`, unknown],
    [t`not sent`, notSent],
    [t`skipped`, skipped],
  ];
  return [
    ...rows.map((row) => measure(row, width)),
    ...others.flatMap(([name, count]) => (count === 0 ? [] : [label(name, formatFigure(count))])),
    label(t`rate`, rate === null ? "–" : t`${formatFigure(rate)} rows a second`),
    label(t`time left`, secondsLeft === null ? "–" : formatSeconds(secondsLeft)),
    label(t`cost`, cost === null ? t`unknown` : formatWon(cost)),
    "",
  ];
};

type Measured = readonly [name: string, part: number, whole: number];

const label = (name: string, text: string): string => `${aligned(name, 11)}${text}`;

/** Widths at which a bar says something, and more would not. */
const bar = { min: 10, max: 60 } as const;

/** `delivered  545 of 593  ██████░░░░  91 %`; without the bar where there is no room for it. */
const measure = ([name, part, whole]: Measured, width: number): string => {
  const share = whole === 0 ? 0 : Math.min(1, part / whole);
  const text = label(name, t`${formatFigure(part)} of ${formatFigure(whole)}`);
  const figures = aligned(text, Math.max(34, displayWidth(text) + 1));
  const percent = formatShare(share).padStart(6);
  const room = Math.min(bar.max, width - displayWidth(figures) - percent.length - 1);
  if (room < bar.min) return `${figures.trimEnd()}${percent}`;
  return `${figures}${drawBar(share, room)} ${percent}`;
};

const countOf = (count: number): string => formatFigure(count).padStart(7);

/** Codes on the first screen. */
const maxCodes = 6;

const codeLines = ({ failures }: Snapshot): string[] =>
  failures.length === 0
    ? []
    : [
        t`failed with`,
        ...failures
          .slice(0, maxCodes)
          .map(({ code, meaning, count }) => `${countOf(count)}  ${code} ${meaning}`),
        ...(failures.length > maxCodes
          ? [`         ${t`${failures.length - maxCodes} more codes: f`}`]
          : []),
        "",
      ];

/** Failures on the first screen. */
const maxLast = 8;

const lastLines = ({ lastFailures }: Snapshot, view: Shown["view"]): string[] => {
  if (lastFailures.length === 0) return [];
  const shown = tableText(view);
  return [
    t`last failures`,
    ...lastFailures
      .slice(0, maxLast)
      .map(
        ({ date, to, code, meaning }) => `  ${shown(date).slice(11)}  ${to}  ${code} ${meaning}`,
      ),
  ];
};

const failureLines = ({ failures }: Snapshot): string[] =>
  failures.length === 0
    ? [t`no failures`]
    : failures.flatMap(({ code, meaning, count }) => [
        `${countOf(count)}  ${code} ${meaning}`,
        `${" ".repeat(9)}${statusTodo(code)}`,
      ]);
