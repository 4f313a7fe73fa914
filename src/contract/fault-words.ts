/** How a fault of the sandbox is written: which requests it strikes, and what becomes of them. */
import { parseDuration } from "./durations.ts";

const faultKinds = [
  "drop-before",
  "drop-after",
  "truncate",
  "garbage",
  "rate-limit",
  "status",
  "delay",
] as const;
export type FaultKind = (typeof faultKinds)[number];

const usualAmounts: Readonly<Partial<Record<FaultKind, string>>> = {
  status: "status:503",
  delay: "delay:2s",
};

/** Far longer than anyone waits; timers take no more than 24 days, and go off at once for more. */
export const maxDelayMs = 86_400_000;

/** The usual ones, for completion. */
export const defaultFaults = faultKinds.map((kind) => usualAmounts[kind] ?? kind);

/** What may be written, for help and errors. */
export const faultForms =
  "drop-before, drop-after, truncate, garbage, rate-limit, status:503 (400 to 599) or delay:2s (up to 1d)";
export const targetForms = "a method and a path, 'POST /messages/v4/*', or '*' for every request";

interface Target {
  /** `*` for any. */
  readonly method: string;
  /** A path in which `*` stands for any characters. */
  readonly path: string;
}

/** `POST /messages/v4/*`, `/messages/*` for every method, or `*`; undefined for anything else. */
export const readTarget = (on: string): Target | undefined => {
  const [, method = "*", path] = /^(?:([A-Za-z]+|\*)\s+)?(\/\S*|\*)$/.exec(on.trim()) ?? [];
  return path === undefined ? undefined : { method: method.toUpperCase(), path };
};

interface Happening {
  readonly kind: FaultKind;
  /** The status of `status`, the milliseconds of `delay`, else 0. */
  readonly amount: number;
}

/** `drop-after`, `status:503`, `delay:2s`; undefined for anything else. */
export const readEffect = (text: string): Happening | undefined => {
  const [word = "", given] = text.split(/:(.*)/s);
  const kind = faultKinds.find((it) => it === word);
  const amount = kind && amountOf(kind, given);
  return kind === undefined || amount === undefined ? undefined : { kind, amount };
};

const amountOf = (kind: FaultKind, given: string | undefined): number | undefined => {
  if (kind === "status") return /^[45]\d\d$/.test(given ?? "") ? Number(given) : undefined;
  if (kind !== "delay") return given === undefined ? 0 : undefined;
  const ms = parseDuration(given ?? "");
  return ms !== undefined && ms > 0 && ms <= maxDelayMs ? ms : undefined;
};
