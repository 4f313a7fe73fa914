/** Ids of money records. Like those of messages they follow from row number and seed (ids.ts). */
import { createHash } from "node:crypto";
import { seoulDigits } from "./ids.ts";

/** Everything of an id but its row number: one id does not reveal the next. */
const sealOf = (kind: string, seq: number, seed: number): string =>
  createHash("sha256").update(`${kind} ${seq} ${seed}`).digest("hex");

const decimalOf = (hex: string, digits: number): string =>
  (BigInt(`0x${hex}`) % 10n ** BigInt(digits)).toString().padStart(digits, "0");

const millisecondsOf = (ms: number): string => String(ms).padStart(13, "0");

/** 24 hex digits: the second, the row, a seal. */
export const historyIdOf = (seq: number, createdMs: number, seed: number): string =>
  Math.floor(createdMs / 1000)
    .toString(16)
    .padStart(8, "0") +
  seq.toString(16).padStart(8, "0") +
  sealOf("history", seq, seed).slice(0, 8);

export const historySeqOf = (id: string, seed: number): number | undefined => {
  const [, hex = "", seal] = /^[0-9a-f]{8}([0-9a-f]{8})([0-9a-f]{8})$/.exec(id) ?? [];
  const seq = Number.parseInt(hex, 16);
  return seal !== undefined && sealOf("history", seq, seed).startsWith(seal) ? seq : undefined;
};

/** 31 digits, of which the last 13 are the time of creation. */
export const paymentIdOf = (seq: number, createdMs: number, seed: number): string =>
  `3${String(seq).padStart(7, "0")}${sealDigits("payment", seq, seed, 10)}${millisecondsOf(createdMs)}`;

export const paymentSeqOf = (id: string, seed: number): number | undefined => {
  const [, row = "", seal] = /^3(\d{7})(\d{10})\d{13}$/.exec(id) ?? [];
  const seq = Number(row);
  return seal === sealDigits("payment", seq, seed, 10) ? seq : undefined;
};

/** 32 digits, of which the first 13 are the time of creation. */
export const withdrawIdOf = (seq: number, createdMs: number, seed: number): string =>
  `${millisecondsOf(createdMs)}${String(seq).padStart(7, "0")}${sealDigits("withdrawal", seq, seed, 12)}`;

export const withdrawSeqOf = (id: string, seed: number): number | undefined => {
  const [, row = "", seal] = /^\d{13}(\d{7})(\d{12})$/.exec(id) ?? [];
  const seq = Number(row);
  return seal === sealDigits("withdrawal", seq, seed, 12) ? seq : undefined;
};

/** `MFA`, the time in UTC+9 to the second, and 15 of [0-9A-F]. */
export const secondFactorIdOf = (seq: number, createdMs: number, seed: number): string =>
  `MFA${seoulDigits(createdMs)}${seq.toString(16).toUpperCase().padStart(7, "0")}` +
  sealOf("transaction", seq, seed).slice(0, 8).toUpperCase();

export const secondFactorSeqOf = (id: string, seed: number): number | undefined => {
  const [, hex = "", seal] = /^MFA\d{14}([0-9A-F]{7})([0-9A-F]{8})$/.exec(id) ?? [];
  const seq = Number.parseInt(hex, 16);
  const own = sealOf("transaction", seq, seed).slice(0, 8).toUpperCase();
  return seal === own ? seq : undefined;
};

/** The six digits of a voice call or an e-mail. They are never stored. */
export const codeOf = (seq: number, seed: number): string => sealDigits("code", seq, seed, 6);

const sealDigits = (kind: string, seq: number, seed: number, digits: number): string =>
  decimalOf(sealOf(kind, seq, seed), digits);
