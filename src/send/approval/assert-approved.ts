/** The guard of two persons: above a figure of the profile a run goes out by a plan that another key approved. */

import type { Settings } from "../../config/settings.ts";
import { MsgError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { formatMessageCount } from "../../message/price.ts";
import type { Ports } from "../../ports.ts";
import { stopError } from "../guards/spending.ts";
import { wholeOf } from "../parts/part-flags.ts";
import type { RunFile } from "../store/run-file.ts";
import { approvalProblem } from "./approval.ts";
import { ownPublicKeys } from "./keys.ts";

/** Throws MsgError (stopped) for a run that needs an approval and has none that holds. */
export const assertApproved = (ctx: Ports, run: RunFile): void => {
  const { settings } = ctx;
  if (!isNeeded(settings, run)) return;
  const { plan, approval } = run;
  if (!plan) throw notPlanned(settings, run);
  assertApprovable(run, plan.file);
  if (!approval)
    throw notApproved(plan.file, "ApprovalNeeded", t`it needs the approval of another person`);
  const problem = approvalProblem(run, approval, {
    approvers: Object.values(settings.approvers.value),
    own: ownPublicKeys(ctx),
    now: ctx.clock.now(),
  });
  if (problem !== undefined) throw notApproved(plan.file, "ApprovalInvalid", problem);
};

/** Where approvals are needed, bytes that no one can have approved are stopped by that. */
export const asUnapproved = ({ settings }: Ports, error: unknown): unknown => {
  const isDamage = error instanceof MsgError && error.code === "PlanNotReadable";
  if (!isDamage || settings.approval.value !== "required") return error;
  const { message, code, where, todo } = error;
  return new MsgError("stopped", message, { code, where, todo, cause: error });
};

const isNeeded = ({ approval, approvalAbove }: Settings, run: RunFile): boolean => {
  const { messages, price, fallbackPrice = 0 } = wholeOf(run);
  if (approval.value !== "required") return false;
  const above = Number.parseInt(approvalAbove.value, 10);
  if (!approvalAbove.value.endsWith("won")) return messages > above;
  // A price that is not known may be any.
  return price === null || price + fallbackPrice > above;
};

/** Throws MsgError (stopped) for a plan that no one can approve. */
export const assertApprovable = (run: Pick<RunFile, "claim" | "account">, file: string): void => {
  const lack = lackOf(run);
  if (lack) throw stopError({ where: file }, "ApprovalInvalid", ...lack);
};

/** Why no one can approve a plan, and what helps: others could send it again, or out of another account. */
const lackOf = ({
  claim,
  account,
}: Pick<RunFile, "claim" | "account">): readonly [why: string, todo: string] | undefined => {
  // Nothing at the service tells that such a plan was sent.
  if (claim === undefined)
    return [
      t`a plan made with --direct or --no-tag cannot be approved: other machines could send it again`,
      t`plan again without it`,
    ];
  if (account !== null) return undefined;
  return [
    t`a plan that names no account cannot be approved: another account could send it`,
    t`plan again with a key that may read the balance`,
  ];
};

const notPlanned = ({ profile }: Settings, run: RunFile): MsgError =>
  stopError(
    { where: t`run ${run.run}` },
    "ApprovalNeeded",
    t`profile '${profile.value}' sends ${formatMessageCount(wholeOf(run).messages)} only with an approved plan`,
    t`add --plan-out <file>.msgplan, have it approved with msg run approve <file>.msgplan, then send it with --plan: msg help approval`,
  );

const notApproved = (file: string, code: string, why: string): MsgError =>
  stopError(
    { where: file },
    code,
    t`the plan cannot be sent: ${why}`,
    t`an approver of this profile runs msg run approve ${file}; put ${file}.approval next to the plan`,
  );
