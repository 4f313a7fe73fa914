/** What changed since a plan was made: it is sent as it was planned, or not at all. */

import { isLocal } from "../../config/settings.ts";
import { type Problem, truncate } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { formatWon, priceOf } from "../../message/price.ts";
import type { Ports } from "../../ports.ts";
import { readPricesIfAllowed } from "../guards/account.ts";
import { stopError } from "../guards/spending.ts";
import { hourProblem } from "../run/hours.ts";
import type { RunFile } from "../store/run-file.ts";
import { type KeptTemplate, readTemplates } from "./format.ts";
import type { ReadPlan } from "./read-plan.ts";

/** Throws MsgError (stopped) that names each difference. Balance, quota and ceilings are the guards' of every run. */
export const assertUnchanged = async (
  ctx: Ports,
  plan: ReadPlan,
  { file, account }: { readonly file: string; readonly account: string | undefined },
): Promise<void> => {
  const { run, templates } = plan.header;
  const found = [
    serviceProblem(run, ctx.settings.baseUrl.value ?? null),
    accountProblem(run, account),
    await priceProblem(ctx, plan),
    ...(await templateProblems(ctx, templates)),
    await timeProblem(ctx, run),
  ].filter((it) => it !== undefined);
  const [first] = found;
  if (first === undefined) return;
  throw stopError(
    { where: file },
    first.code,
    t`the plan is out of date: ${found.map(({ text }) => text).join("; ")}`,
    t`plan again with --plan-out, and check what changed`,
  );
};

/** On this machine a sandbox gets another port at each start, and that of --sandbox has no address. */
const serviceProblem = ({ baseUrl: was }: RunFile, now: string | null): Problem | undefined => {
  const isSandbox = (address: string | null): boolean => address === null || isLocal(address);
  if (was === now || (isSandbox(was) && isSandbox(now))) return undefined;
  const text = t`it was made for ${was ?? t`the sandbox`}, and this is ${now ?? t`the sandbox`}`;
  return { code: "OtherService", text };
};

const accountProblem = (run: RunFile, account: string | undefined): Problem | undefined => {
  if (run.account === null || run.account === account) return undefined;
  const text =
    account === undefined
      ? t`it belongs to account ${run.account}, and this account cannot be read`
      : t`it belongs to account ${run.account}, and this is ${account}`;
  return { code: "OtherAccount", text };
};

const priceProblem = async (
  ctx: Ports,
  { header: { run }, counts, fallback }: ReadPlan,
): Promise<Problem | undefined> => {
  const countries = new Set([...counts.keys(), ...fallback.keys()]);
  const prices = await readPricesIfAllowed(ctx, countries, run.price !== null);
  const now = prices && priceOf(counts, prices);
  const rest = prices && priceOf(fallback, prices);
  const isSame = (run.price ?? undefined) === now;
  const isRestSame = fallback.size === 0 || run.fallbackPrice === rest;
  if (isSame && isRestSame) return undefined;
  const text = isSame
    ? t`the fallback messages were planned for ${won(run.fallbackPrice)}, and now cost ${won(rest)}`
    : t`it was planned for ${won(run.price ?? undefined)}, and now costs ${won(now)}`;
  return { code: "PriceChanged", text };
};

const won = (price: number | undefined): string =>
  price === undefined ? t`an unknown price` : formatWon(price);

const templateProblems = async (
  ctx: Ports,
  planned: readonly KeptTemplate[],
): Promise<Problem[]> => {
  const ids = planned.map(({ templateId }) => templateId);
  const now = new Map((await readTemplates(ctx, ids)).map((it) => [it.templateId, it]));
  return planned.flatMap((it) => {
    const text = changeOf(it, now.get(it.templateId));
    return text === undefined ? [] : [{ code: "TemplateChanged", text }];
  });
};

const changeOf = (planned: KeptTemplate, now: KeptTemplate | undefined): string | undefined => {
  const name = truncate(planned.name, 50);
  if (now === undefined) return t`the template '${name}' is gone, or cannot be read`;
  if (planned.isApproved !== now.isApproved)
    return now.isApproved
      ? t`the template '${name}' is now approved`
      : t`the template '${name}' is no longer approved`;
  const isSame =
    planned.content === now.content &&
    JSON.stringify(planned.buttons) === JSON.stringify(now.buttons);
  return isSame ? undefined : t`the template '${name}' has another text or other buttons`;
};

const timeProblem = async (ctx: Ports, run: RunFile): Promise<Problem | undefined> => {
  const late = await hourProblem(ctx, run);
  return late && { code: late.code, text: late.message };
};
