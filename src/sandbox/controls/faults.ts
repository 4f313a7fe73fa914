/** Switches faults on and off. */
import type { Input, Reply } from "../../contract/endpoint.ts";
import type { Controls } from "../../contract/sandbox.ts";
import { readDuration } from "../checks/durations.ts";
import { Refusal } from "../service.ts";
import { type FaultKind, type FaultRow, faultKinds } from "../store/faults.ts";
import type { Bench } from "./bench.ts";

type FaultRecord = Reply<Controls["addFault"]>;

export const addFault = ({ body }: Input<Controls["addFault"]>, { store }: Bench): FaultRecord => {
  const { times, probability } = body;
  if (times !== undefined && !(Number.isInteger(times) && times >= 1))
    throw invalid(`'times' must be a whole number from 1, not ${times}.`);
  if (probability !== undefined && !(probability > 0 && probability <= 1))
    throw invalid(`'probability' must be above 0 and at most 1, not ${probability}.`);
  const added = store.faults.add({
    ...whichOf(body.on),
    ...whatOf(body.do),
    timesLeft: times ?? null,
    probability: probability ?? null,
  });
  return faultRecord(added);
};

export const listFaults = (
  { query }: Input<Controls["listFaults"]>,
  { store }: Bench,
): FaultRecord[] => {
  const offset = query?.offset ?? 0;
  const all = store.faults.list().map(faultRecord);
  return all.slice(offset, offset + (query?.limit ?? all.length));
};

export const clearFaults = (
  { query }: Input<Controls["clearFaults"]>,
  { store }: Bench,
): Reply<Controls["clearFaults"]> => {
  const { faultId } = query ?? {};
  if (faultId === undefined) return { cleared: store.faults.clear() };
  return { cleared: store.faults.remove(Number(faultId)) };
};

/** A fault as answers and pages show it. */
export const faultRecord = (fault: FaultRow): FaultRecord => ({
  faultId: String(fault.seq),
  on: `${fault.method} ${fault.path}`,
  do: wordsOf(fault),
  timesLeft: fault.timesLeft,
  probability: fault.probability,
  happened: fault.happened,
});

const wordsOf = ({ kind, amount }: FaultRow): string => {
  if (kind === "status") return `status:${amount}`;
  return kind === "delay" ? `delay:${amount}ms` : kind;
};

/** `POST /messages/v4/*`, `/messages/*` for every method, or `*`. */
const whichOf = (on: string): Pick<FaultRow, "method" | "path"> => {
  const [, method = "*", path] = /^(?:([A-Za-z]+|\*)\s+)?(\/\S*|\*)$/.exec(on.trim()) ?? [];
  if (path !== undefined) return { method: method.toUpperCase(), path };
  throw invalid(`'on' is a method and a path such as 'POST /messages/v4/*', not '${on}'.`);
};

const whatOf = (text: string): Pick<FaultRow, "kind" | "amount"> => {
  const [word = "", amount] = text.split(/:(.*)/s);
  const kind = faultKinds.find((it) => it === word);
  if (kind === undefined) throw unknownFault(text);
  return { kind, amount: amountOf(kind, amount, text) };
};

const amountOf = (kind: FaultKind, amount: string | undefined, text: string): number => {
  if (kind === "status" && /^[45]\d\d$/.test(amount ?? "")) return Number(amount);
  const ms = kind === "delay" ? readDuration(amount ?? "") : undefined;
  if (ms !== undefined && ms > 0) return ms;
  if (kind !== "status" && kind !== "delay" && amount === undefined) return 0;
  throw unknownFault(text);
};

const unknownFault = (text: string): Refusal =>
  invalid(
    `'do' is drop-before, drop-after, truncate, garbage, rate-limit, status:503 (400 to 599) or delay:2s, not '${text}'.`,
  );

const invalid = (text: string): Refusal => new Refusal(400, "ValidationError", text);
