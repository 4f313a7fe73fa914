/** Reads bodies back from plan.jsonl, each proven to be the one that was planned. */
import { createHash } from "node:crypto";
import { fileError } from "../durable/failure.ts";
import type { Files } from "../durable/files.ts";
import { usage } from "../errors.ts";
import type { PlannedChunk } from "./run-file.ts";

/** Throws MsgError (usage) where the bytes are not those that run.json tells of. */
export const readBody = (files: Files, path: string, chunk: PlannedChunk): Uint8Array => {
  const bytes = guarded(path, () => files.readPart(path, chunk.offset, chunk.length));
  if (createHash("sha256").update(bytes).digest("hex") === chunk.sha256) return bytes;
  throw usage("the plan of this run was changed: its rows are not those that were checked", {
    code: "PlanDamaged",
    where: path,
    todo: "nothing more was sent; msg run show tells what was",
  });
};

const guarded = <T>(path: string, action: () => T): T => {
  try {
    return action();
  } catch (error) {
    throw fileError(error, `read '${path}'`, path);
  }
};
