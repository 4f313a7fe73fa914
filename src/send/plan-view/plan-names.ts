/** How a plan is named, and what of it is printed: little, since every command that may show one loads it. */
import type { PlanRecord } from "./plan-record.ts";

/** A name that a run and a key can be told from. */
export const planEnding = ".msgplan";

export const isPlanName = (named: string): boolean => named.endsWith(planEnding);

export const planFields: readonly (keyof PlanRecord)[] = [
  ...(["plan", "digest", "run", "planned", "user", "profile", "account", "key"] as const),
  ...(["baseUrl", "source", "total", "messages", "types", "wrong", "duplicates"] as const),
  ...(["excluded", "cost", "fallbackCost", "maxCost", "maxRecipients"] as const),
  ...(["scheduledDate", "path", "tagged", "strict", "allowDuplicates", "isAdvertising"] as const),
  ...(["rate", "rowsOfRequest", "requests", "templates"] as const),
  ...(["canary", "approvedBy", "dateApproved"] as const),
];

/** What a person reads first. */
export const planColumns = [
  ...(["plan", "digest", "run", "planned", "user", "profile", "account", "source"] as const),
  ...(["total", "messages"] as const),
  { name: "types", value: ({ types }: PlanRecord) => listOf(types) },
  {
    name: "leftOut",
    value: ({ wrong, duplicates, excluded }: PlanRecord) => listOf({ wrong, duplicates, excluded }),
  },
  ...(["cost", "fallbackCost", "maxCost", "scheduledDate", "path"] as const),
  ...(["canary", "approvedBy", "dateApproved"] as const),
  { name: "templates", value: ({ templates }: PlanRecord) => templates.join(", ") },
];

const listOf = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .flatMap(([word, count]) => (count > 0 ? [`${count} ${word}`] : []))
    .join(", ");

/** Of its messages. */
export const sampleColumns = [
  ...["row", "to", "from", "type", "bytes", "subject", "text", "buttons", "picture"],
];

/** Of what changed since another plan. */
export const differenceColumns = ["what", "before", "after"] as const;
