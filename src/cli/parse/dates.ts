/** Dates as people type them → full instants, as the service takes them. */
import { seoulOffsetMs } from "../../contract/time.ts";

const dayMs = 86_400_000;
const unitMs: Readonly<Record<string, number>> = { d: dayMs, h: 3_600_000, m: 60_000 };

/**
 * Reads `2026-01-15`, `2026-01-15T09:00`, `2026-01-15 09:00:00`, a full ISO time, `7d`, `24h`, `30m`
 * (ago), `today`, `yesterday`, `now`. What has no zone is read in `timeZone`; a day alone is its
 * beginning, or its last millisecond for `until`. Undefined when it is none of these.
 */
export const readDate = (
  typed: string,
  context: {
    readonly now: Date;
    readonly timeZone: string;
    readonly bound?: "from" | "until" | undefined;
  },
): Date | undefined => {
  const text = typed.trim();
  const ago = /^(\d{1,6})\s*([dhm])$/.exec(text);
  if (ago) return new Date(context.now.getTime() - Number(ago[1]) * (unitMs[ago[2] ?? ""] ?? 0));
  if (text === "now") return context.now;
  if (text === "today") return ofDay(dayIn(context.now, context.timeZone), context);
  if (text === "yesterday")
    return ofDay(dayIn(new Date(context.now.getTime() - dayMs), context.timeZone), context);
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return ofDay(text, context);
  const local =
    /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?$/.exec(
      text,
    );
  if (!local) return undefined;
  const [, day = "", time = "", zone] = local;
  if (!zone) return inZone(day, time, context.timeZone);
  return valid(
    new Date(`${day}T${time}${zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone}`),
    day,
  );
};

/** `YYYY-MM-DD HH:mm:ss` of an instant in Seoul, as app profits take it. */
export const seoulTime = (instant: Date): string =>
  new Date(instant.getTime() + seoulOffsetMs).toISOString().slice(0, 19).replace("T", " ");

/** What a date flag accepts, for error messages. */
export const dateForms =
  "a date takes 2026-01-15, 2026-01-15T09:00:00+09:00, 7d, 24h, today or now";

const ofDay = (
  day: string,
  context: { readonly timeZone: string; readonly bound?: "from" | "until" | undefined },
): Date | undefined =>
  inZone(day, context.bound === "until" ? "23:59:59.999" : "00:00:00.000", context.timeZone);

/** The instant of a wall clock reading; of two (clocks set back) the first. */
const inZone = (day: string, time: string, timeZone: string): Date | undefined => {
  const asUtc = valid(new Date(`${day}T${time}Z`), day);
  if (!asUtc) return undefined;
  const early = new Date(asUtc.getTime() - offsetMs(new Date(asUtc.getTime() - dayMs), timeZone));
  if (offsetMs(early, timeZone) === asUtc.getTime() - early.getTime()) return early;
  return new Date(asUtc.getTime() - offsetMs(asUtc, timeZone));
};

/** The platform rolls 2026-02-30 over into March; a person who typed it made a mistake. */
const valid = (date: Date, day: string): Date | undefined => {
  if (Number.isNaN(date.getTime())) return undefined;
  const plain = new Date(`${day}T00:00:00Z`);
  return plain.toISOString().startsWith(day) ? date : undefined;
};

const offsetMs = (instant: Date, timeZone: string): number => {
  const name = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" })
    .formatToParts(instant)
    .find((part) => part.type === "timeZoneName")?.value;
  const match = /GMT([+-])(\d{2}):(\d{2})(?::(\d{2}))?/.exec(name ?? "");
  if (!match) return 0;
  const [, sign, hours, minutes, seconds] = match;
  const size = Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds ?? 0) * 1000;
  return sign === "-" ? -size : size;
};

/** The calendar day of an instant in a zone, `2026-01-15`. */
const dayIn = (instant: Date, timeZone: string): string =>
  new Date(instant.getTime() + offsetMs(instant, timeZone)).toISOString().slice(0, 10);
