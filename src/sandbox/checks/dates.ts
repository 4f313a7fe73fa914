/** Reads a time as the service does: with its zone, or as Seoul time without one. */
import { dayMs, seoulOffsetMs } from "../../contract/time.ts";
import { validationError } from "../service.ts";

const shape =
  /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d+))?)?)?([Zz]|[+-]\d{2}(?::?\d{2})?)?$/;

/**
 * The instant of a text: ISO 8601 with any fraction, `T` or a space, with or without zone; a day alone
 * is its first or, for `until`, its last millisecond. Without a zone it is UTC+9. Undefined for any
 * other text, or a day that does not exist.
 */
export const readInstant = (text: string, bound?: "from" | "until"): Date | undefined => {
  const match = shape.exec(text);
  if (match === null) return undefined;
  const [, day = "", minute, second = "00", fraction = "", zone] = match;
  if (minute === undefined && zone !== undefined) return undefined;
  const wall = wallClock(day, `${minute ?? "00:00"}:${second}`);
  if (wall === undefined) return undefined;
  const offsetMs = zone === undefined ? seoulOffsetMs : zoneOffset(zone);
  if (offsetMs === undefined) return undefined;
  const isWholeDay = minute === undefined && bound === "until";
  const rest = isWholeDay ? dayMs - 1 : Number(fraction.slice(0, 3).padEnd(3, "0"));
  return new Date(wall + rest - offsetMs);
};

/** Milliseconds since 1970. Throws Refusal 400 for a text that is not a time; `name` is its member. */
export const instantOf = (name: string, text: string, bound?: "from" | "until"): number => {
  const instant = readInstant(text, bound);
  if (instant !== undefined) return instant.getTime();
  throw validationError(`'${name}' must be an ISO 8601 time, not '${text}'.`);
};

/** Milliseconds of a wall clock as if it were UTC; undefined for the 30th of February or 25 o'clock. */
const wallClock = (day: string, time: string): number | undefined => {
  const ms = Date.parse(`${day}T${time}Z`);
  // The parser reads the 30th of February as the 2nd of March, and 24 o'clock as the next day.
  return Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(day) ? undefined : ms;
};

const zoneOffset = (zone: string): number | undefined => {
  if (zone === "Z" || zone === "z") return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(":", ""));
  if (hours > 18 || minutes > 59) return undefined;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes) * 60_000;
};
