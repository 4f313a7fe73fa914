/** How rows that are not sent are told: the first of them one by one, and what mends them. */

import { type MsgError, type Problem, usageError } from "../../errors.ts";
import { formatRowCount } from "../../message/counted.ts";
import type { MessageFlags } from "../single/message.ts";
import type { SkippedRow } from "./skipped-rows.ts";

/** Rows that are told one by one; results.jsonl and --json have them all. */
const mostTold = 10;

export interface RowReporter {
  readonly tell: (row: SkippedRow) => void;
  /** How many there were beside those that were told. */
  readonly end: () => void;
}

export const createRowReporter = (note: (line: string) => void): RowReporter => {
  const told = { count: 0 };
  return {
    tell: (row) => {
      told.count += 1;
      if (told.count <= mostTold) note(leftOutText(row));
    },
    end: () => {
      const more = told.count - mostTold;
      if (more > 0) note(`… and ${more} more ${more === 1 ? "is" : "are"} skipped`);
    },
  };
};

const leftOutText = (row: SkippedRow): string =>
  "reason" in row
    ? `row ${row.row} is skipped: ${row.to} is ${row.reason === "duplicate" ? "a duplicate" : "excluded"}`
    : `row ${row.row ?? "?"} is skipped: ${row.text} (${row.code})`;

interface Wrong {
  readonly wrong: number;
  readonly total: number;
  readonly problems: readonly Problem[];
}

/** Exit 2, with what is wrong with each row. */
export const wrongRowsError = (
  { wrong, total, problems }: Wrong,
  flags: MessageFlags,
): MsgError => {
  const flag = wrong === total ? flagFor(problems, flags) : undefined;
  return usageError(`${wrong} of ${formatRowCount(total)} cannot be sent`, {
    code: "InvalidRows",
    todo: `nothing was sent; ${flag ?? "mend the rows, or leave them out with --on-invalid skip"}`,
    details: problems,
  });
};

/** Of a value that rows may leave to a flag; each is wrong in every row when the flag is. */
const flagOfMember: ReadonlyMap<string, keyof MessageFlags> = new Map([
  ["from", "from"],
  ["text", "text"],
  ["type", "type"],
  ["country", "country"],
  ["subject", "subject"],
  ["imageId", "image"],
] as const);

/** Where every row is wrong in the same way it is the command that is to be mended, not the rows. */
const flagFor = (problems: readonly Problem[], flags: MessageFlags): string | undefined => {
  const [first] = problems;
  const isSame = problems.every((it) => it.field === first?.field && it.code === first?.code);
  const flag = flagOfMember.get(first?.field ?? "");
  if (!isSame || flag === undefined) return undefined;
  if (flags[flag] !== undefined) return `mend --${flag}`;
  return first?.code === "1010" ? `--${flag} gives it to every row` : undefined;
};
