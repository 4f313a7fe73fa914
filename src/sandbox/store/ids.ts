/** The public ids of rows, and the row of an id. All follow from row number and seed. */
import { createHash } from "node:crypto";
import { seoulOffsetMs } from "../../contract/time.ts";
import type { Cursor } from "./rows.ts";

/** How ids of a kind are written. `shape` captures the row number and its seal, by which the row is found again. */
interface Kind {
  readonly shape: RegExp;
  /** The base in which the row number is written. */
  readonly radix: number;
  readonly seal: (seq: number, seed: number) => string;
  readonly write: (seq: number, seal: string, createdMs: number) => string;
}

/**
 * 32 characters: `M4V` or `G4V`, the time in UTC+9 to the second, and 15 of [0-9A-Z], seven for the row
 * number and eight for its seal: ids grow with insertion and cannot be guessed from one another.
 */
const longId = (prefix: "M4V" | "G4V"): Kind => ({
  shape: new RegExp(`^${prefix}\\d{14}([0-9A-Z]{7})([0-9A-Z]{8})$`),
  radix: 36,
  seal: (seq, seed) => messageSeal(prefix, seq, seed),
  write: (seq, seal, createdMs) => prefix + seoulDigits(createdMs) + base36(seq, 7) + seal,
});

const kinds = {
  message: longId("M4V"),
  group: longId("G4V"),
  /** 24 hex digits: the second, the row, a seal. */
  history: {
    shape: /^[0-9a-f]{8}([0-9a-f]{8})([0-9a-f]{8})$/,
    radix: 16,
    seal: (seq, seed) => sealOf("history", seq, seed).slice(0, 8),
    write: (seq, seal, createdMs) => hex(Math.floor(createdMs / 1000), 8) + hex(seq, 8) + seal,
  },
  /** 31 digits; the last 13 are the time of creation. */
  payment: {
    shape: /^3(\d{7})(\d{10})\d{13}$/,
    radix: 10,
    seal: (seq, seed) => decimalSeal("payment", seq, seed, 10),
    write: (seq, seal, createdMs) => `3${decimal(seq, 7)}${seal}${decimal(createdMs, 13)}`,
  },
  /** 32 digits; the first 13 are the time of creation. */
  withdrawal: {
    shape: /^\d{13}(\d{7})(\d{12})$/,
    radix: 10,
    seal: (seq, seed) => decimalSeal("withdrawal", seq, seed, 12),
    write: (seq, seal, createdMs) => decimal(createdMs, 13) + decimal(seq, 7) + seal,
  },
  /** `MFA`, the time in UTC+9 to the second, and 15 of [0-9A-F]. */
  secondFactor: {
    shape: /^MFA\d{14}([0-9A-F]{7})([0-9A-F]{8})$/,
    radix: 16,
    seal: (seq, seed) => sealOf("transaction", seq, seed).slice(0, 8).toUpperCase(),
    write: (seq, seal, createdMs) =>
      `MFA${seoulDigits(createdMs)}${hex(seq, 7).toUpperCase()}${seal}`,
  },
} as const satisfies Readonly<Record<string, Kind>>;

type IdKind = keyof typeof kinds;

/** The id of a row. The same seed gives the same ids. */
export const idOf = (kind: IdKind, { seq, created }: Cursor, seed: number): string => {
  const { write, seal } = kinds[kind];
  return write(seq, seal(seq, seed), created);
};

/** The row number of an id; 0, which no row has, for an id that this store cannot have issued. */
export const seqOf = (kind: IdKind, id: string, seed: number): number => {
  const { shape, radix, seal } = kinds[kind];
  const [, row = "", found] = shape.exec(id) ?? [];
  const seq = Number.parseInt(row, radix);
  return found !== undefined && found === seal(seq, seed) ? seq : 0;
};

/** The day of UTC+9 as `yyyyMMdd`: the day of quotas and statistics. */
export const seoulDay = (ms: number): string => seoulDigits(ms).slice(0, 8);

/** `yyyyMMddHHmmss` in UTC+9. */
const seoulDigits = (ms: number): string => digitsOf(ms + seoulOffsetMs).slice(0, 14);

const digitsOf = (ms: number): string => new Date(ms).toISOString().split(/\D/).join("");

const base36 = (value: number, digits: number): string =>
  value.toString(36).toUpperCase().padStart(digits, "0");

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, "0");

const decimal = (value: number, digits: number): string => String(value).padStart(digits, "0");

/** Eight characters that look random and follow from kind, number and seed: two rounds of a 32-bit mix. */
const messageSeal = (kind: string, seq: number, seed: number): string => {
  const high = mix(seq ^ mix(seed + kind.charCodeAt(0)));
  const low = mix(high ^ Math.floor(seq / 2 ** 32) ^ seed);
  const range = 36 ** 4;
  return base36(high % range, 4) + base36(low % range, 4);
};

/** The finalizer of MurmurHash3: every bit of the value affects every bit of the result. */
export const mix = (value: number): number => {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
};

/** Hex digits that look random and follow from kind, number and seed: one id does not reveal the next. */
export const sealOf = (kind: string, seq: number, seed: number): string =>
  createHash("sha256").update(`${kind} ${seq} ${seed}`).digest("hex");

/** The same as decimal digits. */
export const decimalSeal = (kind: string, seq: number, seed: number, digits: number): string =>
  (BigInt(`0x${sealOf(kind, seq, seed)}`) % 10n ** BigInt(digits)).toString().padStart(digits, "0");

/** Ids of `KA01TP` and the like: prefix, UTC to the millisecond, a counter, a seal. Newer ids are greater. */
export const recordIdOf = (prefix: string, seq: number, createdMs: number, seed: number): string =>
  prefix +
  digitsOf(createdMs).slice(2) +
  base36(seq, 5) +
  sealOf(prefix, seq, seed).slice(0, 6).toUpperCase();

/** The six digits of a second factor, or those that link a channel. They are never stored. */
export const codeOf = (kind: "code" | "token", seq: number, seed: number): string =>
  decimalSeal(kind, seq, seed, 6);
