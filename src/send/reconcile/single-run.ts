/** The run of one body: what `msg send` makes, on the disk or in memory alone. */
import { createHash } from "node:crypto";
import { writeFirst } from "../../durable/atomic-write.ts";
import type { Ports } from "../../ports.ts";
import { signingKeyTail } from "../../session/stored-credentials.ts";
import { type RunFile, runFileVersion } from "../store/run-file.ts";
import { createRunFolder, fileOf, type RunStore, writeRun } from "../store/run-folder.ts";

type Given = "run" | "path" | "call" | "tagged" | "source" | "digest";

/** A run of one request; of one message where `messages` is left out. */
export const singleRun = (
  ctx: Ports,
  body: Uint8Array,
  { messages = 1, ...own }: Pick<RunFile, Given> & Partial<RunFile>,
): RunFile => ({
  version: runFileVersion,
  started: ctx.clock.now().toISOString(),
  profile: ctx.settings.profile.value,
  ...{ account: null, key: signingKeyTail(ctx) ?? null, price: null, maxCost: null },
  baseUrl: ctx.settings.baseUrl.value ?? null,
  ...{ width: 1, concurrency: 1, strict: false, allowDuplicates: false },
  ...{ total: messages, skipped: 0, messages },
  chunks: [{ offset: 0, length: body.length, rows: messages, first: 1, sha256: sha256(body) }],
  ...own,
});

/** Writes its folder anew, whatever an attempt before left in it. */
export const writeSingleRun = (store: RunStore, run: RunFile, body: Uint8Array): void => {
  createRunFolder(store, run.run);
  for (const name of ["plan.jsonl", "reserve", "journal.log"] as const)
    store.files.remove(fileOf(store, run.run, name));
  const line = Buffer.concat([body, Buffer.from("\n")]);
  writeFirst(store.files, fileOf(store, run.run, "plan.jsonl"), line);
  writeRun(store, run);
};

export const sha256 = (content: Uint8Array | string): string =>
  createHash("sha256").update(content).digest("hex");
