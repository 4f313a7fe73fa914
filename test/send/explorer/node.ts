/** One place of the walk: the run as it lives and as its journal holds it, the line, the service and the time. */

import type { Action, Ending } from "../../../src/send/protocol/actions.ts";
import type { State } from "../../../src/send/protocol/state.ts";
import { actionKey, stateKey } from "./keys.ts";
import type { Budget } from "./machine.ts";
import type { ServiceHere } from "./service.ts";

/** Minutes that pass in one step. */
export const stepMinutes = 6;

export interface Node extends Budget {
  readonly live: State;
  readonly durable: State;
  readonly flying: readonly Action[];
  /** Copies that are still on their way. */
  readonly late: readonly Action[];
  readonly service: ServiceHere;
  /** Minutes since the start of the walk, and when each signature was made, by its number. */
  readonly minute: number;
  readonly made: readonly number[];
  /** A process whose lease was taken over, and which goes on all the same. */
  readonly zombie: State | undefined;
  readonly impatient: boolean;
  readonly ending: Ending | undefined;
  /** A group was sent with what somebody else had added to it before the process began. */
  readonly isStrange: boolean;
}

/** Two nodes of one key have the same future. */
export const keyOf = (node: Node): string =>
  [
    stateKey(node.live),
    stateKey(node.durable),
    node.flying.map(actionKey).join(),
    node.late.map(actionKey).sort().join(),
    node.service.groups
      .map(
        (it) =>
          `${it.status.slice(0, 2)}${it.adds.join("")}${it.declined.length > 0 ? `n${it.declined.join("")}` : ""}${it.off ? "o" : ""}${it.strange ? "s" : ""}${it.cut ? "c" : ""}${it.byOther ? "p" : ""}`,
      )
      .join(),
    node.service.books.join("") + node.service.hour[0],
    node.service.used
      .map(({ salt, status }) => `${salt}@${node.minute - status}`)
      .sort()
      .join(),
    node.made.map((it) => Math.min(4, (node.minute - it) / stepMinutes)).join(""),
    node.zombie ? stateKey(node.zombie) : "",
    `${node.faults}${node.kills}${node.cuts}${node.ages}${node.cancels}${node.offs}${node.touches}${node.impatient ? 1 : 0}${node.isStrange ? 1 : 0}`,
    node.ending?.type ?? "",
  ].join("|");
