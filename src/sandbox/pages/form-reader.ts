/** Reads what was typed into a form, and says in words of the page what cannot be used. */
import { parseDuration } from "../../contract/durations.ts";
import { numberShown } from "./elements.ts";
import type { FieldErrors, Label } from "./page.ts";

export interface Range {
  readonly from: number;
  readonly until: number;
  /** Fractions are fine as well. */
  readonly isFraction?: boolean;
  /** The longest of lengths of time, whatever its unit. */
  readonly maxMs?: number;
  /** What to write, where the ends of the range say little. */
  readonly words?: Label;
}

/** Each method notes in `errors` what it cannot read; an empty field is undefined. */
export interface FormReader {
  readonly errors: FieldErrors;
  readonly text: (name: string) => string | undefined;
  readonly number: (name: string, range: Range) => number | undefined;
  /** `10m`, of a number and its unit. */
  readonly duration: (name: string, range: Range) => string | undefined;
  /** The same, where the field must not be left empty. */
  readonly required: <T>(name: string, value: T | undefined) => T | undefined;
}

export const formReader = (fields: URLSearchParams): FormReader => {
  const errors: Record<string, Label> = {};
  const text = (name: string): string | undefined => fields.get(name)?.trim() || undefined;
  const number = (name: string, range: Range): number | undefined => {
    const given = text(name);
    if (given === undefined) return undefined;
    const value = /^[+-]?\d[\d,]*(\.\d+)?$/.test(given) ? Number(given.replaceAll(",", "")) : NaN;
    const fits = value >= range.from && value <= range.until;
    if (fits && (range.isFraction || Number.isInteger(value))) return value;
    errors[name] = rangeWords(range);
    return undefined;
  };
  const duration = (name: string, range: Range): string | undefined => {
    const value = number(name, { ...range, isFraction: true });
    if (value === undefined) return undefined;
    const written = `${value}${fields.get(`${name}-unit`)}`;
    if ((parseDuration(written) ?? Number.NaN) <= (range.maxMs ?? Number.MAX_VALUE)) return written;
    errors[name] = rangeWords(range);
    return undefined;
  };
  const required: FormReader["required"] = (name, value) => {
    if (value === undefined) errors[name] ??= missing;
    return value;
  };
  return { errors, text, number, duration, required };
};

export const hasErrors = ({ errors }: FormReader): boolean => Object.keys(errors).length > 0;

const missing: Label = { ko: "값을 입력하세요.", en: "Please fill this in." };

const rangeWords = ({ from, until, isFraction, words }: Range): Label => {
  if (words !== undefined) return words;
  const [min, max] = [numberShown(from), numberShown(until)];
  return {
    ko: `${min}부터 ${max}까지의 ${isFraction ? "수" : "정수"}를 입력하세요.`,
    en: `Please write a ${isFraction ? "" : "whole "}number from ${min} to ${max}.`,
  };
};
