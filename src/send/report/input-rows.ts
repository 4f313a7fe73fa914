/** The rows of a run with the columns of its source, which the run keeps (`input` in its folder). */

import { createHash } from "node:crypto";
import { withFileError } from "../../durable/files.ts";
import { MsgError, usageError } from "../../errors.ts";
import { isRecord } from "../../json/read-json.ts";
import { t } from "../../locale/locale.ts";
import type { Ports } from "../../ports.ts";
import { optionMembers } from "../messages/draft.ts";
import type { RetriedRow } from "../plan/read-source.ts";
import { encodings } from "../sources/decode.ts";
import { pieceBytes } from "../sources/open-source.ts";
import { formats, type Row, type Rows, readRows } from "../sources/rows.ts";
import { recipientOf } from "../store/row-outcomes.ts";
import type { RunFile } from "../store/run-file.ts";
import { fileOf, type RunStore, storeOf } from "../store/run-folder.ts";
import { type RowOfRun, type RowStatus, rowsByStatus } from "./rows-by-status.ts";

export interface InputRows {
  /** As its first line names them; for JSON the members that hold a plain value. */
  readonly columns: readonly string[];
  readonly read: () => AsyncIterable<Row>;
}

/**
 * Undefined if a run has kept none, or cannot distinguish its rows. Throws MsgError (usage) if they are not
 * those that the run was made of.
 */
export const openInput = async (ctx: Ports, run: RunFile): Promise<InputRows | undefined> => {
  const { input, tagged } = run;
  if (input === undefined || !tagged) return undefined;
  const store = storeOf(ctx);
  const path = fileOf(store, run.run, "input");
  const bytes = () => bytesOf(store, path);
  const digest = await digestOf(bytes()).catch(() => undefined);
  if (digest !== input.sha256) throw changedError(run, path);
  const { header, sheet } = input;
  const format = formats.find((it) => it === input.format);
  const encoding = encodings.find((it) => it === input.encoding);
  const read = (): Rows => readRows(bytes(), { name: path, format, encoding, header, sheet });
  const columns = await columnsOf(read());
  // Without a header the first column is the recipient, unless --map says otherwise.
  const isBare = !input.header && !input.flags.includes("--map");
  return { columns: isBare ? ["to", ...columns.slice(1)] : columns, read };
};

async function* bytesOf({ files }: RunStore, path: string): AsyncGenerator<Uint8Array> {
  for (let at = 0; ; ) {
    const piece = withFileError(path, "read", () => files.readPart(path, at, pieceBytes));
    if (piece.length === 0) return;
    yield piece;
    at += piece.length;
  }
}

const digestOf = async (bytes: AsyncIterable<Uint8Array>): Promise<string> => {
  const hash = createHash("sha256");
  for await (const piece of bytes) hash.update(piece);
  return hash.digest("hex");
};

const inputDamaged = "InputDamaged";

const changedError = ({ run }: RunFile, where: string): Error =>
  usageError(t`the stored input of run ${run} was changed or removed`, {
    code: inputDamaged,
    where,
    todo: t`--as-sent exports the messages, without the columns of the source`,
  });

const columnsOf = async (rows: Rows): Promise<readonly string[]> => {
  const names = new Set<string>();
  for await (const batch of rows.batches()) {
    if (rows.found.columns) return rows.found.columns;
    const found = batch.flatMap(({ value }) => (isRecord(value) ? Object.keys(value) : []));
    for (const name of found) if (!optionMembers.has(name)) names.add(name);
  }
  return [...names];
};

export interface ExportedRow extends RowOfRun {
  readonly input: object;
}

/** Finds each row in the input: both are in the order of the source. */
export async function* joinInput(
  rows: AsyncIterable<RowOfRun>,
  { columns, read }: InputRows,
): AsyncGenerator<ExportedRow> {
  const source = read()[Symbol.asyncIterator]();
  let current: Row | undefined;
  try {
    for await (const row of rows) {
      while (row.row !== undefined && (current?.number ?? 0) < row.row)
        current = (await source.next()).value ?? { number: row.row, line: 0 };
      const isFound = current !== undefined && current.number === row.row;
      yield { ...row, input: isFound && current ? recordOf(current, columns, row.message) : {} };
    }
  } finally {
    await source.return?.();
  }
}

/** Keeps only this one of several recipients of a row: else all of them would get it again. */
const recordOf = (row: Row, columns: readonly string[], message: object): object => {
  const cells = row.cells ?? row.raggedCells;
  if (cells)
    return Object.fromEntries(columns.map((name, at) => [name, cellAt(cells, at, columns)]));
  if (!isRecord(row.value)) return {};
  const to = recipientOf(message);
  const members = Object.entries(row.value).map(([name, value]) => {
    const isList = Array.isArray(value) && !optionMembers.has(name);
    return [name, isList ? (to ?? value) : value];
  });
  return Object.fromEntries(members);
};

/** The last column takes what a ragged row has too much: a comma in a cell that is not quoted. */
const cellAt = (cells: readonly string[], at: number, columns: readonly string[]): string =>
  at === columns.length - 1 ? cells.slice(at).join(",") : (cells[at] ?? "");

/** Rows to send again; if their input is gone or changed, their messages as they were sent. */
export async function* retriedRows(
  ctx: Ports,
  run: RunFile,
  status: RowStatus,
): AsyncGenerator<RetriedRow> {
  const rows = rowsByStatus(ctx, run, new Set([status]));
  const input = await openInput(ctx, run).catch((error: unknown) => {
    if (!(error instanceof MsgError && error.code === inputDamaged)) throw error;
  });
  if (input) yield* joinInput(rows, input);
  else for await (const { message } of rows) yield { message, input: message };
}

const added = ["status", "code", "meaning"] as const;

/** Names of the columns for outcomes: others if the source has such columns, unless an earlier export added them. */
export const outcomeColumnNames = (columns: readonly string[], prefix = ""): readonly string[] => {
  const names = added.map((name) => `${prefix}${name}`);
  const at = columns.indexOf(names[0] ?? "");
  const isExported = at >= 0 && names.every((name, index) => columns[at + index] === name);
  return isExported || !names.some((name) => columns.includes(name))
    ? names
    : outcomeColumnNames(columns, `${prefix}msg_`);
};
