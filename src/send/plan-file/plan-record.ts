/** A plan as msg prints it: who planned what, when, and for how much. */
import { totalTypes } from "../../message/price.ts";
import { type Approval, canaryRows } from "../store/run-file.ts";
import type { ReadPlan } from "./read-plan.ts";

export const planRecord = (
  file: string,
  { header, digest, counts }: ReadPlan,
  approval?: Approval,
) => {
  const { run, planner, wrong, skipped, templates } = header;
  return {
    plan: file,
    digest,
    run: run.run,
    planned: run.started,
    ...planner,
    baseUrl: run.baseUrl,
    source: run.source,
    total: run.total,
    messages: run.messages,
    types: totalTypes(counts),
    wrong,
    duplicates: skipped.duplicate,
    excluded: skipped.excluded,
    cost: run.price,
    fallbackCost: run.fallbackPrice ?? null,
    maxCost: run.maxCost,
    maxRecipients: run.maxRecipients ?? null,
    scheduledDate: run.scheduledDate ?? null,
    path: run.path,
    tagged: run.tagged,
    strict: run.strict,
    allowDuplicates: run.allowDuplicates,
    isAdvertising: run.isAdvertising === true,
    rate: run.rate ?? null,
    rowsOfRequest: Math.max(0, ...run.chunks.map(({ rows }) => rows)),
    requests: run.chunks.length,
    canary: run.canary ? canaryRows(run, run.canary) : null,
    approvedBy: approval?.key ?? null,
    dateApproved: approval?.date ?? null,
    templates: templates.map(({ templateId, name }) => `${name} (${templateId})`),
  };
};

type PlanRecord = ReturnType<typeof planRecord>;

/** The ending of a plan's name, which no run or key has. */
export const planEnding = ".msgplan";

export const isPlanName = (named: string): boolean => named.endsWith(planEnding);

export const planFields = Object.keys({
  plan: true,
  digest: true,
  run: true,
  planned: true,
  user: true,
  profile: true,
  account: true,
  key: true,
  baseUrl: true,
  source: true,
  total: true,
  messages: true,
  types: true,
  wrong: true,
  duplicates: true,
  excluded: true,
  cost: true,
  fallbackCost: true,
  maxCost: true,
  maxRecipients: true,
  scheduledDate: true,
  path: true,
  tagged: true,
  strict: true,
  allowDuplicates: true,
  isAdvertising: true,
  rate: true,
  rowsOfRequest: true,
  requests: true,
  templates: true,
  canary: true,
  approvedBy: true,
  dateApproved: true,
} satisfies Record<keyof PlanRecord, true>);

/** What a person reads first. */
export const planColumns = [
  "plan",
  "digest",
  "run",
  "planned",
  "user",
  "profile",
  "account",
  "source",
  "total",
  "messages",
  { name: "types", value: ({ types }: PlanRecord) => listOf(types) },
  {
    name: "leftOut",
    value: ({ wrong, duplicates, excluded }: PlanRecord) => listOf({ wrong, duplicates, excluded }),
  },
  "cost",
  "fallbackCost",
  "maxCost",
  "scheduledDate",
  "path",
  "canary",
  "approvedBy",
  "dateApproved",
  { name: "templates", value: ({ templates }: PlanRecord) => templates.join(", ") },
];

const listOf = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .flatMap(([word, count]) => (count > 0 ? [`${count} ${word}`] : []))
    .join(", ");

/** Columns of its sample messages. */
export const sampleColumns = [
  "row",
  "to",
  "from",
  "type",
  "bytes",
  "subject",
  "text",
  "buttons",
  "picture",
];

/** Columns of the differences from another plan. */
export const differenceColumns = ["what", "before", "after"] as const;
