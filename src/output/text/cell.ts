/** A value of a record as the text of a cell. */
import { zoneOffset } from "../../contract/time.ts";
import { t } from "../../locale/locale.ts";
import type { View } from "../view.ts";

/** Characters that open a formula, or are skipped before one (OWASP, "CSV injection"). */
const opening = /^[=+\-@\t\r\n＝＋－＠]/;

/** A number or a phone number: nothing to run, and a prefix would break it for programs. */
const plainNumber = /^[+-]?\d+(?:\.\d+)?$/;

/** The text with a leading `'` if a spreadsheet would calculate it. */
export const withoutFormula = (text: string): string =>
  opening.test(text) && !plainNumber.test(text) ? `'${text}` : text;

/** Turns values into text; the text is not yet safe for a terminal. */
export type CellText = (value: unknown) => string;

/** For programs: plain numbers, true and false, the service's own times; objects as compact JSON. */
export const plainText: CellText = (value) => {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value;
  return typeof value === "object" ? (JSON.stringify(value) ?? "") : String(value);
};

/** For people: grouped numbers, yes and no, instants in the zone of the view. */
export const tableText = (view: Pick<View, "timeZone">): CellText => {
  const inZone = zoned(view.timeZone);
  return (value) => {
    if (typeof value === "boolean") return value ? t`yes` : t`no`;
    if (typeof value === "number") return grouped(String(rounded(value)));
    if (typeof value === "bigint") return grouped(String(value));
    if (typeof value === "string" && instant.test(value)) return inZone(value);
    return plainText(value);
  };
};

/** What people call the zone of the view: KST, UTC, Europe/Berlin; UTC+9 where its name counts backwards (`Etc/GMT-9`). */
export const zoneName = ({ timeZone }: Pick<View, "timeZone">): string => {
  if (timeZone === "Asia/Seoul") return "KST";
  const [, sign, hours] = /^Etc\/GMT([+-])(\d+)$/.exec(timeZone) ?? [];
  return hours === undefined ? timeZone : `UTC${sign === "-" ? "+" : "-"}${hours}`;
};

/** For sentences: `2026-01-05 18:00:00 KST`; any other text stays as it is. */
export const timeText = (view: Pick<View, "timeZone">): ((time: string) => string) => {
  const shown = tableText(view);
  return (time) => (instant.test(time) ? `${shown(time)} ${zoneName(view)}` : time);
};

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/;

/** To hundredths: sums of fractional prices come as 12.299999999999999. A share below 1 stays as it is. */
const rounded = (value: number): number =>
  Number.isInteger(value) || Math.abs(value) < 1 ? value : Number(value.toFixed(2));

/** `1000000` → `1,000,000`; the fraction and an exponent stay as they are. */
const grouped = (digits: string): string =>
  digits.replace(
    /^(-?)(\d{4,})(?=\.|$)/,
    (_, sign: string, whole: string) => sign + whole.replace(/\B(?=(?:\d{3})+$)/g, ","),
  );

/** `2026-01-05T09:00:00.000Z` → `2026-01-05 18:00:00` in the zone; other text stays as it is. */
const zoned = (timeZone: string): ((text: string) => string) => {
  const offsetAt = zoneOffset(timeZone);
  return (text) => {
    const time = Date.parse(text);
    if (Number.isNaN(time)) return text;
    return new Date(time + offsetAt(time)).toISOString().slice(0, 19).replace("T", " ");
  };
};
