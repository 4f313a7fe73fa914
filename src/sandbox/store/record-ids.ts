/** Ids of records that embed their time: `KA01TP` and the like. */
import { createHash } from "node:crypto";

/** 32 characters: prefix, UTC to the millisecond, a counter, a seal. Newer ids are greater. */
export const recordIdOf = (prefix: string, seq: number, createdMs: number, seed: number): string =>
  prefix +
  new Date(createdMs).toISOString().replaceAll(/\D/g, "").slice(2) +
  seq.toString(36).toUpperCase().padStart(5, "0") +
  sealOf(prefix, seq, seed).slice(0, 6).toUpperCase();

/** Six digits that follow from a row and the seed: they are never stored. */
export const tokenOf = (seq: number, seed: number): string =>
  String(Number.parseInt(sealOf("token", seq, seed).slice(0, 12), 16) % 1_000_000).padStart(6, "0");

/** Hex digits that look random and follow from kind, number and seed. */
export const sealOf = (kind: string, seq: number, seed: number): string =>
  createHash("sha256").update(`${kind} ${seq} ${seed}`).digest("hex");
