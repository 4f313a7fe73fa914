/** The run.json of a run whose own is damaged, from its journal and its plan. */
import { hash } from "node:crypto";
import { linesOf, quietly } from "../../durable/files.ts";
import { memberOf } from "../../json/read-json.ts";
import { firstRecord } from "./journal.ts";
import { messagesIn } from "./row-outcomes.ts";
import { joinRunFile, type PlannedChunk, type RunFile } from "./run-file.ts";
import { fileOf, type RunStore } from "./run-folder.ts";

/**
 * Restores run.json from the first record of the journal and from the plan. Undefined if either of them
 * is gone or damaged, or a msg that kept no second copy made the run.
 */
export const recoveredFile = (store: RunStore, run: string): RunFile | undefined => {
  const first = firstRecord(store.files, fileOf(store, run, "journal.log"));
  const plan = fileOf(store, run, "plan.jsonl");
  if (first?.t !== "RUN" || first.file === undefined || !store.files.lstat(plan)) return undefined;
  const chunks: PlannedChunk[] = [];
  for (const { offset, line } of linesOf(store.files, plan)) {
    const chunk = chunkOf(line, offset, chunks.at(-1));
    if (chunk === undefined) return undefined;
    chunks.push(chunk);
  }
  return joinRunFile(run, first.file, chunks);
};

/** Without correlation ids the rows are numbered in sequence: nothing shows which of the source were skipped. */
const chunkOf = (
  body: Buffer,
  offset: number,
  before: PlannedChunk | undefined,
): PlannedChunk | undefined => {
  const messages = quietly(() => messagesIn(body)) ?? [];
  if (messages.length === 0) return undefined;
  const row = Number(memberOf(memberOf(messages[0], "customFields"), "msg.row"));
  const next = before ? before.first + before.rows : 1;
  return {
    offset,
    length: body.length,
    rows: messages.length,
    first: Number.isInteger(row) ? row : next,
    sha256: hash("sha256", body),
  };
};
