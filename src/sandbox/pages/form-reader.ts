/** Which forms are accepted, and what was typed into them, or why that cannot be used. */
import type { IncomingHttpHeaders } from "node:http";
import { sameSecret } from "../../contract/credentials.ts";
import { parseDuration } from "../../contract/time.ts";
import { formTokenField } from "../http/form-token.ts";
import { numberShown } from "./elements.ts";
import type { Label } from "./language.ts";
import type { FieldErrors } from "./page.ts";

export interface Range {
  readonly from: number;
  readonly until: number;
  /** Fractions are fine as well. */
  readonly isFraction?: boolean;
  /** The longest of lengths of time, whatever its unit. */
  readonly maxMs?: number;
  /** What to write, where the ends of the range say little. */
  readonly message?: Label;
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
    errors[name] = rangeMessage(range);
    return undefined;
  };
  const duration = (name: string, range: Range): string | undefined => {
    const value = number(name, { ...range, isFraction: true });
    if (value === undefined) return undefined;
    const written = `${value}${fields.get(`${name}-unit`)}`;
    if ((parseDuration(written) ?? Number.NaN) <= (range.maxMs ?? Number.MAX_VALUE)) return written;
    errors[name] = rangeMessage(range);
    return undefined;
  };
  const required: FormReader["required"] = (name, value) => {
    if (value === undefined) errors[name] ??= missing;
    return value;
  };
  return { errors, text, number, duration, required };
};

export const hasErrors = ({ errors }: FormReader): boolean => Object.keys(errors).length > 0;

const missing: Label = "Enter a value.";

const rangeMessage = ({ from, until, isFraction, message }: Range): Label => {
  if (message !== undefined) return message;
  const values = [numberShown(from), numberShown(until)];
  return [
    isFraction ? "Enter a number from # to #." : "Enter a whole number from # to #.",
    ...values,
  ];
};

export interface FormRefusal {
  readonly status: number;
  readonly why: Label;
}

/**
 * The fields of a form. A browser names the origin of every form that it sends; the gate has compared
 * one that is there, so that here only its absence is left to refuse.
 */
export const readForm = (
  body: Uint8Array | undefined | "too large" | "broken",
  headers: IncomingHttpHeaders,
  token: string,
): { readonly fields: URLSearchParams } | FormRefusal => {
  if (body === "too large") return { status: 413, why: "The form is too large." };
  const isForm = /^application\/x-www-form-urlencoded\s*(;|$)/i.test(headers["content-type"] ?? "");
  if (!isForm || !(body instanceof Uint8Array))
    return { status: 415, why: "These pages have no such form." };
  const fields = new URLSearchParams(Buffer.from(body).toString("utf8"));
  const isOurs =
    headers.origin === `http://${headers.host}` &&
    sameSecret(fields.get(formTokenField) ?? "", token);
  return isOurs
    ? { fields }
    : {
        status: 403,
        why: "The form is from before the server restarted, or from elsewhere. Reload the page and try again.",
      };
};
