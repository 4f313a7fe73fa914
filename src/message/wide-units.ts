/**
 * How many UTF-16 units of a long text are not ASCII, thirty-two at a time.
 *
 * `Buffer.byteLength` counts so on newer Nodes, and a loop over the units of a long text costs ten
 * times as much; JavaScript itself has no instruction on several units, WebAssembly has.
 */

/** What is used here of a global that the language's own types leave to browsers. */
declare const WebAssembly: {
  validate(code: Uint8Array): boolean;
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: Exports };
};

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  /** Counts in the first `bytes` of the memory; what lies in the step after them is lost. */
  readonly count: (bytes: number) => number;
}

/** Bytes that are counted in one step: four vectors. */
const step = 64;

/** One page of the memory of WebAssembly without its last step, in UTF-16 units. */
const mostUnits = (65_536 - step) / 2;

/** Below this the call costs more than the loop. */
const fewestUnits = 40;

/** UTF-16 units of `text` from U+0080 on. */
export const wideUnits = (text: string): number => {
  if (text.length < fewestUnits || text.length > mostUnits) return unitByUnit(text);
  return inSteps(text);
};

/** The sum carries into bit 16 from 0x80 on: no branch a unit. */
const carry = 0x10000 - 0x80;

const unitByUnit = (text: string): number => {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) count += (text.charCodeAt(at) + carry) >>> 16;
  return count;
};

type Count = (text: string) => number;

/** Most commands see no long text and need not pay for what counts in it. */
const madeAtFirstUse = (make: () => Count): Count => {
  let made: Count | undefined;
  return (text) => {
    made ??= make();
    return made(text);
  };
};

const inSteps = madeAtFirstUse(() => newCounter());

/** A processor without such instructions counts unit by unit. */
const newCounter = (): Count => {
  const code = Uint8Array.from(moduleCode());
  if (!WebAssembly.validate(code)) return unitByUnit;
  const { memory, count } = new WebAssembly.Instance(new WebAssembly.Module(code)).exports;
  const copy = Buffer.from(memory.buffer);
  return (text) => count(copy.write(text, "utf16le"));
};

/** The vectors of a step, by where they begin in it. */
const vectors = [0, 16, 32, 48] as const;

/** Zeros, which are not wide, in the step after the text: an earlier text may have been longer. */
const clearedEnd = vectors.flatMap((at) => [
  ...[0x20, 0x00, 0xfd, 0x0c, ...new Array<number>(16).fill(0)], // v128.const 0
  ...[0xfd, 0x0b, 0x04, at], // v128.store bytes + at
]);

/** -1 in each lane that is wide, for the vector there. */
const wideIn = (at: number): readonly number[] => [
  ...[0x20, 0x01, 0xfd, 0x00, 0x04, at], // v128.load position + at
  ...[0x20, 0x03, 0xfd, 0x36], // i16x8.ge_u least
];

/** `do { sum -= wide lanes of four vectors } while ((position += step) < bytes)`; no lane has 2 ** 16 units. */
const body = [
  ...[0x02, 0x01, 0x7f, 0x02, 0x7b], // locals: position (1) an i32, sum (2) and least (3) v128
  ...clearedEnd,
  ...[0x41, 0x80, 0x01, 0xfd, 0x10, 0x21, 0x03], // least = i16x8.splat 0x80
  ...[0x03, 0x40, 0x20, 0x02], // loop: sum
  ...[...wideIn(0), ...wideIn(16), 0xfd, 0x8e, 0x01], // i16x8.add
  ...[...wideIn(32), ...wideIn(48), 0xfd, 0x8e, 0x01],
  ...[0xfd, 0x8e, 0x01, 0xfd, 0x91, 0x01, 0x21, 0x02], // add, sub from sum, set sum
  ...[0x20, 0x01, 0x41, ...[step | 0x80, 0x00], 0x6a, 0x22, 0x01], // position += step
  ...[0x20, 0x00, 0x49, 0x0d, 0x00, 0x0b], // again while position < bytes
  ...[0x20, 0x02, 0xfd, 0x7f, 0x21, 0x02], // eight lanes to four: i32x4.extadd_pairwise_i16x8_u
  ...[0, 1, 2, 3].flatMap((lane) => [0x20, 0x02, 0xfd, 0x1b, lane]), // the four lanes
  ...[0x6a, 0x6a, 0x6a, 0x0b], // added
];

/** The binary format of WebAssembly 2.0: sections of type, function, memory, exports and code. */
const moduleCode = (): readonly number[] => [
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
  ...section(1, [1, 0x60, 1, 0x7f, 1, 0x7f]),
  ...section(3, [1, 0]),
  ...section(5, [1, 1, 1, 1]),
  ...section(7, [2, ...name("memory"), 2, 0, ...name("count"), 0, 0]),
  ...section(10, [1, ...size(body.length), ...body]),
];

const section = (id: number, content: readonly number[]): readonly number[] => [
  id,
  ...size(content.length),
  ...content,
];

/** LEB128 of a number below 2 ** 14, in two bytes. */
const size = (value: number): readonly number[] => [(value & 0x7f) | 0x80, value >>> 7];

const name = (text: string): readonly number[] => [text.length, ...Buffer.from(text)];
