/** What a run of single calls sent, looked for chunk by chunk by the correlation ids of its rows. */

import { writeFirst } from "../../durable/atomic-write.ts";
import { MsgError } from "../../errors.ts";
import { shownTime, t } from "../../locale/locale.ts";
import type { Outcome } from "../protocol/actions.ts";
import type { Entry } from "../protocol/entries.ts";
import { expiryMs } from "../run/clocks.ts";
import { readBody } from "../store/plan-file.ts";
import type { RunFile } from "../store/run-file.ts";
import { fileOf } from "../store/run-folder.ts";
import type { RunReader } from "./run-groups.ts";
import { findSend } from "./send-evidence.ts";

/** Throws MsgError (unknown) while a copy of a call may still arrive: then "not there" proves nothing. */
export const entriesOfCalls = async (reader: RunReader): Promise<readonly Entry[]> => {
  const { client, store, run, clock } = reader;
  // Before the first look: what arrives between two of them would be missed by both.
  const until = lastWritten(reader) + expiryMs;
  // As late as can be: that is the safe side for all that asks when these rows were sent.
  const intent = { date: clock.now().toISOString(), salt: "" };
  const signature = { date: run.started, salt: "" };
  const plan = fileOf(store, run.run, "plan.jsonl");
  const entries: Entry[] = [];
  const missing: number[] = [];
  for (const [chunk, planned] of run.chunks.entries()) {
    const body = () => readBody(store.files, plan, planned);
    const options = { client, run, body, onReply: () => undefined, onError: () => undefined };
    const outcome = await findSend({ chunk, signature }, options, {});
    if (outcome.type === "absent") missing.push(chunk);
    else entries.push({ t: "POST_INTENT", chunk, ...intent }, entryOf(run, chunk, outcome));
  }
  if (missing.length > 0 && !isPast(reader, until)) throw tooEarly(run, until);
  return entries;
};

const entryOf = ({ run }: RunFile, chunk: number, outcome: Outcome): Entry => {
  if (outcome.type === "ok")
    return { t: "POST_OK", chunk, group: outcome.id, cost: outcome.cost, ...outcome.counts };
  if (outcome.type === "declined")
    return { t: "POST_REFUSED", chunk, status: 0, code: outcome.code };
  throw new MsgError("unknown", t`the service does not say what became of part ${chunk + 1}`, {
    code: "OutcomeUnknown",
    where: t`run ${run}`,
    todo: t`nothing was changed in the run's folder; check again: msg run reconcile ${run}`,
    outcome: "unknown",
  });
};

/** When the run was last written to, and so signed for at the latest; of a journal that is gone, when that was first seen. */
const lastWritten = ({ store, run }: RunReader): number => {
  const { files } = store;
  const journal = files.lstat(fileOf(store, run.run, "journal.log"));
  if (journal) return journal.changedMs;
  const marker = fileOf(store, run.run, "journal.gone");
  if (!files.lstat(marker)) writeFirst(files, marker, Buffer.alloc(0));
  return files.lstat(marker)?.changedMs ?? Number.POSITIVE_INFINITY;
};

/** By the service's clock and by this machine's. */
const isPast = ({ clock, client }: RunReader, until: number): boolean => {
  const { earliest } = client.clock.now();
  return earliest !== undefined && earliest > until && clock.now().getTime() > until;
};

const tooEarly = ({ run }: RunFile, until: number): MsgError => {
  const time = shownTime(new Date(until).toISOString());
  const what = t`it is not known what of run ${run} was sent: a copy of its last call may still arrive`;
  return new MsgError("unknown", what, {
    code: "TooEarly",
    where: t`run ${run}`,
    todo: t`nothing was changed in the run's folder; msg run reconcile ${run} rebuilds it after ${time}`,
    outcome: "unknown",
  });
};
