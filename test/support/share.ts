/**
 * How much of a sweep is played. `npm test` plays a fixed share that is spread evenly; `EVERY=1 npm test`
 * and `npm run test:soak` play all of it.
 */

/** Whether sweeps are played as a whole. */
export const isEvery = process.env.EVERY === "1";

/** One of so many, from this place on; of fewer than that the first. */
export const share = <T>(all: readonly T[], oneOf: number, from = 0): readonly T[] => {
  if (isEvery) return all;
  const first = all.length > from % oneOf ? from % oneOf : 0;
  return all.filter((_, at) => at % oneOf === first);
};

/** So many in a whole sweep, and a share of them in `npm test`. */
export const countOf = (whole: number, shared: number): number => (isEvery ? whole : shared);
