/** Rows of a source that are not sent: kept in the run's folder (`results.jsonl`), and reported. */

import type { MessageInput } from "../../contract/message-records.ts";
import { linesOf } from "../../durable/files.ts";
import { MsgError, type Problem, usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { findLostCharacter } from "../../message/characters.ts";
import { formatFigure, formatRowCount } from "../../message/price.ts";
import { detectType, isKakaoType } from "../../message/type.ts";
import type { Ports } from "../../ports.ts";
import { showReading } from "../report/progress.ts";
import type { MessageFlags } from "../single/message.ts";
import { createJsonLines, type JsonLines } from "../store/json-lines.ts";
import { fileOf, type RunStore } from "../store/run-folder.ts";

/** Makes the file with the first row: most runs leave none out. */
const createSkippedRows = (store: RunStore, run: string) => {
  const open: { lines?: JsonLines; last?: number | undefined } = {};
  return {
    /** Of several problems of one row the first counts. */
    add: (skipped: SkippedRow): void => {
      const isProblem = !("reason" in skipped);
      if (isProblem && skipped.row !== undefined && skipped.row === open.last) return;
      open.last = isProblem ? skipped.row : undefined;
      open.lines ??= createJsonLines(store.files, fileOf(store, run, "results.jsonl"));
      open.lines.add(rowOf(skipped));
    },
    end: (): void => {
      open.lines?.end();
      open.lines?.close();
    },
  };
};

/** One row, for scripts; its code is `duplicate`, `excluded`, or that of its first problem. */
const rowOf = (skipped: SkippedRow) => {
  if ("reason" in skipped) {
    const { row, line, to, reason } = skipped;
    return { row, line, to, status: "skipped", code: reason };
  }
  const { row = null, line, code, field, text } = skipped;
  return { row, line, status: "skipped", code, text: field ? `${field}: ${text}` : text };
};

/** What was left out of a run. */
export function* readSkippedRows(store: RunStore, run: string): Generator<unknown> {
  const path = fileOf(store, run, "results.jsonl");
  if (!store.files.lstat(path)) return;
  for (const { line } of linesOf(store.files, path)) yield JSON.parse(line.toString("utf8"));
}

/** A row that is right and is not sent all the same. */
export interface SkippedMessage {
  readonly row: number;
  readonly line: number;
  readonly to: string;
  readonly reason: "duplicate" | "excluded";
}

/** A row that is not sent: left out with a reason, or wrong. */
export type SkippedRow = SkippedMessage | Problem;

/** Rows that are reported one by one; results.jsonl and --json have them all. */
const maxReported = 10;

export const createRowReporter = (note: (line: string) => void) => {
  let count = 0;
  return {
    report: (row: SkippedRow): void => {
      count += 1;
      if (count <= maxReported) note(describeSkipped(row));
    },
    /** How many there were beside those that were reported. */
    end: (): void => {
      const more = count - maxReported;
      if (more === 1) note(t`… and 1 more skipped row`);
      if (more > 1) note(t`… and ${formatFigure(more)} more skipped rows`);
    },
  };
};

const describeSkipped = (row: SkippedRow): string => {
  if (!("reason" in row)) return t`skipped row ${row.row ?? "?"}: ${row.text} (${row.code})`;
  return row.reason === "duplicate"
    ? t`skipped row ${row.row}: duplicate recipient ${row.to}`
    : t`skipped row ${row.row}: excluded recipient ${row.to}`;
};

/** Of a variable whose value is blank. */
export const emptyCode = "EmptyVariable";

/** Exit 2, with what is wrong with each row. */
export const wrongRowsError = (
  { wrong, total, problems }: { wrong: number; total: number; problems: readonly Problem[] },
  flags: MessageFlags,
): MsgError => {
  const isEmpty = problems.some(({ code }) => code === emptyCode);
  // An empty value is the row's, not that of the flag that asks for it.
  const flag = wrong === total && !isEmpty ? flagFor(problems, flags) : undefined;
  return usageError(t`${formatFigure(wrong)} of ${formatRowCount(total)} cannot be sent`, {
    code: "InvalidRows",
    todo: flag === undefined ? fixRows(isEmpty) : t`nothing was sent; ${flag}`,
    details: problems,
  });
};

const fixRows = (isEmpty: boolean): string =>
  isEmpty
    ? t`nothing was sent; fix the rows, or skip them with --on-invalid skip; --allow-empty sends them as they are`
    : t`nothing was sent; fix the rows, or skip them with --on-invalid skip`;

/** Members that rows may leave to a flag: wrong in every row when the flag is. */
const flagOfMember: ReadonlyMap<string, keyof MessageFlags> = new Map([
  ["from", "from"],
  ["text", "text"],
  ["type", "type"],
  ["country", "country"],
  ["subject", "subject"],
  ["imageId", "image"],
] as const);

/** Where every row is wrong in the same way the command is wrong, not the rows. */
const flagFor = (problems: readonly Problem[], flags: MessageFlags): string | undefined => {
  const [first] = problems;
  const isSame = problems.every((it) => it.field === first?.field && it.code === first?.code);
  const flag = flagOfMember.get(first?.field ?? "");
  if (!isSame || flag === undefined) return undefined;
  if (flags[flag] !== undefined) return t`fix --${flag}`;
  return first?.code === "1010" ? t`set it for every row with --${flag}` : undefined;
};

/** The first of them in a message; Kakao shows all of them. */
export const findLost = (message: MessageInput): string | undefined => {
  const lost = findLostCharacter(`${message.subject ?? ""}${message.text ?? ""}`);
  return lost === undefined || isKakaoType(detectType(message)) ? undefined : lost;
};

/** Warns once, for all rows of a source: of the text that they share, or of the first row. */
const createLostReporter = (ctx: Ports, shared: string | undefined) => {
  const inShared = shared === undefined ? undefined : findLostCharacter(shared);
  const found: { rows: number; first?: string } = { rows: 0 };
  return {
    add: (row: number, character: string): void => {
      found.rows += 1;
      found.first ??= t`"${character}" in row ${row}`;
    },
    report: async (): Promise<void> => {
      if (inShared !== undefined) await ctx.note(lostText(t`"${inShared}" in the text`));
      else if (found.first !== undefined)
        await ctx.note(
          lostText(
            found.rows > 1 ? t`${found.first}, ${formatRowCount(found.rows)} in all` : found.first,
          ),
        );
    },
  };
};

/** `"😀" in row 3: a phone may not show it`. */
export const lostText = (what: string): string =>
  t`${what}: a phone may not show it; --strict refuses such characters`;

interface ReadingFlags extends MessageFlags {
  readonly onInvalid?: "stop" | "skip" | undefined;
}

export const watchRows = (
  ctx: Ports,
  store: RunStore,
  run: string,
  flags: ReadingFlags,
  name: string,
) => {
  const reading = showReading(ctx);
  const skipped = createSkippedRows(store, run);
  const reporter = createRowReporter(reading.note);
  const lost = createLostReporter(ctx, flags.text);
  const taken: { recipient?: string } = {};
  return {
    callbacks: {
      onSkipped: (row: SkippedRow): void => {
        skipped.add(row);
        if (isSkipped(row, flags)) reporter.report(row);
      },
      onProgress: (count: number): void => {
        if (ctx.signal.aborted) throw stopped(name, count);
        reading.show(count);
      },
      onLost: lost.add,
      onRecipient: (recipient: string): void => void Object.assign(taken, { recipient }),
    },
    end: (): void => {
      reporter.end();
      reading.end();
      skipped.end();
    },
    report: async () => {
      await lost.report();
      const { recipient } = taken;
      if (recipient !== undefined && !ctx.io.err.isTTY)
        await ctx.note(t`using column "${recipient}" as the recipient ("to")`);
      return { recipient };
    },
  };
};

/** Wrong rows that stop the run are in its error. */
const isSkipped = (row: SkippedRow, { onInvalid }: ReadingFlags): boolean =>
  "reason" in row || onInvalid === "skip";

/** A big source takes a while, and may be stopped before its end. */
const stopped = (name: string, rows: number): MsgError =>
  new MsgError("interrupted", t`stopped while reading ${name}, after ${formatRowCount(rows)}`, {
    todo: t`nothing was sent or kept; run it again`,
  });
