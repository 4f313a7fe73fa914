/** Bytes written one behind the other into memory that is used again: a million rows make no garbage. */
import { type Part, viewOf, word } from "./part.ts";

/** Bytes of UTF-8 that one UTF-16 unit can need. */
const bytesOfUnit = 3;

/** Numbers of rows have fewer digits than this. */
export const mostDigits = 16;

/** Callers make room first; writing itself never looks whether there is any. */
export class ByteWriter {
  bytes: Buffer;
  at = 0;
  #view: DataView;

  constructor(size: number) {
    this.bytes = Buffer.allocUnsafeSlow(size + word);
    this.#view = viewOf(this.bytes);
  }

  /** What was written. It changes with the next write. */
  get written(): Buffer {
    return this.bytes.subarray(0, this.at);
  }

  /** Makes sure that so many bytes more fit, and the rest of the last word. */
  room(size: number): void {
    const needed = this.at + size + word;
    if (needed <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.bytes.length * 2, needed));
    larger.set(this.written);
    this.bytes = larger;
    this.#view = viewOf(larger);
  }

  put({ words, length }: Part): void {
    const view = this.#view;
    const { at } = this;
    for (let index = 0; index < words.length; index += 1)
      view.setInt32(at + index * word, words[index] ?? 0, true);
    this.at = at + length;
  }

  /** The bytes that another writer holds from `start` on. */
  copy(other: ByteWriter, start: number): void {
    this.copyOf(other.#view, start, other.at);
  }

  /** A few bytes of others. */
  copyOf(from: DataView, start: number, end: number): void {
    const view = this.#view;
    const { at } = this;
    const length = end - start;
    let offset = 0;
    for (; offset + word <= length; offset += word)
      view.setInt32(at + offset, from.getInt32(start + offset, true), true);
    for (; offset < length; offset += 1) view.setUint8(at + offset, from.getUint8(start + offset));
    this.at = at + length;
  }

  /** Many bytes, with the room that they need. */
  append(bytes: Uint8Array): void {
    this.room(bytes.length);
    this.bytes.set(bytes, this.at);
    this.at += bytes.length;
  }

  /** A text without halves of surrogate pairs, whole ones included: what JSON takes as it stands. */
  plain(text: string): void {
    const { bytes } = this;
    let { at } = this;
    for (let index = 0; index < text.length; index += 1) {
      const unit = text.charCodeAt(index);
      if (unit < 0x80) bytes[at] = unit;
      else {
        if (unit < 0x800) bytes[at] = 0xc0 | (unit >> 6);
        else {
          bytes[at] = 0xe0 | (unit >> 12);
          at += 1;
          bytes[at] = 0x80 | ((unit >> 6) & 0x3f);
        }
        at += 1;
        bytes[at] = 0x80 | (unit & 0x3f);
      }
      at += 1;
    }
    this.at = at;
  }

  /** Any text, with the room that it needs. */
  text(text: string): void {
    this.room(text.length * bytesOfUnit);
    this.at += this.bytes.write(text, this.at);
  }

  digits(value: number): void {
    let size = 1;
    for (let least = 10; value >= least; least *= 10) size += 1;
    let rest = value;
    for (let at = this.at + size - 1; at >= this.at; at -= 1) {
      this.bytes[at] = 48 + (rest % 10);
      rest = Math.floor(rest / 10);
    }
    this.at += size;
  }
}
