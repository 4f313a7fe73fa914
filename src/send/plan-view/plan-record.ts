/** A plan as it is printed: who planned what, when, and for how much. */
import { totalTypes } from "../../message/price.ts";
import type { ReadPlan } from "../plan-file/read-plan.ts";
import type { Approval, RunFile } from "../store/run-file.ts";

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
    canary: canaryRows(run),
    approvedBy: approval?.key ?? null,
    dateApproved: approval?.date ?? null,
    templates: templates.map(({ templateId, name }) => `${name} (${templateId})`),
  };
};

/** How many go out first; null where all go out at once. */
const canaryRows = ({ canary, chunks }: RunFile): number | null =>
  canary ? chunks.slice(canary.from, canary.to).reduce((sum, { rows }) => sum + rows, 0) : null;

export type PlanRecord = ReturnType<typeof planRecord>;
