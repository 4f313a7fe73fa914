/** How far two clocks are apart, in words. Loaded when met. */

/** How far this machine's clock is from the service's, by the answer's Date header; undefined without one. */
export const formatOffset = (date: string | undefined, now: Date): string | undefined => {
  const served = Date.parse(date ?? "");
  if (Number.isNaN(served)) return undefined;
  const offsetMs = now.getTime() - served;
  const direction = offsetMs < 0 ? "behind" : "ahead of";
  return `the clock of this machine is ${formatDuration(Math.abs(offsetMs))} ${direction} the service's`;
};

/** `16 min 3 s`, `2 h 5 min`. */
export const formatDuration = (ms: number): string => {
  const seconds = Math.round(ms / 1_000);
  const parts = [
    { count: Math.floor(seconds / 86_400), unit: "d" },
    { count: Math.floor(seconds / 3_600) % 24, unit: "h" },
    { count: Math.floor(seconds / 60) % 60, unit: "min" },
    { count: seconds % 60, unit: "s" },
  ].filter((it) => it.count > 0);
  const shown = parts.slice(0, 2).map((it) => `${it.count} ${it.unit}`);
  return shown.length === 0 ? "0 s" : shown.join(" ");
};
