/** Times as answers write them: ISO 8601, UTC, milliseconds. */
import { textsByMinute } from "../store/text-by-minute.ts";

/** A page of messages shows some hundred times: only what follows the minute is formatted each time. */
const minuteOf = textsByMinute((iso) => iso.slice(0, 17));

const two = (value: number): string => (value < 10 ? `0${value}` : String(value));
const three = (value: number): string => (value < 100 ? `0${two(value)}` : String(value));

export const timeOf = (ms: number): string => {
  const rest = ((ms % 60_000) + 60_000) % 60_000;
  return `${minuteOf(ms)}${two(Math.floor(rest / 1_000))}.${three(rest % 1_000)}Z`;
};

export const timeOrNull = (ms: number | null): string | null => (ms === null ? null : timeOf(ms));
