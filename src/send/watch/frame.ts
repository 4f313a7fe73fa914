/** What a watched run looks like in a window of any size. Pure. */
import { formatFigure, formatWon } from "../../message/price.ts";
import { statusCodes } from "../../message/status.ts";
import { tableText } from "../../output/text/cell.ts";
import { sanitize } from "../../output/text/safe.ts";
import { styles } from "../../output/text/style.ts";
import { displayWidth, truncateToWidth } from "../../output/text/width.ts";
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

const keys = "q quit  f failures";

/** Lines that fit into the window. */
export const frameOf = (run: string, shown: Shown, { columns, rows, colour }: Window): string[] => {
  const { dim, red } = styles(colour);
  // The last column stays free: behind a full line terminals disagree on where the next one begins.
  const width = Math.max(1, columns - 1);
  const clip = (text: string): string => truncateToWidth(sanitize(text), width);
  const { snapshot, problem } = shown;
  const head = spread(`run ${run} ${snapshot?.state ?? "reading"}`, keys, width).map(clip);
  const trouble = problem === undefined ? [] : [red(clip(`cannot read: ${problem}`))];
  const body = snapshot === undefined ? [] : bodyOf(snapshot, shown, width).map(clip);
  const lines = [...head, ...trouble, "", ...body];
  if (lines.length <= rows) return lines;
  const left = Math.max(0, rows - 1);
  return [...lines.slice(0, left), dim(clip(`… ${lines.length - left} more lines`))];
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
  const rows = isFilling
    ? [["filled", filled, total]]
    : [
        ["sent", accepted, total],
        ["delivered", delivered, accepted],
        ["failed", failed, accepted],
        ["on the way", pending, accepted],
      ];
  const others = [
    ["refused", refused],
    ["unknown", unknown],
    ["not sent", notSent],
    ["skipped", skipped],
  ].filter(([, count]) => count !== 0);
  return [
    ...rows.map(([name, part, whole]) => measure(String(name), Number(part), Number(whole), width)),
    ...others.map(([name, count]) => label(String(name), formatFigure(Number(count)))),
    label("rate", rate === null ? "–" : `${formatFigure(rate)} rows a second`),
    label("time left", secondsLeft === null ? "–" : describeSeconds(secondsLeft)),
    label("cost", cost === null ? "not known" : formatWon(cost)),
    "",
  ];
};

const label = (name: string, text: string): string => `${name.padEnd(11)}${text}`;

/** Widths at which a bar says something, and more would not. */
const bar = { min: 10, max: 60 } as const;

/** `delivered  545 of 593  ██████░░░░  91 %`; without the bar where there is no room for it. */
const measure = (name: string, part: number, whole: number, width: number): string => {
  const share = whole === 0 ? 0 : Math.min(1, part / whole);
  const figures = label(name, `${formatFigure(part)} of ${formatFigure(whole)}`).padEnd(34);
  const percent = `${Math.floor(share * 100)} %`.padStart(6);
  const room = Math.min(bar.max, width - displayWidth(figures) - percent.length - 1);
  if (room < bar.min) return `${figures.trimEnd()}${percent}`;
  const filled = part > 0 ? Math.max(1, Math.floor(share * room)) : 0;
  return `${figures}${"█".repeat(filled)}${"░".repeat(room - filled)} ${percent}`;
};

/** `2 h 5 min`, `3 min 20 s`, `8 s`. */
const describeSeconds = (seconds: number): string => {
  const [hours, minutes, rest] = [seconds / 3600, (seconds / 60) % 60, seconds % 60].map(
    Math.floor,
  );
  if (hours) return `${hours} h ${minutes} min`;
  return minutes ? `${minutes} min ${rest} s` : `${rest} s`;
};

const countOf = (count: number): string => formatFigure(count).padStart(7);

/** Codes on the first screen. */
const maxCodes = 6;

const codeLines = ({ failures }: Snapshot): string[] =>
  failures.length === 0
    ? []
    : [
        "failed with",
        ...failures
          .slice(0, maxCodes)
          .map(({ code, meaning, count }) => `${countOf(count)}  ${code} ${meaning}`),
        ...(failures.length > maxCodes
          ? [`         ${failures.length - maxCodes} more codes: f`]
          : []),
        "",
      ];

/** Failures on the first screen. */
const maxLast = 8;

const lastLines = ({ lastFailures }: Snapshot, view: Shown["view"]): string[] => {
  if (lastFailures.length === 0) return [];
  const shown = tableText(view);
  return [
    "last failures",
    ...lastFailures
      .slice(0, maxLast)
      .map(
        ({ date, to, code, meaning }) => `  ${shown(date).slice(11)}  ${to}  ${code} ${meaning}`,
      ),
  ];
};

const failureLines = ({ failures }: Snapshot): string[] =>
  failures.length === 0
    ? ["no failures"]
    : failures.flatMap(({ code, meaning, count }) => [
        `${countOf(count)}  ${code} ${meaning}`,
        `${" ".repeat(9)}${statusCodes.get(code)?.todo ?? "ask the service"}`,
      ]);
