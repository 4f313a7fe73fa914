/** Switches faults on and off, and lists those that are on. */
import type { Reply } from "../../contract/endpoint.ts";
import type { Controls } from "../../contract/sandbox.ts";
import { readEffect, readTarget } from "../../contract/sandbox-state.ts";
import type { FaultRow } from "../store/faults.ts";
import { type ControlHandler, readChecked } from "./admin-context.ts";

type FaultRecord = Reply<Controls["addFault"]>;

export const addFault: ControlHandler<"addFault"> = ({ body }, { store }) => {
  const { times, probability } = body;
  const added = store.faults.add({
    ...readChecked(readTarget, body.on),
    ...readChecked(readEffect, body.do),
    timesLeft: times ?? null,
    probability: probability ?? null,
  });
  return faultRecord(added);
};

export const listFaults: ControlHandler<"listFaults"> = ({ query }, { store }) => {
  const offset = query?.offset ?? 0;
  const all = store.faults.all().map(faultRecord);
  return all.slice(offset, offset + (query?.limit ?? all.length));
};

export const clearFaults: ControlHandler<"clearFaults"> = ({ query }, { store }) => {
  const { faultId } = query ?? {};
  if (faultId === undefined) return { cleared: store.faults.clear() };
  return { cleared: store.faults.remove(Number(faultId)) };
};

/** A fault as answers and pages show it. */
export const faultRecord = (fault: FaultRow): FaultRecord => ({
  faultId: String(fault.seq),
  on: `${fault.method} ${fault.path}`,
  do: describeEffect(fault),
  timesLeft: fault.timesLeft,
  probability: fault.probability,
  happened: fault.happened,
});

const describeEffect = ({ kind, amount }: FaultRow): string => {
  if (kind === "status") return `status:${amount}`;
  return kind === "delay" ? `delay:${amount}ms` : kind;
};
