/**
 * Which of n workers sends to a recipient: the first 32 bits of the SHA-256 of its country and number, modulo
 * n. Lists have millions of numbers, and a hash of node:crypto takes as long as all else that is done with a
 * row: one block is hashed here.
 */
import { createHash } from "node:crypto";

/** Roots of primes give the constants of SHA-256: the first 32 bits behind the point. */
const primes: readonly number[] = [...Array(312).keys()].filter(
  (it) => it > 1 && [...Array(it).keys()].slice(2).every((by) => it % by !== 0),
);
const bitsOf = (root: number): number => ((root % 1) * 2 ** 32) | 0;
const rounds = primes.map((it) => bitsOf(Math.cbrt(it)));
const start = primes.slice(0, 8).map((it) => bitsOf(Math.sqrt(it)));

/** Characters that fit into one block beside its end. */
const maxLength = 55;

/** The worker of a recipient, from 1: `country` and `to` are digits. */
export const createPartOf = (of: number): ((country: string, to: string) => number) => {
  const words = new Int32Array(64);
  return (country, to) => {
    const text = `${country}${to}`;
    const isShort = text.length <= maxLength && /^[\x20-\x7e]*$/.test(text);
    return ((isShort ? firstWord(text, words) : firstWordOfAny(text)) % of) + 1;
  };
};

const firstWordOfAny = (text: string): number =>
  createHash("sha256").update(text).digest().readUInt32BE(0);

/** Of a text of one block. */
const firstWord = (text: string, words: Int32Array): number => {
  fill(words, text);
  const [h0 = 0, h1 = 0, h2 = 0, h3 = 0, h4 = 0, h5 = 0, h6 = 0, h7 = 0] = start;
  let [a, b, c, d, e, f, g, h] = [h0, h1, h2, h3, h4, h5, h6, h7];
  for (let at = 0; at < 64; at += 1) {
    const s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const choice = (e & f) ^ (~e & g);
    const one = (h + s1 + choice + (rounds[at] ?? 0) + (words[at] ?? 0)) | 0;
    const s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  return (h0 + a) >>> 0;
};

/** The text, its end and its length, and the words that follow from them. */
const fill = (words: Int32Array, text: string): void => {
  words.fill(0, 0, 16);
  for (let at = 0; at <= text.length; at += 1) {
    const byte = at === text.length ? 0x80 : text.charCodeAt(at);
    words[at >> 2] = (words[at >> 2] ?? 0) | (byte << (24 - 8 * (at & 3)));
  }
  words[15] = text.length * 8;
  for (let at = 16; at < 64; at += 1) {
    const two = words[at - 2] ?? 0;
    const fifteen = words[at - 15] ?? 0;
    const s0 = turned(fifteen, 7) ^ turned(fifteen, 18) ^ (fifteen >>> 3);
    const s1 = turned(two, 17) ^ turned(two, 19) ^ (two >>> 10);
    words[at] = ((words[at - 16] ?? 0) + s0 + (words[at - 7] ?? 0) + s1) | 0;
  }
};

const turned = (word: number, by: number): number => (word >>> by) | (word << (32 - by));
