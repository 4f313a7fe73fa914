/** Writes a planned run into a file that others can read, and send: whole or not at all, and without a secret. */

import { createHash } from "node:crypto";
import { dirname } from "node:path";
import { gzipSync } from "node:zlib";
import {
  closeQuietly,
  removeQuietly,
  syncFolder,
  temporaryName,
  writeAll,
} from "../../durable/atomic-write.ts";
import { fileError, linesOf, systemCode } from "../../durable/files.ts";
import { usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import type { Ports } from "../../ports.ts";
import type { PlannedRun } from "../plan/plan-run.ts";
import { isPlanName, planEnding } from "../plan-view/plan-names.ts";
import { fileOf, type RunStore } from "../store/run-folder.ts";
import type { KeptTemplate, PlanHeader } from "./format.ts";
import { createSecretFinder } from "./secrets.ts";

/** Throws usage for a name that no plan has, or that is taken: asked before the rows are read. */
export const assertNewPlan = ({ files }: RunStore, path: string): void => {
  if (!isPlanName(path))
    throw usageError(t`--plan-out: the file name must end in ${planEnding}, got '${path}'`, {
      code: "InvalidValue",
    });
  if (files.lstat(path)) throw taken(path);
};

const taken = (path: string): Error =>
  usageError(t`'${path}' already exists`, {
    code: "FileExists",
    where: path,
    todo: t`nothing was sent; name another file: msg does not replace a plan that someone may have read`,
  });

/** Answers the digest. Throws MsgError (usage): then there is no such file. */
export const writePlan = (
  ctx: Ports,
  store: RunStore,
  path: string,
  made: PlannedRun,
  templates: readonly KeptTemplate[],
): string => {
  const { files } = store;
  const temporary = temporaryName(path, store);
  try {
    const descriptor = files.create(temporary, 0o600);
    let digest: string;
    try {
      files.setMode(descriptor, 0o600);
      digest = writeLines(ctx, store, made, templates, (bytes) =>
        writeAll(files, descriptor, bytes),
      );
      files.sync(descriptor);
    } finally {
      closeQuietly(files, descriptor);
    }
    moveTo(store, temporary, path);
    return digest;
  } catch (error) {
    removeQuietly(files, temporary);
    throw fileError(error, t`write '${path}'`, path);
  }
};

/** An empty file takes the name, and is replaced: never over a file that came meanwhile. */
const moveTo = ({ files }: RunStore, temporary: string, path: string): void => {
  try {
    files.close(files.create(path, 0o600));
  } catch (error) {
    throw systemCode(error) === "EEXIST" ? taken(path) : error;
  }
  files.rename(temporary, path);
  syncFolder(files, dirname(path));
};

/** Bytes that are packed at a time. */
const packedBytes = 1024 * 1024;

const writeLines = (
  ctx: Ports,
  store: RunStore,
  made: PlannedRun,
  templates: readonly KeptTemplate[],
  write: (bytes: Uint8Array) => void,
): string => {
  const secrets = createSecretFinder(ctx);
  const hash = createHash("sha256");
  let waiting: Uint8Array[] = [];
  let length = 0;
  const pack = (): void => {
    if (length > 0) write(gzipSync(Buffer.concat(waiting)));
    waiting = [];
    length = 0;
  };
  const add = (line: Uint8Array): void => {
    waiting.push(line, newline);
    length += line.length + 1;
    if (length >= packedBytes) pack();
  };
  const addHashed = (line: Uint8Array): void => {
    secrets.reject(line);
    hash.update(line).update(newline);
    add(line);
  };
  const { run } = made.run;
  addHashed(Buffer.from(JSON.stringify(headerOf(ctx, store, made, templates))));
  for (const { line } of linesOf(store.files, fileOf(store, run, "plan.jsonl"))) addHashed(line);
  for (const line of leftOutLines(store, run)) addHashed(line);
  const digest = hash.digest("hex");
  add(Buffer.from(JSON.stringify({ digest })));
  pack();
  return digest;
};

const newline = Buffer.from("\n");

function* leftOutLines(store: RunStore, run: string): Generator<Buffer> {
  const path = fileOf(store, run, "results.jsonl");
  if (!store.files.lstat(path)) return;
  for (const { line } of linesOf(store.files, path)) yield line;
}

const headerOf = (
  { environment: { env } }: Ports,
  store: RunStore,
  { run, planned, found, recipient }: PlannedRun,
  templates: readonly KeptTemplate[],
): PlanHeader => {
  const { profile, account, key } = run;
  // The list itself is not handed on: a plan has the messages.
  const { input: _, ...sent } = run;
  const { format, encoding } = found;
  const user = env.USER || env.LOGNAME || env.USERNAME || null;
  let leftOut = 0;
  for (const _ of leftOutLines(store, run.run)) leftOut += 1;
  return {
    msgplan: 1,
    run: sent,
    planner: { user, profile, account, key },
    wrong: planned.wrong,
    skipped: planned.skipped,
    found: { ...(format && { format }), ...(encoding && { encoding }) },
    ...(recipient !== undefined && { recipient }),
    templates: [...templates],
    leftOut,
  };
};
