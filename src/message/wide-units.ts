/**
 * How many UTF-16 units of a long text are not ASCII, eight at a time.
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
  /** Counts in the first `bytes` of the memory; a multiple of 16, at least 16. */
  readonly count: (bytes: number) => number;
}

/** One page of the memory of WebAssembly, in UTF-16 units. */
const mostUnits = 65_536 / 2;

/** Below this the call costs more than the loop. */
const fewestUnits = 80;

/** UTF-16 units of `text` from U+0080 on. */
export const wideUnits = (text: string): number => {
  if (text.length < fewestUnits || text.length > mostUnits) return wideFrom(text, 0);
  return eightAtATime(text);
};

/** The sum carries into bit 16 from 0x80 on: no branch a unit. */
const carry = 0x10000 - 0x80;

const wideFrom = (text: string, start: number): number => {
  let count = 0;
  for (let at = start; at < text.length; at += 1) count += (text.charCodeAt(at) + carry) >>> 16;
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

const eightAtATime = madeAtFirstUse(() => newCounter());

/** A processor without such instructions counts unit by unit. */
const newCounter = (): Count => {
  const code = Uint8Array.from(moduleCode());
  if (!WebAssembly.validate(code)) return (text) => wideFrom(text, 0);
  const { memory, count } = new WebAssembly.Instance(new WebAssembly.Module(code)).exports;
  const copy = Buffer.from(memory.buffer);
  return (text) => {
    const eights = copy.write(text, "utf16le") & ~15;
    return count(eights) + wideFrom(text, eights / 2);
  };
};

/** `sum = 0; at = 0; do { sum -= load(at) >= 0x80 ? -1 : 0 } while ((at += 16) < bytes)`, eight lanes. */
const body = [
  ...[0x02, 0x01, 0x7f, 0x01, 0x7b], // locals: at (1) an i32, sum (2) a v128
  ...[0x03, 0x40, 0x20, 0x02], // loop: sum
  ...[0x20, 0x01, 0xfd, 0x00, 0x04, 0x00], // v128.load at
  ...[0x41, 0x80, 0x01, 0xfd, 0x10, 0xfd, 0x36], // i16x8.splat 0x80, i16x8.ge_u: -1 where wide
  ...[0xfd, 0x91, 0x01, 0x21, 0x02], // i16x8.sub, set sum
  ...[0x20, 0x01, 0x41, 0x10, 0x6a, 0x22, 0x01], // at += 16
  ...[0x20, 0x00, 0x49, 0x0d, 0x00, 0x0b], // again while at < bytes
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
  ...section(10, [1, body.length, ...body]),
];

const section = (id: number, content: readonly number[]): readonly number[] => [
  id,
  content.length,
  ...content,
];

const name = (text: string): readonly number[] => [text.length, ...Buffer.from(text)];
