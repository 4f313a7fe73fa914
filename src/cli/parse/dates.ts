/** Dates as people type them → full instants, as the service takes them. */
import { dayMs, parseDuration, zoneOffset } from "../../contract/time.ts";

/** Days by their distance from today. */
const days: ReadonlyMap<string, number> = new Map([
  ["yesterday", -1],
  ["today", 0],
  ["tomorrow", 1],
  ["어제", -1],
  ["오늘", 0],
  ["내일", 1],
]);

interface DateContext {
  readonly now: Date;
  readonly timeZone: string;
  readonly bound?: "from" | "until" | undefined;
}

/**
 * Reads `2026-01-15`, `2026-01-15T09:00`, `2026-01-15 9:00`, a full ISO time, `7d`, `24h`, `30m` (ago),
 * `+10m`, `in 2h` (from now), `today`, `yesterday`, `tomorrow 9:00`, `내일 9:00`, `now`. A date without a
 * zone is read in `timeZone`; a day alone is its beginning, or its last millisecond for `until`.
 * Undefined for anything else.
 */
export const readDate = (typed: string, context: DateContext): Date | undefined => {
  const instant = readInstant(typed.trim(), context);
  // The service reads only years of four digits: 999999d is before the first.
  return instant?.toISOString().length === 24 ? instant : undefined;
};

/** A filter for a day covers all of it, not only its first millisecond. */
export const daysAsRanges = (given: readonly string[], context: DateContext): readonly string[] =>
  given.flatMap((one) => {
    const day = one.replace(/^eq:/, "");
    const at = (bound: "from" | "until") => readDate(day, { ...context, bound })?.getTime();
    return at("from") === at("until") ? [one] : [`gte:${day}`, `lte:${day}`];
  });

const readInstant = (text: string, context: DateContext): Date | undefined => {
  const distance = /^(\+|in\s+)?(\d{1,6})\s*([dhm])$/.exec(text);
  if (distance) {
    const [, ahead, count, unit] = distance;
    const ms = parseDuration(`${count}${unit}`) ?? 0;
    return new Date(context.now.getTime() + (ahead === undefined ? -ms : ms));
  }
  if (text === "now") return context.now;
  const local =
    /^(\d{4}-\d{2}-\d{2}|[a-z]+|[가-힣]+)(?:[T ]\s*(\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?)?$/.exec(
      text,
    );
  const day = local?.[1] && calendarDay(local[1], context);
  if (!local || !day) return undefined;
  const [, , clock, zone] = local;
  if (clock === undefined) {
    const edge = context.bound === "until" ? "23:59:59.999" : "00:00:00.000";
    return inZone(day, edge, context.timeZone);
  }
  const time = clock.padStart(clock.replace(/^\d+/, "").length + 2, "0");
  if (!zone) return inZone(day, time, context.timeZone);
  const offset = zone.replace(/^(.\d\d)(\d\d)$/, "$1:$2");
  return valid(new Date(`${day}T${time}${offset}`), day);
};

/** `2026-01-15` for that text, or for a word such as `today`. */
const calendarDay = (typed: string, { now, timeZone }: DateContext): string | undefined => {
  if (/^\d/.test(typed)) return typed;
  const away = days.get(typed);
  if (away === undefined) return undefined;
  const local = now.getTime() + zoneOffset(timeZone)(now.getTime());
  return new Date(local + away * dayMs).toISOString().slice(0, 10);
};

export const dateForms =
  "a date takes 2026-01-15 9:00, 2026-01-15T09:00:00+09:00, 7d (ago), +10m, today, tomorrow 9:00 or now";

/**
 * The instant of a wall clock reading, by the offset of the day before, else of the day after; of two (clocks
 * set back) the first. A reading that clocks leave out when they are set forward is as much later.
 */
const inZone = (day: string, time: string, timeZone: string): Date | undefined => {
  const asUtc = valid(new Date(`${day}T${time}Z`), day)?.getTime();
  if (asUtc === undefined) return undefined;
  const offsetAt = zoneOffset(timeZone);
  const early = asUtc - offsetAt(asUtc - dayMs);
  const late = asUtc - offsetAt(asUtc + dayMs);
  const isLate = offsetAt(early) !== asUtc - early && offsetAt(late) === asUtc - late;
  return new Date(isLate ? late : early);
};

/** The platform rolls 2026-02-30 over into March, but it is a typing mistake. */
const valid = (date: Date, day: string): Date | undefined => {
  if (Number.isNaN(date.getTime())) return undefined;
  const plain = new Date(`${day}T00:00:00Z`);
  return plain.toISOString().startsWith(day) ? date : undefined;
};
