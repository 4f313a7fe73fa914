/** Sums of failed messages by code, carrier and day: how many, and what the service refunded for them. */
import { typeKeys } from "../contract/message-records.ts";
import { type Prices, sumOf } from "./price.ts";
import { isFailure, statusMeaning, statusTodo } from "./status.ts";

/** Counts by type; some answers hold them directly, without codes. */
export const typesAt = (code: string, types: unknown): [string, number][] =>
  (typeof types === "number" ? [[code, types]] : Object.entries(Object(types))).filter(
    (it): it is [string, number] => typeof it[1] === "number",
  );

/** A count without a code says nothing about how its messages ended. */
export const isFailedCode = (code: string): boolean => /^\d/.test(code) && isFailure(code);

/** The filter for a list of failed messages: every code but these three. */
export const failedOnly = {
  criteria: "statusCode,statusCode,statusCode",
  cond: "ne,ne,ne",
  value: "2000,3000,4000",
} as const;

/** The keys by which failures can be summed. */
export const failureKeys = ["day", "code", "carrier"] as const;
export type FailureKey = (typeof failureKeys)[number];

/** Messages that failed in the same way. */
export interface Failure {
  /** `2026/01/15`, in UTC+9. */
  readonly day: string;
  readonly code: string;
  /** Empty if the source does not say. */
  readonly carrier: string;
  readonly type: string;
  readonly country: string;
  readonly count: number;
}

/** A row of the list, without the members by which it is not summed. */
export type FailureRow = ReturnType<typeof rowOf>;

interface Sum {
  readonly first: Failure;
  count: number;
  /** Messages that were charged and refunded, by country and type. */
  readonly charged: Map<string, Map<string, number>>;
}

/** Sums failures as they come: memory grows only with the rows. */
export const createFailureTally = (by: readonly FailureKey[]) => {
  const sums = new Map<string, Sum>();
  return {
    add: (failure: Failure): void => {
      // A type listed without messages has no row, no share, and needs no price.
      if (failure.count === 0) return;
      const key = JSON.stringify(by.map((it) => failure[it]));
      const sum = sums.get(key) ?? { first: failure, count: 0, charged: new Map() };
      sums.set(key, sum);
      sum.count += failure.count;
      // Refused at registration: it was never charged.
      if (failure.code.startsWith("1")) return;
      const types = sum.charged.get(failure.country) ?? new Map<string, number>();
      sum.charged.set(failure.country, types);
      const type = failure.type.toLowerCase();
      types.set(type, (types.get(type) ?? 0) + failure.count);
    },
    countries: (): string[] => [...sums.values()].flatMap(({ charged }) => [...charged.keys()]),
    /** Days in order, then the most frequent first. */
    rows: (prices: Prices | undefined): FailureRow[] => {
      const all = [...sums.values()];
      const total = all.reduce((sum, { count }) => sum + count, 0);
      const dayOf = ({ first }: Sum): string => (by.includes("day") ? first.day : "");
      return all
        .sort((one, other) => dayOf(one).localeCompare(dayOf(other)) || other.count - one.count)
        .map((sum) => rowOf(sum, by, total, prices));
    },
  };
};

const rowOf = (
  { first, count, charged }: Sum,
  by: readonly FailureKey[],
  total: number,
  prices: Prices | undefined,
) => ({
  ...(by.includes("day") && { day: first.day }),
  ...(by.includes("code") && { code: first.code, meaning: statusMeaning(first.code) }),
  ...(by.includes("carrier") && { carrier: first.carrier }),
  count,
  /** Percent of all failures. */
  share: Math.round((count / total) * 1000) / 10,
  refunded: refundOf(charged, prices),
  ...(by.includes("code") && { todo: statusTodo(first.code) }),
});

/** Won; null if a price is not known. */
const refundOf = (charged: Sum["charged"], prices: Prices | undefined): number | null => {
  const amounts: number[] = [];
  for (const [country, types] of charged)
    for (const [type, count] of types) {
      const key = typeKeys.find((it) => it === type);
      const unit = key && prices?.[country]?.[key];
      if (typeof unit !== "number") return null;
      amounts.push(unit * count);
    }
  return sumOf(amounts);
};
