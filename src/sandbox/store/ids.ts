/** The public ids of rows, and the way back from an id to its row. */
import { seoulOffsetMs } from "../../contract/seoul.ts";
import { textsByMinute } from "./text-by-minute.ts";

/** `M4V` for messages, `G4V` for groups. */
export type IdKind = "M4V" | "G4V";

const counterDigits = 7;
const sealDigits = 8;
const shape = /^([MG]4V)(\d{14})([0-9A-Z]{7})([0-9A-Z]{8})$/;

/**
 * 32 characters: kind, the time in UTC+9 to the second, and 15 of [0-9A-Z], of which seven count the
 * rows and eight seal them: ids grow with insertion and cannot be guessed from one another. The same
 * seed gives the same ids.
 */
export const idOf = (kind: IdKind, seq: number, createdMs: number, seed: number): string =>
  idsOf(kind, createdMs, seed)(seq);

/** The ids of rows that were created at the same time. */
export const idsOf = (kind: IdKind, createdMs: number, seed: number): ((seq: number) => string) => {
  const beginning = kind + seoulDigits(createdMs);
  const seal = sealer(kind, seed);
  return (seq) => beginning + base36(seq, counterDigits) + base36(seal(seq), sealDigits);
};

/** The row number of an id, or undefined for one that this store cannot have given. */
export const seqOf = (kind: IdKind, id: string, seed: number): number | undefined => {
  const [, prefix, , counter = "", seal] = shape.exec(id) ?? [];
  if (prefix !== kind) return undefined;
  const seq = Number.parseInt(counter, 36);
  return base36(sealer(kind, seed)(seq), sealDigits) === seal ? seq : undefined;
};

/** The day of UTC+9 as `yyyyMMdd`: the day of quotas and statistics. */
export const seoulDay = (ms: number): string => seoulDigits(ms).slice(0, 8);

/** `yyyyMMddHHmmss` in UTC+9. */
export const seoulDigits = (ms: number): string => {
  const seoulMs = ms + seoulOffsetMs;
  const second = Math.floor(seoulMs / 1_000) % 60;
  return minuteDigits(seoulMs) + String(second).padStart(2, "0");
};

const minuteDigits = textsByMinute(
  (iso) =>
    iso.slice(0, 4) + iso.slice(5, 7) + iso.slice(8, 10) + iso.slice(11, 13) + iso.slice(14, 16),
);

const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
/** Two digits at a time: ten thousand ids are made for one answer. */
const pairs = [...letters].flatMap((high) => [...letters].map((low) => high + low));
const pair = letters.length ** 2;

const base36 = (value: number, digits: number): string => {
  let text = "";
  let rest = value;
  for (let made = 0; made < digits; made += 2) {
    const above = Math.floor(rest / pair);
    text = (pairs[rest - above * pair] ?? "") + text;
    rest = above;
  }
  return text.length > digits ? text.slice(1) : text;
};

const fourDigits = pair ** 2;
/** A number of eight digits that looks random and follows from kind, number and seed (two rounds of a 32-bit mix). */
const sealer = (kind: IdKind, seed: number): ((seq: number) => number) => {
  const key = mix(seed + kind.charCodeAt(0));
  return (seq) => {
    const high = mix(seq ^ key);
    const low = mix(high ^ Math.floor(seq / 2 ** 32) ^ seed);
    return (high % fourDigits) * fourDigits + (low % fourDigits);
  };
};

/** The finalizer of MurmurHash3: every bit of the value moves every bit of the result. */
export const mix = (value: number): number => {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
};
