/** A plan in a file → a planned run on disk, its bytes as they were planned; nothing is sent. */
import { join } from "node:path";
import { isLocal } from "../../config/settings.ts";
import { removeQuietly, syncFolder } from "../../durable/atomic-write.ts";
import { withFileError } from "../../durable/files.ts";
import { createNewFile } from "../../durable/new-file.ts";
import { type Problem, truncate } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { formatWon, priceOf } from "../../message/price.ts";
import type { Ports } from "../../ports.ts";
import { readAccount, readPricesIfAllowed, readQuota } from "../guards/account.ts";
import { ownerOf } from "../guards/own-run.ts";
import { stopError } from "../guards/spending.ts";
import type { PlannedRun } from "../plan/plan-run.ts";
import { Samples } from "../plan/samples.ts";
import { sendTimeError } from "../run/hours.ts";
import { planSentError } from "../start/begin.ts";
import { createJournal } from "../store/journal.ts";
import {
  type Approval,
  journalCopy,
  type RunFile,
  runDigest,
  runFileVersion,
} from "../store/run-file.ts";
import {
  createRunFolder,
  fileOf,
  isBegun,
  isPlanned,
  type RunStore,
  readRun,
  storeOf,
  writeRun,
  writeRunFile,
} from "../store/run-folder.ts";
import { withStartLock } from "../store/run-lock.ts";
import { damageError, readApproval } from "./approval.ts";
import { type KeptTemplate, readTemplates } from "./format.ts";
import { type PlanReader, type ReadPlan, readPlan } from "./read-plan.ts";

/** Throws MsgError for a plan that is incomplete, was sent, or is out of date: then no run is left of it. */
export const planFromFile = async (ctx: Ports, file: string): Promise<PlannedRun> => {
  const store = storeOf(ctx);
  const draft = createRunFolder(store);
  try {
    const samples = ctx.io.err.isTTY || ctx.consent.dryRun ? new Samples() : undefined;
    const plan = await copyInto(ctx, draft, file, samples?.add);
    const { run } = plan.header;
    assertPlanNotSent(store, { ...run, plan: { digest: plan.digest, file } });
    const { account, money } = await readAccount(ctx);
    await assertUnchanged(ctx, plan, file, account);
    const quota = await readQuota(ctx, run.scheduledDate);
    const made = runOfProfile(ctx, plan, file, readApproval(store, file));
    await moveIntoPlace(store, draft, made);
    const { wrong, skipped, found, recipient } = plan.header;
    return {
      run: made,
      money,
      quota,
      samples,
      planned: { total: run.total, wrong, skipped, counts: plan.counts },
      template: undefined,
      recipient,
      found,
    };
  } finally {
    removeQuietly(store.files, join(store.folder, draft));
  }
};

/** Copies the bytes of the plan into a folder of their own, until it is known that they are complete. */
const copyInto = async (
  ctx: Ports,
  draft: string,
  file: string,
  onMessage: PlanReader["onMessage"],
): Promise<ReadPlan> => {
  const store = storeOf(ctx);
  const bodies = createNewFile(store.files, fileOf(store, draft, "plan.jsonl"));
  const leftOut = createNewFile(store.files, fileOf(store, draft, "results.jsonl"));
  try {
    const plan = await readPlan(ctx.io.read(file), file, {
      onMessage,
      onBody: (line) => bodies.add(withEnd(line)),
      onLeftOut: (line) => leftOut.add(withEnd(line)),
    }).catch((error: unknown) => {
      throw damageError(ctx, error);
    });
    bodies.end();
    leftOut.end();
    return plan;
  } finally {
    bodies.close();
    leftOut.close();
  }
};

const withEnd = (line: Uint8Array): Uint8Array => Buffer.concat([line, newline]);
const newline = Buffer.from("\n");

/** The plan as a run of the profile that sends it. The lower ceiling of plan and profile holds. */
const runOfProfile = (
  ctx: Ports,
  { header: { run }, digest }: ReadPlan,
  file: string,
  approval: Approval | undefined,
): RunFile => {
  const { maxCost, maxRecipients } = ctx.settings;
  const lower = (one: number | undefined | null, other: number | undefined): number | undefined =>
    one === undefined || one === null ? other : Math.min(one, other ?? one);
  const recipients = lower(run.maxRecipients, maxRecipients.value);
  const owner = ownerOf(ctx, run.account ?? undefined);
  return {
    ...run,
    ...owner,
    version: runFileVersion,
    digest: runDigest(owner, run.content),
    plan: { digest, file },
    ...(approval && { approval }),
    maxCost: lower(run.maxCost, maxCost.value) ?? null,
    ...(recipients !== undefined && { maxRecipients: recipients }),
  };
};

/** Throws MsgError: stopped if its run was begun, and as reading it does if that is damaged and may have been. */
const assertPlanNotSent = (store: RunStore, run: Pick<RunFile, "run" | "plan">): void => {
  if (!isBegun(store, run.run)) return;
  readRun(store, run.run);
  throw planSentError(run);
};

/**
 * The folder is named after the run that the bodies carry, so a plan has one folder, and is sent once. A run that was
 * planned before and not begun stays: another process may be about to begin it, with the same bodies.
 */
const moveIntoPlace = (store: RunStore, draft: string, run: RunFile): Promise<void> =>
  withStartLock(store, () => {
    const { files, folder } = store;
    const place = join(folder, run.run);
    assertPlanNotSent(store, run);
    if (isPlanned(store, run.run)) {
      // Approval and ceilings may be others now, and the journal keeps them, too.
      createJournal(files, fileOf(store, draft, "journal.log"), run.run, journalCopy(run)).close();
      for (const name of ["plan.jsonl", "journal.log"] as const)
        files.rename(fileOf(store, draft, name), fileOf(store, run.run, name));
      return writeRunFile(store, run);
    }
    withFileError(place, "write", () => {
      files.remove(place);
      files.rename(join(folder, draft), place);
      // A power cut would take the name, and the record of what was sent with it.
      syncFolder(files, folder);
    });
    try {
      writeRun(store, run);
    } catch (error) {
      if (!isPlanned(store, run.run)) removeQuietly(files, place);
      throw error;
    }
  });

/**
 * A plan is sent as it was planned, or not at all: throws a MsgError (stopped) that names what changed since.
 * Balance, quota and ceilings are checked as for every run.
 */
const assertUnchanged = async (
  ctx: Ports,
  plan: ReadPlan,
  file: string,
  account: string | undefined,
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
  const isRestSame = fallback.size === 0 || (run.fallbackPrice ?? undefined) === rest;
  if (isSame && isRestSame) return undefined;
  const text = isSame
    ? t`the fallback messages were planned for ${won(run.fallbackPrice ?? undefined)}, and now cost ${won(rest)}`
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
  const late = await sendTimeError(ctx, run);
  return late && { code: late.code, text: late.message };
};
