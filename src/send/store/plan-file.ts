/** Reads bodies back from plan.jsonl, each proven to be the one that was planned. */

import { hash } from "node:crypto";
import { type Files, fileError, systemCode } from "../../durable/files.ts";
import { type MsgError, usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import type { PlannedChunk } from "./run-file.ts";

/** Throws MsgError (usage) where the bytes are not those that run.json tells of. */
export const readBody = (files: Files, path: string, chunk: PlannedChunk): Uint8Array => {
  const bytes = guarded(path, () => files.readPart(path, chunk.offset, chunk.length));
  if (hash("sha256", bytes) === chunk.sha256) return bytes;
  throw damaged(
    t`the plan of this run was changed: its rows are not those that were checked`,
    path,
  );
};

const damaged = (what: string, where: string): MsgError =>
  usageError(what, {
    code: "PlanDamaged",
    where,
    todo: ({ again = t`run it again` }) =>
      t`nothing more was sent, and nothing can be; restore plan.jsonl, then ${again}`,
  });

const guarded = <T>(path: string, action: () => T): T => {
  try {
    return action();
  } catch (error) {
    if (systemCode(error) === "ENOENT") throw damaged(t`the plan of this run is gone`, path);
    throw fileError(error, t`read '${path}'`, path);
  }
};
