/** Bytes written one behind the other into memory that is used again: a million rows make no garbage. */

/** Bytes of UTF-8 that one UTF-16 unit can need. */
const bytesOfUnit = 3;

/** Numbers of rows have fewer digits than this. */
export const mostDigits = 16;

/** Callers make room first; writing itself never looks whether there is any. */
export class ByteWriter {
  bytes: Buffer;
  at = 0;

  constructor(size: number) {
    this.bytes = Buffer.allocUnsafeSlow(size);
  }

  /** What was written. It changes with the next write. */
  get written(): Buffer {
    return this.bytes.subarray(0, this.at);
  }

  /** Makes sure that so many bytes more fit. */
  room(size: number): void {
    if (this.at + size <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.bytes.length * 2, this.at + size));
    larger.set(this.written);
    this.bytes = larger;
  }

  put(part: Uint8Array): void {
    const { bytes } = this;
    let { at } = this;
    // A call into the platform costs more than the few bytes that a part has.
    for (let index = 0; index < part.length; index += 1, at += 1) bytes[at] = part[index] ?? 0;
    this.at = at;
  }

  /** The bytes that another writer holds from `start` on. */
  copy(other: ByteWriter, start: number): void {
    const { bytes } = this;
    const { bytes: from, at: end } = other;
    let { at } = this;
    for (let index = start; index < end; index += 1, at += 1) bytes[at] = from[index] ?? 0;
    this.at = at;
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
    for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) size += 1;
    let rest = value;
    for (let at = this.at + size - 1; at >= this.at; at -= 1) {
      this.bytes[at] = 48 + (rest % 10);
      rest = Math.floor(rest / 10);
    }
    this.at += size;
  }
}
