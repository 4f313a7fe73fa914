/** Reads bodies back from plan.jsonl, each proven to be the one that was planned. */

import { hash } from "node:crypto";
import { fileError, systemCode } from "../../durable/files.ts";
import { MsgError, usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import type { PlannedBodies } from "./run-file.ts";
import { fileOf, type RunStore } from "./run-folder.ts";

/** The body of a chunk. Throws MsgError (usage) if the bytes are not those that run.json describes. */
export const readBody = (
  store: Pick<RunStore, "files" | "folder">,
  { run, chunks }: PlannedBodies,
  at: number,
): Uint8Array => {
  const chunk = chunks[at];
  if (!chunk) throw new MsgError("fault", t`the run has no chunk ${at}`);
  const { files } = store;
  const path = fileOf(store, run, "plan.jsonl");
  const bytes = guarded(path, () => files.readPart(path, chunk.offset, chunk.length));
  if (hash("sha256", bytes) === chunk.sha256) return bytes;
  throw damagedError(
    t`the plan of this run was changed: its rows are not those that were checked`,
    path,
  );
};

const damagedError = (what: string, where: string): MsgError =>
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
    if (systemCode(error) === "ENOENT") throw damagedError(t`the plan of this run is gone`, path);
    throw fileError(error, t`read '${path}'`, path);
  }
};
