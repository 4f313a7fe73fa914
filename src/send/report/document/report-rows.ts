/** The rows of a run as a report lists them, and what they add up to. */
import { asText, memberOf } from "../../../json/read-json.ts";
import { translated } from "../../../locale/locale.ts";
import { statusMeaning, statusTodo } from "../../../message/status.ts";
import { detectType } from "../../../message/type.ts";
import type { Ports } from "../../../ports.ts";
import { recipientOf } from "../../store/row-outcomes.ts";
import type { RunFile } from "../../store/run-file.ts";
import { type RowStatus, rowsByStatus } from "../rows-by-status.ts";

/** The outcomes of a row, in the order of a report. */
export const outcomes = [
  ["delivered", "Delivered"],
  ["failed", "Failed"],
  ["refused", "Refused"],
  ["pending", "On the way"],
  ["unknown", "Outcome unknown"],
  ["not-sent", "Not sent"],
  ["skipped", "Skipped"],
] as const;

/** Every member is a text, so the values of a list stay unchanged. */
export interface ReportRow {
  readonly to: string;
  readonly from: string;
  readonly type: string;
  readonly text: string;
  readonly status: RowStatus;
  readonly code: string;
  readonly meaning: string;
}

/** Each row in the order of the source, with its outcome. Read on demand. */
export async function* reportRows(ctx: Ports, run: RunFile): AsyncGenerator<ReportRow> {
  const wanted = new Set(outcomes.map(([name]) => name));
  for await (const row of rowsByStatus(ctx, run, wanted, true)) {
    const { message, status, code = "", meaning = "" } = row;
    yield {
      to: recipientOf(message) ?? "",
      from: textIn(message, "from"),
      type: status === "skipped" ? "" : detectType(message),
      text: textIn(message, "text"),
      status,
      code,
      meaning,
    };
  }
}

const textIn = (message: object, name: string): string => asText(memberOf(message, name)) ?? "";

export interface Bar {
  readonly name: string;
  readonly value: number;
  readonly note: string;
}

export const createOutcomeTally = () => {
  const byOutcome = new Map<RowStatus, number>();
  const byCode = new Map<string, number>();
  const more = <K>(counts: Map<K, number>, key: K): void => {
    counts.set(key, (counts.get(key) ?? 0) + 1);
  };
  return {
    add: ({ status, code }: ReportRow): void => {
      more(byOutcome, status);
      if (code !== "" && (status === "failed" || status === "refused")) more(byCode, code);
    },
    countOf: (name: RowStatus): number => byOutcome.get(name) ?? 0,
    total: (): number => [...byOutcome.values()].reduce((sum, it) => sum + it, 0),
    outcomeBars: (): Bar[] =>
      outcomes.map(([name, title]) => ({
        name: translated(title),
        value: byOutcome.get(name) ?? 0,
        note: "",
      })),
    /** The most frequent first. */
    codeBars: (): Bar[] =>
      [...byCode]
        .sort(([, one], [, other]) => other - one)
        .map(([code, value]) => ({
          name: `${code} ${statusMeaning(code)}`,
          value,
          note: statusTodo(code),
        })),
  };
};
export type OutcomeTally = ReturnType<typeof createOutcomeTally>;
