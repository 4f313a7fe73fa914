/** Reads a stretch of time as people write it: `10s`, `250ms`, `2h`, `-5m`, `1d`. */

const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const shape = /^([+-]?\d+(?:\.\d+)?)(ms|s|m|h|d)$/;

/** What may be written, for the words of an error. */
export const durationForms = "250ms, 10s, 5m, 2h or 1d";

/** Milliseconds, rounded; undefined when it is no such text. `0` needs no unit. */
export const parseDuration = (text: string): number | undefined => {
  if (text === "0") return 0;
  const match = shape.exec(text);
  const unit = match?.[2];
  if (unit !== "ms" && unit !== "s" && unit !== "m" && unit !== "h" && unit !== "d")
    return undefined;
  return Math.round(Number(match?.[1]) * unitMs[unit]);
};
