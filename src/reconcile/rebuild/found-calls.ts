/** What a run of single calls sent, looked for chunk by chunk by the marks of the run and its rows. */

import { writeFirst } from "../../durable/atomic-write.ts";
import { MsgError } from "../../errors.ts";
import type { Entry, Outcome } from "../../send/protocol/entries.ts";
import { expiryMs } from "../../send/run/clocks.ts";
import { readBody } from "../../send/store/plan-file.ts";
import type { RunFile } from "../../send/store/run-file.ts";
import { fileOf, type RunStore } from "../../send/store/run-folder.ts";
import { findSend } from "../evidence/send-evidence.ts";
import type { Asking } from "./run-groups.ts";

interface Looking extends Asking {
  readonly store: RunStore;
  readonly now: () => Date;
}

/** Throws MsgError (unknown) while a copy of a call may still arrive: then "not there" proves nothing. */
export const entriesOfCalls = async (looking: Looking): Promise<readonly Entry[]> => {
  const { store, run, client, call, now } = looking;
  // Before the first look: what arrives between two of them would be missed by both.
  const until = lastWritten(looking) + expiryMs;
  const entries: Entry[] = [];
  const body = (chunk: number): Uint8Array => bodyOf(store, run, chunk);
  const silent = { client, run, body, onReply: () => undefined, onError: () => undefined };
  // As late as can be: who asks when these rows were last sent is on the safe side.
  const intent = { date: now().toISOString(), salt: "" };
  const missing: number[] = [];
  for (const chunk of run.chunks.keys()) {
    const signature = { date: run.started, salt: "" };
    const seen = await findSend(
      { type: "findEvidence", chunk, signature, final: false },
      silent,
      call,
    );
    if (seen.type === "absent") missing.push(chunk);
    else entries.push({ t: "POST_INTENT", chunk, ...intent }, entryOf(run, chunk, seen));
  }
  if (missing.length > 0 && !isPast(looking, until)) throw tooEarly(run, until);
  return entries;
};

const bodyOf = (store: RunStore, run: RunFile, at: number): Uint8Array => {
  const chunk = run.chunks[at];
  if (chunk) return readBody(store.files, fileOf(store, run.run, "plan.jsonl"), chunk);
  throw new MsgError("fault", `the run has no chunk ${at}`);
};

const entryOf = ({ run }: RunFile, chunk: number, seen: Outcome): Entry => {
  if (seen.type === "ok")
    return { t: "POST_OK", chunk, group: seen.id, cost: seen.cost, ...seen.counts };
  if (seen.type === "declined") return { t: "POST_REFUSED", chunk, status: 0, code: seen.code };
  throw new MsgError("unknown", `the service does not say what became of part ${chunk + 1}`, {
    code: "OutcomeUnknown",
    where: `run ${run}`,
    todo: `nothing was changed in the run's folder; msg run reconcile ${run} looks again`,
    outcome: "unknown",
  });
};

/** When the run was last written to, and so signed for at the latest; of a journal that is gone, when that was first seen. */
const lastWritten = ({ store, run }: Looking): number => {
  const { files } = store;
  const journal = files.lstat(fileOf(store, run.run, "journal.log"));
  if (journal) return journal.changedMs;
  const marker = fileOf(store, run.run, "journal.gone");
  if (!files.lstat(marker)) writeFirst(files, marker, Buffer.alloc(0));
  return files.lstat(marker)?.changedMs ?? Number.POSITIVE_INFINITY;
};

/** By the service's clock and by this machine's. */
const isPast = ({ now, client }: Looking, until: number): boolean => {
  const { earliest } = client.clock.now();
  return earliest !== undefined && earliest > until && now().getTime() > until;
};

const tooEarly = ({ run }: RunFile, until: number): MsgError => {
  const time = new Date(until).toISOString();
  return new MsgError(
    "unknown",
    `it is not known what of run ${run} was sent: a copy of its last call may still arrive`,
    {
      code: "TooEarly",
      where: `run ${run}`,
      todo: `nothing was changed in the run's folder; msg run reconcile ${run} rebuilds it after ${time}`,
      outcome: "unknown",
    },
  );
};
