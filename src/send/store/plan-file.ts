/** Reads bodies back from plan.jsonl, each proven to be the one that was planned. */
import { createHash } from "node:crypto";
import { fileError, systemCode } from "../../durable/failure.ts";
import type { Files } from "../../durable/files.ts";
import { type MsgError, usageError } from "../../errors.ts";
import type { PlannedChunk } from "./run-file.ts";

/** Throws MsgError (usage) where the bytes are not those that run.json tells of. */
export const readBody = (
  files: Files,
  path: string,
  chunk: PlannedChunk,
  into?: Uint8Array,
): Uint8Array => {
  const bytes = guarded(path, () => files.readPart(path, chunk.offset, chunk.length, into));
  if (createHash("sha256").update(bytes).digest("hex") === chunk.sha256) return bytes;
  throw damaged("was changed: its rows are not those that were checked", path);
};

const damaged = (what: string, where: string): MsgError =>
  usageError(`the plan of this run ${what}`, {
    code: "PlanDamaged",
    where,
    todo: ({ again = "run it again" }) =>
      `nothing more was sent, and nothing can be; put plan.jsonl back as it was, then ${again}`,
  });

/** The bodies of a run, in memory that is used again: each has megabytes, and new memory has its price. */
export interface PlanBodies {
  readonly read: (chunk: PlannedChunk) => Uint8Array;
  /** Nobody looks at the bytes of this body any more: another may take their place. */
  readonly release: (body: Uint8Array) => void;
}

export const planBodies = (
  files: Files,
  path: string,
  chunks: readonly PlannedChunk[],
): PlanBodies => {
  const largest = chunks.reduce((most, { length }) => Math.max(most, length), 0);
  const idle: Uint8Array[] = [];
  return {
    read: (chunk) => readBody(files, path, chunk, idle.pop() ?? Buffer.allocUnsafeSlow(largest)),
    release: (body) => void idle.push(new Uint8Array(body.buffer)),
  };
};

const guarded = <T>(path: string, action: () => T): T => {
  try {
    return action();
  } catch (error) {
    if (systemCode(error) === "ENOENT") throw damaged("is gone", path);
    throw fileError(error, `read '${path}'`, path);
  }
};
