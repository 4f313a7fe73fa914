/**
 * Paths S and direct: each chunk is one call that sends, behind the fence (sending.md 1). A doubtful
 * call is repeated with the same signature only: it executes once, or the service says that it has
 * seen it. What cannot be repeated any more is looked for, and never sent again on mere absence.
 */
import type { Action, Entry, Facts, Note, Outcome, Step, Stop, World } from "./entries.ts";
import type { Chunk, State } from "./state.ts";
import { act, among, end, endWhenLanded, flyingIn, wait } from "./steps.ts";

export const decidePosts = (state: State, world: World): Step => {
  const flying = flyingIn(state);
  const doubt = nextDoubt(state);
  // That one call was refused, or has to wait for the day, says nothing of what got no answer: it is settled.
  if (state.stop && (!settledAt.has(state.stop) || doubt < 0))
    return endWhenLanded(state, { is: "stopped", why: state.stop });
  if (doubt >= 0) return flying > 0 ? wait : settlePost(state, doubt, world);
  if (state.cancel) return endWhenLanded(state, { is: "cancelled" });
  if (state.shape.goal === "settle") return end({ is: "done" });
  const next = state.chunks.findIndex((it) => it.at === "planned" || it.at === "refused");
  if (next < 0) return endWhenLanded(state, { is: "done" });
  if (flying >= state.shape.concurrency) return wait;
  if (!state.cleared) return act({ do: "clear" });
  const signature = world.fresh();
  const intent: Entry = { t: "POST_INTENT", chunk: next, ...signature };
  return among({ do: "post", chunk: next, signature, again: false }, [intent]);
};

const settledAt: ReadonlySet<Stop> = new Set(["refused", "guard"]);

/** Who only looks, looks for each before the first is looked for again. */
const nextDoubt = ({ chunks, shape }: State): number => {
  const unseen =
    shape.goal === "settle" ? chunks.findIndex((it) => it.at === "doubt" && !it.looked) : -1;
  return unseen >= 0 ? unseen : chunks.findIndex((it) => it.at === "doubt");
};

const settlePost = (state: State, chunk: number, world: World): Step => {
  const doubt = state.chunks[chunk];
  if (!doubt || !("signature" in doubt)) return wait;
  const { signature } = doubt;
  const patient = world.patient(signature.salt);
  if (doubt.limited && !doubt.burnt && !doubt.looked)
    return act({ do: "look", chunk, signature, final: false });
  if (patient && mayRepeat(state, doubt) && world.fenceOpen(signature)) {
    if (state.fence === "unknown") return act({ do: "probe" });
    if (state.shape.byDay && !state.cleared) return act({ do: "clear" });
    return act({ do: "post", chunk, signature, again: true });
  }
  const final = state.shape.signed && world.expired(signature);
  const look = act({ do: "look", chunk, signature, final });
  if (!state.shape.tagged) return end({ is: "unknown", signature });
  return patient || final || !doubt.looked ? look : end({ is: "unknown", signature });
};

/**
 * The service may have forgotten what an earlier process sent, if the clock of this machine was set since.
 * What it took so long ago can be seen, so that is looked for first.
 */
const mayRepeat = (state: State, doubt: Extract<Chunk, { readonly burnt: boolean }>): boolean =>
  !doubt.burnt &&
  !doubt.inherited &&
  !state.cancel &&
  state.stop !== "guard" &&
  state.shape.goal === "finish" &&
  state.shape.signed &&
  state.fence !== "broken";

type PostAction = Extract<Action, { do: "post" | "look" }>;

export const concludePost = (state: State, action: PostAction, outcome: Outcome): Facts => {
  const told: Outcome = isForeign(state, action.chunk, outcome) ? { is: "unreadable" } : outcome;
  return action.do === "look" ? afterLook(state, action, told) : afterPost(state, action, told);
};

/** An answer that names the group of another call is not the answer to this one. */
const isForeign = ({ chunks }: State, chunk: number, outcome: Outcome): boolean =>
  outcome.is === "ok" &&
  outcome.id !== "" &&
  chunks.some((it, at) => at !== chunk && it.at === "done" && it.group === outcome.id);

const afterPost = (
  { shape: { tagged } }: State,
  { chunk, again }: Extract<Action, { do: "post" }>,
  outcome: Outcome,
): Facts => {
  switch (outcome.is) {
    case "ok":
      return [{ t: "POST_OK", chunk, group: outcome.id, cost: outcome.cost, ...outcome.counts }];
    case "duplicated":
      return [
        { t: "DOUBT", chunk },
        { t: "burnt", chunk },
      ];
    case "notSent":
      return again ? [] : [refused(chunk, 0, "Unreachable"), { t: "stop", why: "unreachable" }];
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

const stopRefused: Note = { t: "stop", why: "refused" };

/**
 * A first call that is refused was not executed. A repeat that is refused says that of itself alone,
 * unless the refusal comes from behind the check of the signature: then this was the first copy to
 * arrive, and none can follow it.
 */
const afterRefusal = (
  chunk: number,
  again: boolean,
  { status, code }: { readonly status: number; readonly code: string },
): Facts => {
  const behindSignature =
    status === 402 || (status === 400 && code === "ValidationError") || secondFactor.test(code);
  if (!again || behindSignature) return [refused(chunk, status, code), stopRefused];
  return [{ t: "burnt", chunk }];
};

/** The code is checked behind the signature; a transaction that was used would be another word. */
const secondFactor = /^(MFARequired|MFAExpired|InvalidMFAToken|TooManyMFAAttempts)$/;

const afterLook = (
  { shape, cancel, refusedBefore, chunks }: State,
  { chunk, final }: Extract<Action, { do: "look" }>,
  outcome: Outcome,
): Facts => {
  // Who is about to send would send it anew at once.
  const isSending = shape.goal === "finish" && !cancel;
  if (outcome.is === "ok")
    return [{ t: "POST_OK", chunk, group: outcome.id, cost: outcome.cost, ...outcome.counts }];
  // It was executed, and no copy of it can be; but what was refused before looks alike.
  if (outcome.is === "declined" && !refusedBefore)
    return [refused(chunk, 0, outcome.code), ...(isSending ? [stopRefused] : [])];
  const absent = outcome.is === "absent" || outcome.is === "declined";
  const doubt = chunks[chunk];
  const isLimited = doubt !== undefined && "limited" in doubt && doubt.limited && !doubt.burnt;
  if (absent && (final || isLimited)) return [{ t: "RESOLVED", chunk, how: "absent" }];
  // Nobody can be asked: a final look that fails must not be repeated for ever.
  if (final) return [{ t: "stop", why: "unreadable" }];
  return [{ t: "looked", chunk, absent }];
};
