/** The public ids of rows, and the way back from an id to its row. All follow from row number and seed. */
import { createHash } from "node:crypto";
import { seoulOffsetMs } from "../../contract/time.ts";

/** `M4V` for messages, `G4V` for groups. */
type IdKind = "M4V" | "G4V";

const counterDigits = 7;
const sealDigits = 8;
const shapes = {
  M4V: /^M4V\d{14}([0-9A-Z]{7})([0-9A-Z]{8})$/,
  G4V: /^G4V\d{14}([0-9A-Z]{7})([0-9A-Z]{8})$/,
};

/**
 * 32 characters: kind, the time in UTC+9 to the second, and 15 of [0-9A-Z], of which seven count the
 * rows and eight seal them: ids grow with insertion and cannot be guessed from one another. The same
 * seed gives the same ids.
 */
export const idOf = (kind: IdKind, seq: number, createdMs: number, seed: number): string =>
  kind + seoulDigits(createdMs) + base36(seq, counterDigits) + messageSeal(kind, seq, seed);

/** The row number of an id; for one that this store cannot have given 0, which no row has. */
export const seqOf = (kind: IdKind, id: string, seed: number): number =>
  sealedSeq(shapes[kind].exec(id), 36, (seq) => messageSeal(kind, seq, seed));

/** Of the number and the seal that an id shows: the number, where its seal is right. */
const sealedSeq = (
  found: RegExpExecArray | null,
  radix: number,
  sealFor: (seq: number) => string,
): number => {
  const [, row = "", seal] = found ?? [];
  const seq = Number.parseInt(row, radix);
  return seal !== undefined && seal === sealFor(seq) ? seq : 0;
};

/** The day of UTC+9 as `yyyyMMdd`: the day of quotas and statistics. */
export const seoulDay = (ms: number): string => seoulDigits(ms).slice(0, 8);

/** `yyyyMMddHHmmss` in UTC+9. */
const seoulDigits = (ms: number): string => digitsOf(ms + seoulOffsetMs).slice(0, 14);

const digitsOf = (ms: number): string => new Date(ms).toISOString().replaceAll(/\D/g, "");

const base36 = (value: number, digits: number): string =>
  value.toString(36).toUpperCase().padStart(digits, "0");

/** Eight characters that look random and follow from kind, number and seed: two rounds of a 32-bit mix. */
const messageSeal = (kind: IdKind, seq: number, seed: number): string => {
  const high = mix(seq ^ mix(seed + kind.charCodeAt(0)));
  const low = mix(high ^ Math.floor(seq / 2 ** 32) ^ seed);
  const range = 36 ** (sealDigits / 2);
  return base36((high % range) * range + (low % range), sealDigits);
};

/** The finalizer of MurmurHash3: every bit of the value moves every bit of the result. */
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

/** 24 hex digits: the second, the row, a seal. */
export const historyIdOf = (seq: number, createdMs: number, seed: number): string =>
  hex8(Math.floor(createdMs / 1000)) + hex8(seq) + historySeal(seq, seed);

export const historySeqOf = (id: string, seed: number): number =>
  sealedSeq(/^[0-9a-f]{8}([0-9a-f]{8})([0-9a-f]{8})$/.exec(id), 16, (seq) =>
    historySeal(seq, seed),
  );

const hex8 = (value: number): string => value.toString(16).padStart(8, "0");
const historySeal = (seq: number, seed: number): string => sealOf("history", seq, seed).slice(0, 8);

/** 31 digits, of which the last 13 are the time of creation. */
export const paymentIdOf = (seq: number, createdMs: number, seed: number): string =>
  `3${rowDigits(seq)}${decimalSeal("payment", seq, seed, 10)}${millisecondsOf(createdMs)}`;

export const paymentSeqOf = (id: string, seed: number): number =>
  sealedSeq(/^3(\d{7})(\d{10})\d{13}$/.exec(id), 10, (seq) =>
    decimalSeal("payment", seq, seed, 10),
  );

/** 32 digits, of which the first 13 are the time of creation. */
export const withdrawIdOf = (seq: number, createdMs: number, seed: number): string =>
  `${millisecondsOf(createdMs)}${rowDigits(seq)}${decimalSeal("withdrawal", seq, seed, 12)}`;

export const withdrawSeqOf = (id: string, seed: number): number =>
  sealedSeq(/^\d{13}(\d{7})(\d{12})$/.exec(id), 10, (seq) =>
    decimalSeal("withdrawal", seq, seed, 12),
  );

const rowDigits = (seq: number): string => String(seq).padStart(7, "0");
const millisecondsOf = (ms: number): string => String(ms).padStart(13, "0");

/** `MFA`, the time in UTC+9 to the second, and 15 of [0-9A-F]. */
export const secondFactorIdOf = (seq: number, createdMs: number, seed: number): string =>
  `MFA${seoulDigits(createdMs)}${seq.toString(16).toUpperCase().padStart(7, "0")}` +
  transactionSeal(seq, seed);

export const secondFactorSeqOf = (id: string, seed: number): number =>
  sealedSeq(/^MFA\d{14}([0-9A-F]{7})([0-9A-F]{8})$/.exec(id), 16, (seq) =>
    transactionSeal(seq, seed),
  );

const transactionSeal = (seq: number, seed: number): string =>
  sealOf("transaction", seq, seed).slice(0, 8).toUpperCase();

/** The six digits of a voice call or an e-mail. They are never stored. */
export const codeOf = (seq: number, seed: number): string => decimalSeal("code", seq, seed, 6);

/** The six digits that link a channel. They are never stored. */
export const tokenOf = (seq: number, seed: number): string =>
  String(Number.parseInt(sealOf("token", seq, seed).slice(0, 12), 16) % 1_000_000).padStart(6, "0");
