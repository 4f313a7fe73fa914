/** What the journal says of each chunk, and whether the service's books agree. */

import type { State } from "../../../src/send/protocol/state.ts";
import type { Node } from "./node.ts";
import { atItsHour } from "./service.ts";

/**
 * What is done was sent or goes out at its hour, but for groups that the service refused as a whole, that
 * somebody else took off their schedule, or that somebody else deleted while their send was in doubt.
 */
export const isKept = ({ service, durable }: Node): boolean => {
  const failed = durable.groups.filter((it) => it.status === "failed" || it.status === "cancelled");
  const off = service.groups.filter((it) => it.off);
  return atItsHour(service).books.every(
    (it, at) =>
      it === 1 ||
      isDeclined(durable, at) ||
      failed.some(({ chunks }) => chunks.includes(at)) ||
      off.some(({ adds }) => (adds[at] ?? 0) > 0),
  );
};

/** The service took the row of the chunk, and refused it. */
const isDeclined = ({ chunks }: State, at: number): boolean => {
  const chunk = chunks[at];
  return chunk?.status === "done" && chunk.accepted === 0;
};

/** Whether a row behind the canary went out, though no one has said that the canary arrived. */
export const isEarly = ({ service, durable }: Node): boolean => {
  const { canary } = durable.shape;
  if (canary === undefined || durable.canary === "passed") return false;
  return service.books.some((it, at) => it > 0 && (at < canary.from || at >= canary.to));
};

export const isWrong = (claim: "accepted" | "not sent" | "open", sent: number): boolean =>
  (claim === "accepted" && sent !== 1) || (claim === "not sent" && sent !== 0);

/** What the journal says of each chunk; at an end what is left says "not sent". */
export const claims = (node: Node): ("accepted" | "not sent" | "open")[] => {
  const { durable, ending } = node;
  return durable.chunks.map((chunk, at) => {
    if (durable.shape.path !== "G") {
      if (chunk.status === "done") return "accepted";
      return ending && (chunk.status === "planned" || chunk.status === "refused")
        ? "not sent"
        : "open";
    }
    const group = durable.groups.find((it) => it.chunks.includes(at) && it.status !== "abandoned");
    if (group?.status === "sent" && isDeclined(durable, at)) return "not sent";
    if (group?.status === "sent")
      return durable.shape.scheduled && group.schedule !== "out" ? "open" : "accepted";
    const isOpen = group?.status === "sending" || group?.status === "touched";
    return group?.status === "cancelled" || (ending && !isOpen && !isToBeRead(node))
      ? "not sent"
      : "open";
  });
};

/** A person sends a group of which the process has not heard since: it says what was true when it looked. */
const isToBeRead = ({ service }: Node): boolean => service.groups.some((it) => it.byOther);
