/** Keeps and reports rows of a source while they are read: those that are not sent, and those to warn of. */

import type { MessageInput } from "../../contract/message-records.ts";
import { linesOf } from "../../durable/files.ts";
import { createJsonLines, type JsonLines } from "../../durable/new-file.ts";
import { MsgError, type Problem, usageError } from "../../errors.ts";
import { tryJson } from "../../json/read-json.ts";
import { joinSentences, t } from "../../locale/locale.ts";
import { findLostCharacter } from "../../message/characters.ts";
import { formatFigure, formatRowCount } from "../../message/price.ts";
import { detectType, isKakaoType } from "../../message/type.ts";
import type { Ports } from "../../ports.ts";
import type { MessageFlags } from "../messages/message-flags.ts";
import type { SkipReason } from "../messages/skip-rules.ts";
import { showReading } from "../report/progress.ts";
import { fileOf, type RunStore, storeOf } from "../store/run-folder.ts";

/** A correct row that is not sent. */
export interface SkippedMessage {
  readonly row: number;
  readonly line: number;
  readonly to: string;
  readonly reason: SkipReason;
}

/** A row that is not sent: left out with a reason, or wrong. */
export type SkippedRow = SkippedMessage | Problem;

/** What was left out of a run, as its folder keeps it in `results.jsonl`: one line of JSON each. */
export function* skippedLines(store: RunStore, run: string): Generator<Buffer> {
  const path = fileOf(store, run, "results.jsonl");
  if (!store.files.lstat(path)) return;
  for (const { line } of linesOf(store.files, path)) yield line;
}

/** The same as records. Throws MsgError (usage) for one that is damaged. */
export function* readSkippedRows(store: RunStore, run: string): Generator<unknown> {
  for (const line of skippedLines(store, run)) {
    const row = tryJson(line.toString("utf8"));
    if (row === undefined) throw damagedError(store, run);
    yield row;
  }
}

const damagedError = (store: RunStore, run: string): MsgError =>
  usageError(t`the list of rows that run ${run} skipped is damaged`, {
    code: "SkippedDamaged",
    where: fileOf(store, run, "results.jsonl"),
    todo: t`restore it from a copy; rows of any other --status are exported without it`,
  });

/** Callbacks for a reader of rows; call `end` after the last row, then `report` for what concerns all of them. */
export const watchRows = (
  ctx: Ports,
  run: string,
  flags: MessageFlags & { readonly onInvalid?: "stop" | "skip" | undefined },
  name: string,
) => {
  const reading = showReading(ctx);
  const skipped = createSkippedRows(storeOf(ctx), run);
  const reporter = createRowReporter(reading.note);
  const lost = createLostReporter(ctx, flags.text);
  let recipient: string | undefined;
  return {
    callbacks: {
      onSkipped: (row: SkippedRow): void => {
        skipped.add(row);
        // Wrong rows that stop the run are in its error.
        if ("reason" in row || flags.onInvalid === "skip") reporter.report(row);
      },
      onProgress: (count: number): void => {
        if (ctx.signal.aborted) throw interruptedError(name, count);
        reading.show(count);
      },
      onLost: lost.add,
      onRecipient: (column: string): void => {
        recipient = column;
      },
    },
    end: (): void => {
      reporter.end();
      reading.end();
      skipped.end();
    },
    report: async () => {
      await lost.report();
      if (recipient !== undefined && !ctx.io.err.isTTY) await noteRecipient(ctx, recipient);
      return { recipient };
    },
  };
};

export const noteRecipient = (ctx: Ports, column: string): Promise<void> =>
  ctx.note(t`using column "${column}" as the recipient ("to")`);

const interruptedError = (name: string, rows: number): MsgError =>
  new MsgError("interrupted", t`stopped while reading ${name}, after ${formatRowCount(rows)}`, {
    todo: t`nothing was sent or kept; run it again`,
  });

/** Creates the file with the first row: most runs skip none. */
const createSkippedRows = (store: RunStore, run: string) => {
  let lines: JsonLines | undefined;
  let last: number | undefined;
  return {
    /** The first of several problems in a row counts. */
    add: (skipped: SkippedRow): void => {
      const isProblem = !("reason" in skipped);
      if (isProblem && skipped.row !== undefined && skipped.row === last) return;
      last = isProblem ? skipped.row : undefined;
      lines ??= createJsonLines(store.files, fileOf(store, run, "results.jsonl"));
      lines.add(rowOf(skipped));
    },
    end: (): void => {
      lines?.end();
      lines?.close();
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

/** At most this many lines about rows; results.jsonl and --json have them all. */
const maxReported = 10;

export const createRowReporter = (note: (line: string) => void) => {
  let lines = 0;
  let more = 0;
  let last: number | undefined;
  return {
    /** A row may have several problems, or recipients, which follow each other. */
    report: (row: SkippedRow): void => {
      lines += 1;
      if (lines <= maxReported) note(describeSkipped(row));
      else if (row.row === undefined || row.row !== last) more += 1;
      last = row.row;
    },
    end: (): void => {
      if (more === 1) note(t`… and 1 more skipped row`);
      if (more > 1) note(t`… and ${formatFigure(more)} more skipped rows`);
    },
  };
};

const describeSkipped = (row: SkippedRow): string =>
  "reason" in row
    ? describeReason[row.reason](row)
    : t`skipped row ${row.row ?? "?"}: ${row.text} (${row.code})`;

const describeReason: Readonly<Record<SkipReason, (skipped: SkippedMessage) => string>> = {
  duplicate: ({ row, to }) => t`skipped row ${row}: duplicate recipient ${to}`,
  excluded: ({ row, to }) => t`skipped row ${row}: excluded recipient ${to}`,
};

/** The code of a blank value of a variable. */
export const emptyCode = "EmptyVariable";

/** Exit 2, with what is wrong with each row. */
export const wrongRowsError = (
  { wrong, total, problems }: { wrong: number; total: number; problems: readonly Problem[] },
  flags: MessageFlags,
): MsgError => {
  const flag = wrong === total ? flagFor(problems, flags) : undefined;
  return usageError(t`${formatFigure(wrong)} of ${formatRowCount(total)} cannot be sent`, {
    code: "InvalidRows",
    todo: flag === undefined ? fixRows(problems, wrong === total) : t`nothing was sent; ${flag}`,
    details: problems,
  });
};

const fixRows = (problems: readonly Problem[], areAllWrong: boolean): string => {
  const fix = areAllWrong
    ? t`nothing was sent; fix the rows`
    : t`nothing was sent; fix the rows, or skip them with --on-invalid skip`;
  const isEmpty = problems.some(({ code }) => code === emptyCode);
  return isEmpty ? joinSentences([fix, t`--allow-empty sends empty values as they are`]) : fix;
};

/** Members that rows may leave to the flag of this name, as `imageId` to `--image`. */
const flagMembers = ["from", "text", "type", "country", "subject"] as const;

/** What is wrong with every row is wrong with the command; but an empty value is the fault of its row. */
const flagFor = (problems: readonly Problem[], flags: MessageFlags): string | undefined => {
  const rowsWith = ({ field, code }: Problem) =>
    new Set(problems.filter((it) => it.field === field && it.code === code).map(({ row }) => row));
  const rows = new Set(problems.map(({ row }) => row));
  const [first] = problems;
  const shared = problems
    .filter(({ row, code }) => row === first?.row && code !== emptyCode)
    .find((it) => rowsWith(it).size === rows.size);
  const named = flagMembers.find((it) => it === shared?.field);
  const flag = shared?.field === "imageId" ? "image" : named;
  if (flag === undefined) return undefined;
  if (flags[flag] !== undefined) return t`fix --${flag}`;
  return shared?.code === "1010" ? t`set it for every row with --${flag}` : undefined;
};

/** The first character of a message that phones in Korea may not show, as emoji; Kakao shows all characters. */
export const findLost = (message: MessageInput): string | undefined => {
  const lost = findLostCharacter(`${message.subject ?? ""}${message.text ?? ""}`);
  return lost === undefined || isKakaoType(detectType(message)) ? undefined : lost;
};

/** Warns once for all rows of a source: of the text that they share, or of the first row. */
const createLostReporter = (ctx: Ports, shared: string | undefined) => {
  const inShared = shared === undefined ? undefined : findLostCharacter(shared);
  let rows = 0;
  let first: string | undefined;
  return {
    add: (row: number, character: string): void => {
      rows += 1;
      first ??= t`"${character}" in row ${row}`;
    },
    report: async (): Promise<void> => {
      const where = inShared === undefined ? first : t`"${inShared}" in the text`;
      if (where === undefined) return;
      const isMore = inShared === undefined && rows > 1;
      await ctx.note(lostText(isMore ? t`${where}, ${formatRowCount(rows)} in all` : where));
    },
  };
};

/** The warning: `"😀" in row 3: a phone may not show it`. */
export const lostText = (what: string): string =>
  t`${what}: a phone may not show it; --strict refuses such characters`;
