/** Five protocols that are often written, each made from the real one by its one wrong step. */
import type { Entry, World } from "../../../src/bulk/protocol/entries.ts";
import { conclude, decide } from "../../../src/bulk/protocol/machine.ts";
import type { State } from "../../../src/bulk/protocol/state.ts";
import type { Machine } from "./explorer.ts";

/** Repeats a doubtful call with a new signature, as the service's own SDK does. */
export const retryWithNewSignature: Machine = {
  conclude,
  decide: (state, world) => {
    const step = decide(state, world);
    if (step.do !== "act" || step.action.do !== "post" || !step.action.again) return step;
    const signature = world.fresh();
    const { chunk } = step.action;
    const intent: Entry = { t: "POST_INTENT", chunk, ...signature };
    return { ...step, before: [intent], action: { ...step.action, signature, again: false } };
  },
};

/** Looks for a doubtful call, and sends it again when it is not there. */
export const lookThenResend: Machine = {
  conclude,
  decide: (state, world) => {
    const chunk = state.chunks.findIndex((it) => it.at === "doubt");
    const doubt = state.chunks[chunk];
    if (!doubt || !("signature" in doubt)) return decide(state, world);
    const action = { do: "look", chunk, signature: doubt.signature, final: true } as const;
    return { do: "act", before: [], action, alone: true };
  },
};

/** Counts the rows of a group after a doubtful add, and adds again what seems to be missing. */
export const countThenAddAgain: Machine = {
  decide: (state: State, world: World) => {
    const chunk = state.chunks.findIndex((it) => it.at === "doubt");
    const group = state.groups.find((it) => it.at === "filling");
    if (chunk < 0 || !group || state.stop) return decide(state, world);
    const action = { do: "count", gen: group.gen, id: group.id ?? "", chunk } as const;
    return { do: "act", before: [], action, alone: true };
  },
  conclude: (state, action, outcome) => {
    const facts = conclude(state, action, outcome);
    const missing = action.do === "count" && facts[0]?.t === "ABANDON";
    return missing ? [{ t: "RESOLVED", chunk: action.chunk, how: "absent" }] : facts;
  },
};

/** Takes a group that was taken off its schedule for one that is never sent. */
export const takeOpenForNeverSent: Machine = {
  decide,
  conclude: (state, action, outcome) =>
    conclude(state, action, outcome).map((it) =>
      it.t === "OFF" ? { t: "CANCELLED", gen: it.gen } : it,
    ),
};

/** Sends what another process verified, and does not look what became of it since. */
export const sendUnread: Machine = {
  conclude,
  decide: (state, world) =>
    decide({ ...state, groups: state.groups.map((it) => ({ ...it, inherited: false })) }, world),
};
