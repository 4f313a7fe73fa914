/** A set of whole numbers below 2^53: exact, of any size, in at most about four bytes for each of them. */

/** Numbers are kept in ranges of this many: a place in its range, from 1, takes three bytes. */
const range = 2 ** 24 - 1;
const width = 3;

/** Adds a number; false if it was there before. */
export type AddNumber = (number: number) => boolean;

export const createNumberSet = (): AddNumber => {
  const parts = new Map<number, Table | Bitmap>();
  return (number) => {
    const rest = number % range;
    const at = (number - rest) / range;
    const part = parts.get(at) ?? new Table();
    const isNew = part.add(rest + 1);
    if (isNew && part instanceof Table)
      parts.set(at, part.size > maxInTable ? part.toBitmap() : part);
    return isNew;
  };
};

/** More numbers than this take less space as one bit for each number of the range. */
const maxInTable = range / 32;
/** How full a table may be. */
const load = 0.85;

/** Open addressing; 0 marks an empty slot. */
class Table {
  #slots = new Uint8Array(64 * width);
  size = 0;

  add(number: number): boolean {
    if (numberAt(this.#slots, this.#find(number)) === number) return false;
    this.size += 1;
    if (this.size * width > this.#slots.length * load) this.#grow();
    this.#put(number);
    return true;
  }

  toBitmap(): Bitmap {
    const bitmap = new Bitmap();
    eachIn(this.#slots, (number) => bitmap.add(number));
    return bitmap;
  }

  /** The slot of the number, or the empty one for it. */
  #find(number: number): number {
    const hash = Math.imul(number, 0x9e3779b1) >>> 0;
    let slot = Math.floor((hash / 2 ** 32) * (this.#slots.length / width)) * width;
    for (;;) {
      const found = numberAt(this.#slots, slot);
      if (found === 0 || found === number) return slot;
      slot = (slot + width) % this.#slots.length;
    }
  }

  #put(number: number): void {
    const slot = this.#find(number);
    for (let byte = 0; byte < width; byte++) this.#slots[slot + byte] = number >>> (8 * byte);
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = new Uint8Array(Math.ceil((before.length / width) * 1.3) * width);
    eachIn(before, (number) => this.#put(number));
  }
}

const numberAt = (slots: Uint8Array, slot: number): number =>
  (slots[slot] ?? 0) | ((slots[slot + 1] ?? 0) << 8) | ((slots[slot + 2] ?? 0) << 16);

const eachIn = (slots: Uint8Array, take: (number: number) => void): void => {
  for (let slot = 0; slot < slots.length; slot += width) {
    const number = numberAt(slots, slot);
    if (number !== 0) take(number);
  }
};

class Bitmap {
  readonly #bytes = new Uint8Array((range + 1) / 8);

  add(number: number): boolean {
    const at = number >>> 3;
    const bit = 1 << (number & 7);
    const before = this.#bytes[at] ?? 0;
    this.#bytes[at] = before | bit;
    return (before & bit) === 0;
  }
}
