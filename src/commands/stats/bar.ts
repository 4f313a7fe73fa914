/** A bar of text: what went well, what failed, and what is still open. */

export interface Parts {
  readonly good: number;
  readonly bad: number;
  readonly all: number;
}

/** As long as `all` is of `most`; whatever is there shows at least one sign. */
export const barOf = ({ good, bad, all }: Parts, most: number, width: number): string => {
  const length = (count: number): number =>
    count === 0 || most === 0 ? 0 : Math.max(1, Math.round((count / most) * width));
  return "█".repeat(length(good)) + "▒".repeat(length(bad)) + "·".repeat(length(all - good - bad));
};
