/** `send-many --plan-out`: plans a run, keeps it in a file that others can read and send, and sends nothing. */

import { createHash } from "node:crypto";
import { dirname } from "node:path";
import { gzipSync } from "node:zlib";
import { removeQuietly, syncFolder, temporaryName, writeNew } from "../../durable/atomic-write.ts";
import { fileError, linesOf, systemCode } from "../../durable/files.ts";
import { invalidValue, shellWord, usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { totalTypes } from "../../message/price.ts";
import { formsOf } from "../../output/text/redact.ts";
import type { Result } from "../../output/view.ts";
import type { Ports } from "../../ports.ts";
import { type PlannedRun, planRun } from "../plan/plan-run.ts";
import type { Source } from "../plan/read-source.ts";
import { skippedLines } from "../plan/skipped-rows.ts";
import { findObstacle } from "../report/dry-run.ts";
import { showPanel } from "../report/panel.ts";
import type { RunFlags } from "../start/run-flags.ts";
import { fileOf, type RunStore, storeOf } from "../store/run-folder.ts";
import { removeRun } from "../store/run-removal.ts";
import { type KeptTemplate, type PlanHeader, readTemplates, templateIds } from "./format.ts";
import { isPlanName, planEnding } from "./plan-record.ts";

const columns = ["plan", "digest", "total", "messages", "skipped", "cost"] as const;

/** Throws MsgError as the planning of every run does, and if the file cannot be written: then there is no file. */
export const keepPlan = async (
  ctx: Ports,
  source: Source,
  flags: RunFlags & { readonly planOut: string },
): Promise<Result> => {
  const store = storeOf(ctx);
  const { planOut } = flags;
  assertNewPlan(store, planOut);
  const made = await planRun(ctx, source, flags, undefined);
  const { run, planned } = made;
  try {
    await showPanel(ctx, made);
    const stop = await findObstacle(ctx, made, flags);
    if (stop) await ctx.note(t`it would be stopped: ${stop.message}`);
    const templates = await readTemplates(ctx, templateIds(store, run.run));
    const digest = writePlan(ctx, planOut, made, templates);
    const file = shellWord(planOut);
    await ctx.note(
      t`nothing was sent: msg run show ${file} shows the plan, msg send-many --plan ${file} sends it`,
    );
    const record = {
      plan: planOut,
      digest,
      run: run.run,
      state: "planned",
      total: planned.total,
      messages: run.messages,
      skipped: run.skipped,
      types: totalTypes(planned.counts),
      cost: run.price,
    };
    return { record, columns };
  } finally {
    // Its id was shown to no one who could resume it here.
    removeRun(store, run.run);
  }
};

/** Throws usage for a name that is not a plan's, or is taken: checked before the rows are read. */
const assertNewPlan = ({ files }: RunStore, path: string): void => {
  if (!isPlanName(path))
    throw invalidValue(t`--plan-out: the file name must end in ${planEnding}, got '${path}'`);
  if (files.lstat(path)) throw fileExistsError(path);
};

const fileExistsError = (path: string): Error =>
  usageError(t`'${path}' already exists`, {
    code: "FileExists",
    where: path,
    todo: t`nothing was sent; name another file: msg does not replace a plan that someone may have read`,
  });

/** Writes the file whole or not at all; returns its digest. Throws MsgError (usage). */
const writePlan = (
  ctx: Ports,
  path: string,
  made: PlannedRun,
  templates: readonly KeptTemplate[],
): string => {
  const store = storeOf(ctx);
  const { files } = store;
  const temporary = temporaryName(path, store);
  try {
    const digest = writeNew(files, temporary, (add) => writeLines(ctx, made, templates, add));
    moveTo(store, temporary, path);
    return digest;
  } catch (error) {
    removeQuietly(files, temporary);
    throw fileError(error, t`write '${path}'`, path);
  }
};

/** An empty file takes the name and is replaced, so a file that was made meanwhile is never overwritten. */
const moveTo = ({ files }: RunStore, temporary: string, path: string): void => {
  try {
    files.close(files.create(path));
  } catch (error) {
    throw systemCode(error) === "EEXIST" ? fileExistsError(path) : error;
  }
  files.rename(temporary, path);
  syncFolder(files, dirname(path));
};

const packedBytes = 1024 * 1024;

const newline = Buffer.from("\n");

const writeLines = (
  ctx: Ports,
  made: PlannedRun,
  templates: readonly KeptTemplate[],
  write: (bytes: Uint8Array) => void,
): string => {
  const store = storeOf(ctx);
  const rejectSecrets = secretCheck(ctx);
  const hash = createHash("sha256");
  let waiting: Uint8Array[] = [];
  let length = 0;
  const pack = (): void => {
    write(gzipSync(Buffer.concat(waiting)));
    waiting = [];
    length = 0;
  };
  const add = (line: Buffer): void => {
    rejectSecrets(line);
    hash.update(line).update(newline);
    waiting.push(line, newline);
    length += line.length + 1;
    if (length >= packedBytes) pack();
  };
  const { run } = made.run;
  add(Buffer.from(JSON.stringify(headerOf(ctx, store, made, templates))));
  for (const { line } of linesOf(store.files, fileOf(store, run, "plan.jsonl"))) add(line);
  for (const line of skippedLines(store, run)) add(line);
  const digest = hash.digest("hex");
  waiting.push(Buffer.from(`${JSON.stringify({ digest })}\n`));
  pack();
  return digest;
};

const headerOf = (
  { environment: { env } }: Ports,
  store: RunStore,
  { run, planned, found, recipient }: PlannedRun,
  templates: readonly KeptTemplate[],
): PlanHeader => {
  const { profile, account, key } = run;
  // The list itself is left out: a plan has the messages.
  const { input: _, ...sent } = run;
  const { format, encoding } = found;
  const user = env.USER || env.LOGNAME || env.USERNAME || null;
  let leftOut = 0;
  for (const _ of skippedLines(store, run.run)) leftOut += 1;
  return {
    msgplan: 1,
    run: sent,
    planner: { user, profile, account, key },
    wrong: planned.wrong,
    skipped: planned.skipped,
    found: { format, encoding },
    recipient,
    templates: [...templates],
    leftOut,
  };
};

/** Throws MsgError (usage) for a line that holds a secret of this user in any form: a plan is passed on, and kept. */
const secretCheck = (ctx: Ports): ((line: Buffer) => void) => {
  const forms = secretsOf(ctx)
    .flatMap(formsOf)
    .map((it) => Buffer.from(it));
  return (line) => {
    if (!forms.some((form) => line.includes(form))) return;
    throw usageError(
      t`the plan would contain a secret: a key or token of this user is in its rows`,
      {
        code: "SecretInPlan",
        todo: t`nothing was sent or written; check the texts, variables and custom fields of the rows`,
      },
    );
  };
};

/** Those of every stored profile and of this command: rows may hold any of them. */
const secretsOf = ({ session, settings }: Ports): readonly string[] => {
  const { profiles, approvalKeys = {} } = session.config.readCredentials();
  const callers = [settings.credentials.value ?? [], Object.values(profiles)].flat();
  const secrets = callers.flatMap((it) =>
    it.kind === "key"
      ? [it.apiSecret]
      : [
          it.accessToken,
          ...("refreshToken" in it && it.refreshToken ? [it.refreshToken] : []),
          ...("clientSecret" in it && it.clientSecret ? [it.clientSecret] : []),
        ],
  );
  return [...secrets, ...Object.values(approvalKeys)];
};
