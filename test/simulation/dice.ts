/** All that is left to chance in a simulation: it follows from the seed and from what it is for. */

export interface Dice {
  /** In [0, 1). */
  readonly roll: () => number;
  readonly chance: (share: number) => boolean;
  /** A whole number, both ends included. */
  readonly between: (least: number, most: number) => number;
  /** The same between two times, the short ones as likely as the long ones. */
  readonly span: (least: number, most: number) => number;
  readonly pick: <T>(of: readonly [T, ...T[]]) => T;
  readonly bytes: (size: number) => Uint8Array;
}

/** The same names give the same numbers, whatever was rolled for others: what happens there moves nothing here. */
export const diceFor = (...names: readonly (string | number)[]): Dice => {
  const state = { at: hash(names.join(" ")) };
  const word = (): number => {
    state.at = (state.at + 0x6d2b79f5) | 0;
    const first = Math.imul(state.at ^ (state.at >>> 15), 1 | state.at);
    const second = (first + Math.imul(first ^ (first >>> 7), 61 | first)) ^ first;
    return (second ^ (second >>> 14)) >>> 0;
  };
  const roll = (): number => word() / 2 ** 32;
  const between = (least: number, most: number): number =>
    least + Math.floor(roll() * (most - least + 1));
  return {
    roll,
    between,
    chance: (share) => roll() < share,
    span: (least, most) => Math.round(least * (most / least) ** roll()),
    pick: (of) => of[between(0, of.length - 1)] ?? of[0],
    bytes: (size) => Uint8Array.from({ length: size }, () => word() & 0xff),
  };
};

/** FNV-1a, mixed once more: names that differ in one letter share nothing. */
const hash = (text: string): number => {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1)
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  const mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  return (mixed ^ (mixed >>> 13)) | 0;
};
