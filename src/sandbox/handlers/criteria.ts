/** `criteria`, `cond` and `value`: the filters that lists share. */
import { readInstant } from "../checks/dates.ts";
import { Refusal } from "../service.ts";
import type { Comparison } from "../store/message-list.ts";

export interface Criteria {
  readonly criteria?: string | undefined;
  readonly cond?: string | undefined;
  readonly value?: string | undefined;
}

/** Three lists of equal length, ANDed. Throws Refusal 400. */
export const criteriaOf = <C>(
  { criteria, cond, value }: Criteria,
  condition: (member: string, is: Comparison, value: string) => C,
): C[] => {
  if (criteria === undefined && cond === undefined && value === undefined) return [];
  const [members = [], comparisons = [], values = []] = [criteria, cond, value].map((list) =>
    list?.split(","),
  );
  if (members.length !== comparisons.length || members.length !== values.length) {
    const text = `'criteria' (${members.length}), 'cond' (${comparisons.length}) and 'value' (${values.length}) must be lists of one length.`;
    throw new Refusal(400, "ValidationError", text);
  }
  return members.map((member, index) => {
    const is = comparisons[index] ?? "";
    if (!isComparison(is)) {
      const text = `'cond' must be eq, ne, gt, gte, lt or lte, not '${is}'.`;
      throw new Refusal(400, "ValidationError", text);
    }
    return condition(member, is, values[index] ?? "");
  });
};

const isComparison = (text: string): text is Comparison =>
  ["eq", "ne", "gt", "gte", "lt", "lte"].includes(text);

/** Milliseconds since 1970. Throws Refusal 400 for a text that is no time. */
export const instantOf = (name: string, text: string, bound: "from" | "until"): number => {
  const instant = readInstant(text, bound);
  if (instant !== undefined) return instant.getTime();
  throw new Refusal(400, "ValidationError", `'${name}' must be an ISO 8601 time, not '${text}'.`);
};
