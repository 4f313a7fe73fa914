/** Durations as people write them (`10s`, `250ms`, `2h`, `-5m`, `1d`), the clock of the service, and zones. */

export const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
export const dayMs = unitMs.d;

const shape = /^([+-]?\d+(?:\.\d+)?)(ms|s|m|h|d)$/;

/** The accepted forms, for error messages. */
export const durationForms = "250ms, 10s, 5m, 2h, 1d";

/** Milliseconds, rounded; undefined for any other text. `0` needs no unit. */
export const parseDuration = (text: string): number | undefined => {
  if (text === "0") return 0;
  const match = shape.exec(text);
  const unit = match?.[2];
  if (unit !== "ms" && unit !== "s" && unit !== "m" && unit !== "h" && unit !== "d")
    return undefined;
  return Math.round(Number(match?.[1]) * unitMs[unit]);
};

/** The service's clock: UTC+9 the year round. */
export const seoulOffsetMs = 9 * 3_600_000;

export const hourInSeoul = (instant: Date): number =>
  new Date(instant.getTime() + seoulOffsetMs).getUTCHours();

/** The first instant of the month there in which `ms` lies. */
export const monthStart = (ms: number): number => {
  const day = new Date(ms + seoulOffsetMs);
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth()) - seoulOffsetMs;
};

/** The same time of day there this many months later (earlier if negative), or on the last day of a shorter month. */
export const monthsAfter = (ms: number, months: number): number => {
  const date = new Date(ms + seoulOffsetMs);
  const day = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() + months);
  // A day that the month lacks runs over into the next one: use the month's last day.
  if (date.getUTCDate() !== day) date.setUTCDate(0);
  return date.getTime() - seoulOffsetMs;
};

/** The wall clock there: `2026-01-15 09:00:00`. */
export const seoulTime = (instant: Date): string =>
  new Date(instant.getTime() + seoulOffsetMs).toISOString().slice(0, 19).replace("T", " ");

/** The day there, as statistics write it: `2026/01/15`. */
export const dayInSeoul = (instant: Date): string =>
  seoulTime(instant).slice(0, 10).replaceAll("-", "/");

/** The year of a card's expiry in four digits. */
export const fullYear = (year: number): number => (year < 100 ? 2000 + year : year);

/** When a month (1 to 12) ends there, in milliseconds: a card is good until then. */
export const endOfMonth = (year: number, month: number): number =>
  Date.UTC(year, month) - seoulOffsetMs;

/** How far clocks in a zone are ahead of UTC at an instant, both in milliseconds. */
export const zoneOffset = (timeZone: string): ((time: number) => number) => {
  const format = new Intl.DateTimeFormat("en-CA", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  return (time) => {
    const part = Object.fromEntries(format.formatToParts(time).map((it) => [it.type, it.value]));
    const day = `${part.year}-${part.month}-${part.day}`;
    const shown = Date.parse(`${day}T${part.hour}:${part.minute}:${part.second}Z`);
    const offset = shown - Math.floor(time / 1000) * 1000;
    // Intl formats years before 1000 differently.
    return Math.abs(offset) < 2 * dayMs ? offset : 0;
  };
};
