/**
 * Paths S and direct: each chunk is one call that sends, inside a replay window. A call without an
 * answer is repeated with the same signature only: it executes once, or the service says that it
 * has seen it. A call that can no longer be repeated is looked for, and never sent again because it
 * is absent.
 */
import {
  type Action,
  act,
  type Clock,
  countInFlight,
  end,
  endWhenCompleted,
  type Outcome,
  type Step,
  wait,
} from "./actions.ts";
import { type Entry, type Facts, stop } from "./entries.ts";
import { type Chunk, isRateLimited, type State } from "./state.ts";

export const decidePosts = (state: State, clock: Clock): Step => {
  const inFlight = countInFlight(state);
  const unknown = nextUnknown(state);
  // A call that was refused, or waits for the day, says nothing of one without an answer.
  if (unknown >= 0 && state.stop !== "unable")
    return inFlight > 0 ? wait : reconcilePost(state, unknown, clock);
  if (state.stop) return endWhenCompleted(state, { type: "stopped" });
  if (state.cancel) return endWhenCompleted(state, { type: "cancelled" });
  if (state.shape.goal === "reconcile") return end({ type: "done" });
  const next = state.chunks.findIndex((it) => it.status === "planned" || it.status === "refused");
  if (next < 0) return endWhenCompleted(state, { type: "done" });
  if (inFlight >= state.shape.concurrency) return wait;
  if (!state.cleared) return act({ type: "clear" });
  const signature = clock.fresh();
  const intent: Entry = { t: "POST_INTENT", chunk: next, ...signature };
  return act({ type: "post", chunk: next, signature, again: false }, [intent]);
};

/** If nothing is sent, each is looked for before the first is looked for again. */
const nextUnknown = ({ chunks, shape }: State): number => {
  const unsearched = chunks.findIndex((it) => it.status === "unknown" && !it.searched);
  if (shape.goal === "reconcile" && unsearched >= 0) return unsearched;
  return chunks.findIndex((it) => it.status === "unknown");
};

const reconcilePost = (state: State, chunk: number, clock: Clock): Step => {
  const unknown = state.chunks[chunk];
  if (!unknown || !("signature" in unknown)) return wait;
  const { signature } = unknown;
  const isWithinTimeout = clock.withinTimeout(signature.salt);
  if (isRateLimited(unknown) && !unknown.searched)
    return act({ type: "findEvidence", chunk, signature, final: false });
  if (isWithinTimeout && canRepeat(state, unknown) && clock.canReplay(signature)) {
    if (state.replayWindow === "unknown") return act({ type: "probe" });
    if (state.shape.byDay && !state.cleared) return act({ type: "clear" });
    return act({ type: "post", chunk, signature, again: true });
  }
  const final = state.shape.signed && clock.expired(signature);
  const mayLook = isWithinTimeout || final || !unknown.searched;
  return state.shape.tagged && mayLook
    ? act({ type: "findEvidence", chunk, signature, final })
    : end({ type: "unknown", signature });
};

/**
 * The service may have forgotten what an earlier process sent, if the clock of this machine was set since.
 * What it took that long ago is visible by now, so it is looked for first.
 */
const canRepeat = (
  state: State,
  unknown: Extract<Chunk, { readonly signatureUsed: boolean }>,
): boolean =>
  !unknown.signatureUsed &&
  !unknown.inherited &&
  !state.cancel &&
  state.stop !== "guard" &&
  state.shape.goal === "finish" &&
  state.shape.signed &&
  state.replayWindow !== "broken";

type PostAction = Extract<Action, { type: "post" | "findEvidence" }>;

export const concludePost = (state: State, action: PostAction, outcome: Outcome): Facts => {
  const own: Outcome = isForeign(state, action.chunk, outcome) ? { type: "unreadable" } : outcome;
  return action.type === "findEvidence"
    ? afterEvidence(state, action, own)
    : afterPost(state, action, own);
};

/** An answer that names the group of another call is not the answer to this one. */
const isForeign = ({ chunks }: State, chunk: number, outcome: Outcome): boolean =>
  outcome.type === "ok" &&
  outcome.id !== "" &&
  chunks.some((it, at) => at !== chunk && it.status === "done" && it.group === outcome.id);

const afterPost = (
  { shape: { tagged } }: State,
  { chunk, again }: Extract<Action, { type: "post" }>,
  outcome: Outcome,
): Facts => {
  switch (outcome.type) {
    case "ok":
      return [{ t: "POST_OK", chunk, group: outcome.id, cost: outcome.cost, ...outcome.counts }];
    case "duplicated":
      return [
        { t: "DOUBT", chunk },
        { t: "signatureUsed", chunk },
      ];
    case "notSent":
      return again ? [] : [refused(chunk, 0, "Unreachable"), stop("unable")];
    case "limited":
      if (again) return [];
      // Without a correlation id there is nothing to look for.
      return [tagged ? { t: "limited", chunk } : { t: "DOUBT", chunk }];
    case "refused":
      return afterRefusal(chunk, again, outcome);
    default:
      return [{ t: "DOUBT", chunk }];
  }
};

const refused = (chunk: number, status: number, code: string): Entry => ({
  t: "POST_REFUSED",
  chunk,
  status,
  code,
});

/**
 * A first call that is refused was not executed. The refusal of a repeat proves that for the repeat
 * alone, unless the service refuses after it has checked the signature: then this was the first copy
 * to arrive, and none can follow it.
 */
const afterRefusal = (
  chunk: number,
  again: boolean,
  { status, code }: { readonly status: number; readonly code: string },
): Facts => {
  const behindSignature =
    status === 402 || (status === 400 && code === "ValidationError") || secondFactor.test(code);
  if (!again || behindSignature) return [refused(chunk, status, code), stop("refused")];
  return [{ t: "signatureUsed", chunk }];
};

/** The code is checked after the signature; for a transaction that was used the service has another one. */
const secondFactor = /^(MFARequired|MFAExpired|InvalidMFAToken|TooManyMFAAttempts)$/;

const afterEvidence = (
  { shape, cancel, refusedBefore, chunks }: State,
  { chunk, final }: Extract<Action, { type: "findEvidence" }>,
  outcome: Outcome,
): Facts => {
  // A run that sends would send it again at once.
  const isSending = shape.goal === "finish" && !cancel;
  if (outcome.type === "ok")
    return [{ t: "POST_OK", chunk, group: outcome.id, cost: outcome.cost, ...outcome.counts }];
  // It was executed, and no copy of it can be; but what a refused call left before looks the same.
  if (outcome.type === "declined" && !refusedBefore)
    return [refused(chunk, 0, outcome.code), ...(isSending ? [stop("refused")] : [])];
  const absent = outcome.type === "absent" || outcome.type === "declined";
  if (absent && (final || isRateLimited(chunks[chunk])))
    return [{ t: "RESOLVED", chunk, how: "absent" }];
  // The service cannot be asked: a final look that fails must not be repeated forever.
  if (final) return [stop("unable")];
  return [{ t: "searched", chunk, absent }];
};
