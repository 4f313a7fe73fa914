/** Lengths of time as people type them: `500ms`, `60s`, `5m`, `2h`, `1d`. */
import { usage } from "../../errors.ts";

const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Milliseconds; `0` needs no unit. Throws usage with the flag that is wrong. */
export const readDuration = (typed: string, flag: string): number => {
  if (typed === "0") return 0;
  const [, count = "", unit = ""] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(typed.trim()) ?? [];
  const ms = Math.round(Number(count) * (unitMs[unit] ?? Number.NaN));
  if (Number.isFinite(ms)) return ms;
  throw usage(`${flag}: '${typed}' is no length of time`, {
    code: "InvalidValue",
    todo: "500ms, 60s, 5m, 2h, 1d",
  });
};
