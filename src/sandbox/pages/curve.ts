/** What a chart draws of a series: how high it reaches, where its lines lie, the way of the curve. Pure. */

/** The plot is so many units wide and high, whatever its size on the screen. */
export const plot = { width: 1000, height: 300 } as const;

export interface Scale {
  readonly low: number;
  readonly high: number;
  /** From low to high, evenly spaced. */
  readonly ticks: readonly number[];
}

const wantedTicks = 4;

/** Round numbers that hold all values; where all are the same, from nothing to their double. */
export const scaleOf = (values: readonly number[]): Scale => {
  const [lowest, highest] = [extreme(values, Math.min), extreme(values, Math.max)];
  const isFlat = lowest === highest;
  const [min, max] = isFlat ? [0, Math.max(highest * 2, 1)] : [lowest, highest];
  const step = roundStep(Math.max((max - min) / wantedTicks, 1));
  const low = Math.floor(min / step) * step;
  const high = Math.ceil(max / step) * step;
  const count = Math.round((high - low) / step);
  return { low, high, ticks: Array.from({ length: count + 1 }, (_, at) => low + at * step) };
};

/** By folding: ten thousand values are too many arguments for one call. */
const extreme = (values: readonly number[], of: (one: number, other: number) => number): number =>
  values.reduce((found, it) => of(found, it), values[0] ?? 0);

/** 1, 2, 2.5 or 5 of some power of ten, whole and not less than `min`. */
const roundStep = (min: number): number => {
  const power = 10 ** Math.floor(Math.log10(min));
  const factor = [1, 2, 2.5, 5].find((it) => it * power >= min && (it * power) % 1 === 0) ?? 10;
  return factor * power;
};

/** How far down in the plot a value lies. */
export const heightOf = (value: number, { low, high }: Scale): number =>
  round(((high - value) / (high - low)) * plot.height);

interface Point {
  readonly at: number;
  readonly value: number;
}

const maxPoints = 500;

/**
 * The points that show: all of them, or of each stretch its lowest and its highest, so that no dip
 * disappears, and always the last.
 */
export const downsample = (values: readonly number[]): readonly Point[] => {
  const all = values.map((value, at) => ({ at, value }));
  if (all.length <= maxPoints) return all;
  const length = Math.ceil(all.length / (maxPoints / 2));
  const kept: Point[] = [];
  for (let begin = 0; begin < all.length; begin += length) {
    const stretch = all.slice(begin, begin + length).sort((one, other) => one.value - other.value);
    const ends = [stretch[0], stretch.at(-1)].filter((it) => it !== undefined);
    kept.push(...ends.sort((one, other) => one.at - other.at));
  }
  const last = all.at(-1);
  return last === undefined || kept.at(-1) === last ? kept : [...kept, last];
};

/**
 * Where each value begins, from 0 to 1 of the width, by its time; `endMs` is the right end. A clock that
 * was moved back moves no value to the left.
 */
export const beginsOf = (timesMs: readonly number[], endMs: number): readonly number[] => {
  const first = timesMs[0] ?? 0;
  const latest = { ms: first };
  const reached = timesMs.map((ms) => {
    latest.ms = Math.max(latest.ms, ms);
    return latest.ms;
  });
  const span = Math.max(endMs, latest.ms) - first;
  return reached.map((ms, at) => (span > 0 ? (ms - first) / span : at / timesMs.length));
};

/** The curve as steps: a value holds until the next one begins. */
export const stepsOf = (
  values: readonly number[],
  begins: readonly number[],
  scale: Scale,
): string => {
  const [first, ...rest] = downsample(values);
  if (first === undefined) return "";
  const right = (at: number): number => round((begins[at] ?? 0) * plot.width);
  const steps = rest.map(({ at, value }) => `H${right(at)}V${heightOf(value, scale)}`);
  return `M0 ${heightOf(first.value, scale)}${steps.join("")}H${plot.width}`;
};

const round = (value: number): number => Math.round(value * 10) / 10;
