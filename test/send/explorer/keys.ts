/** States and actions as short texts: what is equal in all that matters is walked once. */
import type { Action } from "../../../src/send/protocol/actions.ts";
import { isFinished } from "../../../src/send/protocol/group-status.ts";
import type { State } from "../../../src/send/protocol/state.ts";

export const actionKey = (action: Action): string => {
  const where = "groupIndex" in action ? action.groupIndex : "";
  const what = "chunk" in action ? action.chunk : "";
  const salt = "signature" in action ? action.signature.salt : "";
  const flag = "again" in action ? action.again : "final" in action ? action.final : "";
  return `${action.type}.${where}.${what}.${salt}.${flag}`;
};

/** States do not change, and most nodes share theirs with others. */
const known = new WeakMap<State, string>();

export const stateKey = (state: State): string => {
  const key = known.get(state) ?? shortened(keyOf(state));
  known.set(state, key);
  return key;
};

/** A number for each text: the keys of nodes are long as it is. */
const numbers = new Map<string, string>();

const shortened = (text: string): string => {
  const number = numbers.get(text) ?? numbers.size.toString(36);
  numbers.set(text, number);
  return number;
};

const keyOf = (state: State): string => {
  const chunks = state.chunks.map((it) =>
    "signature" in it
      ? `${it.status[0]}${it.signature.salt}${it.signatureUsed ? "b" : ""}${it.searched ? "l" : ""}${it.limited ? "m" : ""}${it.inherited ? "i" : ""}`
      : `${it.status.slice(0, 2)}${it.status === "done" && it.accepted === 0 ? "n" : ""}`,
  );
  const groups = state.groups.map(
    (it) =>
      `${it.status.slice(0, 7)}${it.chunks.join("")}${it.id ?? "-"}${it.refusal === undefined ? "" : "r"}${it.foreignAnswers || ""}${it.hasUnknownSend ? "d" : ""}${it.read[0]}${it.schedule === "on" ? "" : it.schedule}${it.inherited && !isFinished(it) ? "i" : ""}${it.hasIntent && it.status === "sending" ? "w" : ""}`,
  );
  const flags = [
    state.shape.goal[0],
    state.width,
    state.abandons,
    state.cancel,
    state.ended,
    state.replayWindow,
    state.cleared,
    state.stop,
    state.canary[0],
  ];
  const others = state.shape.claim ? `;${claimKey(state)}` : "";
  return `${chunks.join()};${groups.join()};${flags.join()}${others}`;
};

/** What it knows of others. */
const claimKey = ({ taken, rivals, mayFill }: State): string =>
  [
    taken.map(({ id, scheduled }) => `${id}${scheduled ? "s" : ""}`).sort(),
    rivals
      ?.map((it) => `${it.id}${it.isActive ? "m" : ""}${it.status === "scheduled" ? "s" : ""}`)
      .sort() ?? "-",
    mayFill ? 1 : 0,
  ].join("/");
