/**
 * Fields that accept less than their type. Both sides refuse by the same schema and name the given and
 * the possible values: the command before anything is sent, the sandbox with a 400.
 */
import * as v from "valibot";
import { t, translated } from "../locale/locale.ts";
import { maxRows } from "./endpoint.ts";
import { date, duration, id, money, number, phone, text } from "./fields.ts";
import { durationForms, parseDuration } from "./time.ts";

interface Range {
  readonly from: number;
  readonly until?: number;
}

/** A whole number in a range, both ends included. */
export const wholeNumber = (description: string, range: Range) =>
  v.pipe(number(description), inRange(range));

/** The same for a number field that has a description and a unit of its own. */
export const inRange = ({ from, until = Number.MAX_SAFE_INTEGER }: Range) =>
  v.check<number, (issue: v.CheckIssue<number>) => string>(
    (value) => Number.isSafeInteger(value) && value >= from && value <= until,
    ({ input }) =>
      until < Number.MAX_SAFE_INTEGER
        ? t`must be a whole number from ${from} to ${until}, not ${input}`
        : t`must be a whole number from ${from}, not ${input}`,
  );

const limit = wholeNumber("rows of a page, 1 to 500", { from: 1, until: maxRows });

/** The query members of a list that is read by offset. */
export const byOffset = { offset: wholeNumber("rows to skip", { from: 0 }), limit };

/** The same for a list that continues at a key. */
export const byKey = { startKey: id("id to start the page from"), limit };

/** A whole amount of won, at least `min`. */
export const wholeWon = (description: string, min: number) =>
  v.pipe(
    money(description),
    v.integer(() => t`must be a whole number`),
    v.minValue(min),
  );

/** The items of a list are all different. */
export const distinct = <T>() =>
  v.check<T[], () => string>(
    (items) => new Set(items).size === items.length,
    () => t`must have no duplicates`,
  );

/** One of these words, in either case. */
export const oneOf = (words: readonly string[], description: string) =>
  v.pipe(
    text(description, { offers: words }),
    v.check(
      (value) => words.includes(value.toUpperCase()),
      ({ input }) => t`must be one of ${words.join(", ")}, not ${input}`,
    ),
  );

/** How likely something is: above 0, at most 1. */
export const probability = (description: string) =>
  v.pipe(
    number(description),
    v.check(
      (value) => value > 0 && value <= 1,
      ({ input }) => t`must be above 0 and at most 1, not ${input}`,
    ),
  );

/** A duration; one that moves something back begins with a minus sign. The description shows the forms. */
export const shift = (description: string) => ofDuration(description, () => true);

export const delay = (description: string) => ofDuration(description, (ms) => ms >= 0);

const ofDuration = (description: string, fits: (ms: number) => boolean) =>
  v.pipe(
    duration(description),
    v.check(
      (value) => {
        const ms = parseDuration(value);
        return ms !== undefined && fits(ms);
      },
      ({ input }) => t`must be a duration such as ${durationForms}, not '${input}'`,
    ),
  );

/** A regular expression, as the platform reads it with the flag `u`. */
export const pattern = (description: string) =>
  v.pipe(
    text(description),
    v.check(isPattern, ({ input }) => t`must be a regular expression, not '${input}'`),
  );

const isPattern = (written: string): boolean => {
  try {
    return new RegExp(written, "u") instanceof RegExp;
  } catch {
    return false;
  }
};

/** A number of this country's numbering plan, with or without separators. */
export const sender = (description: string) =>
  v.pipe(
    phone(description),
    v.check(
      (value) => /^\d{8,12}$/.test(value.replaceAll("-", "")),
      ({ input }) => t`must be a phone number of 8 to 12 digits, not '${input}'`,
    ),
  );

/**
 * The years of business time: ids of the service write the year in two digits, or seconds in eight
 * digits of base 16, and lists are in the order of their ids.
 */
export const clockYears = { first: 2000, last: 2099 } as const;

/** An instant that the clock of the sandbox can show. */
export const clockTime = (description: string) =>
  v.pipe(
    date(description),
    v.check(
      (value) => isClockYear(Number(/^(\d{4})-/.exec(value)?.[1])),
      ({ input }) =>
        t`must be a time between the years ${clockYears.first} and ${clockYears.last}, not '${input}'`,
    ),
  );

/** True for a year that the clock can show. */
export const isClockYear = (year: number): boolean =>
  year >= clockYears.first && year <= clockYears.last;

/** For the library, as its `message`; never repeats the value, which may be a secret. */
export const describeIssue = (issue: v.BaseIssue<unknown>): string => {
  const { type, expected, received, requirement } = issue;
  if (received === "undefined") return t`is missing`;
  if (typeof requirement === "number" && limits[type])
    return limits[type](requirement.toLocaleString("en-US"));
  const choices = expected?.replaceAll(/[()"]/g, "").replaceAll(" | ", ", ");
  const wanted = types[type];
  if (wanted !== undefined) return translated(wanted);
  return type === "picklist" ? t`must be one of ${choices ?? ""}` : t`is not valid`;
};

const limits: Readonly<Record<string, (limit: string) => string>> = {
  min_value: (limit) => t`must be ${limit} or more`,
  max_value: (limit) => t`must be ${limit} or less`,
  min_length: (limit) => t`takes at least ${limit}`,
  max_length: (limit) => t`takes at most ${limit}`,
};

const types: Readonly<Record<string, string>> = {
  string: "must be a text, in quotes",
  number: "must be a number, without quotes",
  boolean: "must be true or false, without quotes",
  array: "must be a list",
  object: "must be an object",
  loose_object: "must be an object",
  record: "must be an object",
};
