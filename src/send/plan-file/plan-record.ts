/** A plan as msg prints it: who planned what, when, and for how much. */
import { asRecord } from "../../json/read-json.ts";
import { totalTypes } from "../../message/price.ts";
import { type Approval, canaryRows } from "../store/run-file.ts";
import type { PlanHeader } from "./format.ts";
import type { ReadPlan } from "./read-plan.ts";

interface ShownPlan extends PlanHeader, Pick<ReadPlan, "digest" | "counts"> {
  readonly file: string;
  readonly approval: Approval | undefined;
}

const members = {
  plan: ({ file }) => file,
  digest: ({ digest }) => digest,
  run: ({ run }) => run.run,
  planned: ({ run }) => run.started,
  user: ({ planner }) => planner.user,
  profile: ({ planner }) => planner.profile,
  account: ({ planner }) => planner.account,
  key: ({ planner }) => planner.key,
  baseUrl: ({ run }) => run.baseUrl,
  source: ({ run }) => run.source,
  total: ({ run }) => run.total,
  messages: ({ run }) => run.messages,
  types: ({ counts }) => totalTypes(counts),
  wrong: ({ wrong }) => wrong,
  duplicates: ({ skipped }) => skipped.duplicate,
  excluded: ({ skipped }) => skipped.excluded,
  cost: ({ run }) => run.price,
  fallbackCost: ({ run }) => run.fallbackPrice ?? null,
  maxCost: ({ run }) => run.maxCost,
  maxRecipients: ({ run }) => run.maxRecipients ?? null,
  scheduledDate: ({ run }) => run.scheduledDate ?? null,
  path: ({ run }) => run.path,
  tagged: ({ run }) => run.tagged,
  strict: ({ run }) => run.strict,
  allowDuplicates: ({ run }) => run.allowDuplicates,
  isAdvertising: ({ run }) => run.isAdvertising === true,
  rate: ({ run }) => run.rate ?? null,
  rowsOfRequest: ({ run }) => Math.max(0, ...run.chunks.map(({ rows }) => rows)),
  requests: ({ run }) => run.chunks.length,
  canary: ({ run }) => (run.canary ? canaryRows(run, run.canary) : null),
  approvedBy: ({ approval }) => approval?.key ?? null,
  dateApproved: ({ approval }) => approval?.date ?? null,
  templates: ({ templates }) => templates.map(({ templateId, name }) => `${name} (${templateId})`),
} satisfies Record<string, (plan: ShownPlan) => unknown>;

export const planFields = Object.keys(members);

type PlanRecord = Readonly<Record<string, unknown>>;

export const planRecord = (
  file: string,
  { header, digest, counts }: ReadPlan,
  approval?: Approval,
): PlanRecord => {
  const plan = { ...header, file, digest, counts, approval };
  return Object.fromEntries(Object.entries(members).map(([name, read]) => [name, read(plan)]));
};

/** The ending of a plan's name, which no run or key has. */
export const planEnding = ".msgplan";

export const isPlanName = (named: string): boolean => named.endsWith(planEnding);

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
  { name: "templates", value: ({ templates }: PlanRecord) => [templates].flat().join(", ") },
];

const listOf = (counts: unknown): string =>
  Object.entries(asRecord(counts))
    .flatMap(([word, count]) => (Number(count) > 0 ? [`${count} ${word}`] : []))
    .join(", ");

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

export const differenceColumns = ["what", "before", "after"] as const;
